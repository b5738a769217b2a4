#include "tauflex/model/overlay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tauflex/base/named_file.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/model/link_file.hpp"
#include "tauflex/model/robot_file_parts.hpp"

namespace tauflex {

namespace {

// Links by their names and by those of their joints; where both say the same, the link.
class LinkNames {
 public:
  explicit LinkNames(const std::vector<Link>& links) {
    for (size_t i = 0; i < links.size(); ++i) add(links[i].name, i);
    for (size_t i = 0; i < links.size(); ++i)
      if (!links[i].joint.name.empty()) add(links[i].joint.name, i);
  }

  size_t index(const Node& node, const std::string& name) const {
    const auto found = index_.find(name);
    if (found == index_.end())
      node.fail(fmt::format("'{}' is neither a link nor a joint of the URDF file{}", shown(name),
                            did_you_mean(name, names_)));
    return found->second;
  }

  // "elbow" or "elbow.rx" of joint elbow becomes that of its link; other names stay.
  void rename(std::string& name, const std::vector<Link>& links) const {
    const std::string first = index_.contains(name) ? name : name.substr(0, name.find('.'));
    const auto found = index_.find(first);
    if (found != index_.end()) name = links[found->second].name + name.substr(first.size());
  }

  // The other way round, for coordinates: "forearm" becomes its joint "elbow".
  void rename_joint(std::string& name, const std::vector<Link>& links) const {
    const std::string first = name.substr(0, name.find('.'));
    const auto is_joint = [&](const Link& link) { return link.joint.name == first; };
    const auto found = index_.find(first);
    if (found == index_.end() || std::any_of(links.begin(), links.end(), is_joint)) return;
    name = joint_name(links[found->second]) + name.substr(first.size());
  }

 private:
  void add(const std::string& name, size_t link) {
    if (index_.emplace(name, link).second) names_.push_back(name);
  }

  std::map<std::string, size_t> index_;
  std::vector<std::string> names_;
};

// What a URDF file says of a joint, seen from its motor, where the drive has no limit of its own. 0
// is what many files write when they do not know. Motors of a transmission turn several joints, so
// the limits of one joint are not theirs.
void take_limits(RobotDescription& robot) {
  std::set<std::string> coupled;
  for (const Transmission& transmission : robot.transmissions)
    coupled.insert(transmission.links.begin(), transmission.links.end());
  for (Link& link : robot.links) {
    if (!link.drive || coupled.contains(link.name)) continue;
    Drive::Limits& limits = link.drive->limits;
    const double n = std::abs(link.drive->motor_ratio());
    if (std::isinf(limits.torque) && link.joint.effort > 0) limits.torque = link.joint.effort / n;
    if (std::isinf(limits.speed) && link.joint.velocity > 0) limits.speed = link.joint.velocity * n;
  }
}

}  // namespace

void read_overlay(const Node& node, RobotDescription& robot) {
  if (node.is_text()) return read_overlay(Node::read_file(named_file(node)), robot);
  node.allow({"gravity", "inertia", "links", "frames", "couplings", "transmissions", "constraints",
              "springs", "tauflex"});
  const LinkNames names(robot.links);
  if (const auto links = node.find("links")) {
    if (!links->is_map()) links->fail("expected links by name: {hand: {drive: ...}}");
    std::map<size_t, std::string> said;
    for (const std::string& name : links->keys()) {
      const Node part = links->at(name);
      part.allow({"drive", "spring", "springs", "beam", "mass", "com", "inertia"});
      const size_t index = names.index(part, name);
      const auto [other, is_new] = said.emplace(index, name);
      if (!is_new) part.fail(fmt::format("'{}' and '{}' are the same link", other->second, name));
      Link& link = robot.links[index];
      link.where = part.where() + ": " + part.path();
      read_link_parts(part, link);
    }
  }
  read_robot_parts(node, robot);
  for (Coupling& coupling : robot.couplings)
    for (std::string& name : coupling.links) names.rename(name, robot.links);
  for (Transmission& transmission : robot.transmissions)
    for (std::string& name : transmission.links) names.rename(name, robot.links);
  for (Constraint& constraint : robot.constraints)
    if (auto* relation = std::get_if<Relation>(&constraint.rule))
      for (auto& [name, coefficient] : relation->joints) names.rename_joint(name, robot.links);
  take_limits(robot);
}

}  // namespace tauflex

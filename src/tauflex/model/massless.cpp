#include "tauflex/model/massless.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "tauflex/base/text.hpp"

namespace tauflex {

namespace {

bool is_held_by_spring(const Link& link) {
  const auto pulls = [](const Spring& spring) {
    return spring.stiffness > 0 || !spring.table.empty() || !spring.hardening.empty();
  };
  bool any = link.spring && pulls(*link.spring);
  for (size_t k = 0; k < 6; ++k)
    any = any || (link.springs.free[k] && pulls(link.springs.spring[k]));
  return any;
}

bool moves(const Link& link) {
  return link.joint.type != JointType::fixed || link.springs.free != std::array<bool, 6>{};
}

// Links that move something: those with mass, or with inertia that turns, and all that carry them.
std::set<std::string> loaded_links(const std::vector<Link>& links) {
  std::map<std::string, const Link*> by_name;
  for (const Link& link : links) by_name[link.name] = &link;
  std::set<std::string> massive, turning;
  const auto carry = [&](std::set<std::string>& loaded, const Link& link) {
    for (const Link* at = &link; at && loaded.insert(at->name).second;) {
      const auto parent = by_name.find(at->joint.parent);
      at = parent == by_name.end() ? nullptr : parent->second;
    }
  };
  for (const Link& link : links) {
    if (link.inertia.mass > 0 || link.beam) carry(massive, link);
    if (!link.inertia.about_com.isZero(0) || link.beam) carry(turning, link);
  }
  for (const Link& link : links)
    if (turning.contains(link.name) && link.joint.type != JointType::prismatic)
      massive.insert(link.name);
  return massive;
}

// Takes joints out of `held` whose relation has another joint that stays.
bool keep_related(const std::vector<Constraint>& constraints, std::set<std::string>& held) {
  bool kept = false;
  for (const Constraint& constraint : constraints) {
    const auto* relation = std::get_if<Relation>(&constraint.rule);
    if (!relation) continue;
    const bool all = std::all_of(relation->joints.begin(), relation->joints.end(),
                                 [&](const auto& joint) { return held.contains(joint.first); });
    for (const auto& [name, coefficient] : relation->joints)
      if (!all && held.erase(name) > 0) kept = true;
  }
  return kept;
}

}  // namespace

void hold_massless_joints(RobotDescription& robot) {
  const std::set<std::string> loaded = loaded_links(robot.links);
  // A file that knows lengths only, as many of industrial arms: its joints can be posed.
  if (loaded.empty() && std::any_of(robot.links.begin(), robot.links.end(), moves)) {
    robot.notes.push_back(
        "no link has a mass: poses can be computed, torques cannot; give masses in the file or in "
        "its overlay");
    return;
  }
  std::set<std::string> held;  // by joint names
  for (const Link& link : robot.links)
    if (moves(link) && !loaded.contains(link.name) && !link.drive && !is_held_by_spring(link))
      held.insert(joint_name(link));
  while (keep_related(robot.constraints, held)) {
  }
  if (held.empty()) return;
  std::erase_if(robot.constraints, [&](const Constraint& constraint) {
    const auto* relation = std::get_if<Relation>(&constraint.rule);
    return relation && !relation->joints.empty() && held.contains(relation->joints.front().first);
  });
  std::vector<std::string> names;
  for (Link& link : robot.links) {
    if (!held.contains(joint_name(link))) continue;
    names.push_back(joint_name(link));
    link.joint.type = JointType::fixed;
    link.spring.reset();
    link.springs = {};
  }
  robot.notes.push_back(fmt::format(
      "joints that move no mass are held at 0, as no force depends on them: {}; to move "
      "them, give their links mass and inertia or a rigid drive with a rotor_inertia",
      join(names)));
}

}  // namespace tauflex

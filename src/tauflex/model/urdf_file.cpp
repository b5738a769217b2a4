#include "tauflex/model/urdf_file.hpp"

#include <fmt/format.h>

#include <map>

#include "tauflex/base/text.hpp"
#include "tauflex/model/urdf_joint.hpp"
#include "tauflex/model/urdf_link.hpp"

namespace tauflex {

namespace {

// Puts links and joints together; each step is an error of its own.
class UrdfTree {
 public:
  UrdfTree(const XmlElement& robot, const std::filesystem::path& folder) {
    for (const XmlElement& element : robot.children("link")) add_link(element, folder);
    if (links_.empty()) robot.fail("there are no links");
    for (const XmlElement& element : robot.children("joint")) add_joint(element);
    attach_links();
    find_root();
    find_loop();
  }

  RobotDescription description() {
    RobotDescription robot;
    place_root(robot);
    for (const UrdfJoint& joint : joints_)
      if (joint.mimic) robot.constraints.push_back(relation(joint));
    robot.links = std::move(links_);
    return robot;
  }

 private:
  void add_link(const XmlElement& element, const std::filesystem::path& folder) {
    const Link link = read_urdf_link(element, folder);
    const auto [other, is_new] = link_index_.emplace(link.name, links_.size());
    if (!is_new)
      element.fail(fmt::format("there is another link of this name, in line {}",
                               elements_[other->second].line()));
    links_.push_back(link);
    elements_.push_back(element);
    carrier_.push_back(-1);
    link_names_.push_back(link.name);
  }

  void add_joint(const XmlElement& element) {
    const UrdfJoint joint = read_urdf_joint(element);
    const auto [other, is_new] = joint_index_.emplace(joint.joint.name, joints_.size());
    if (!is_new)
      element.fail(fmt::format("there is another joint of this name, in line {}",
                               joints_[other->second].element.line()));
    joints_.push_back(joint);
    joint_names_.push_back(joint.joint.name);
  }

  size_t link_at(const UrdfJoint& joint, const char* end, const std::string& name) const {
    const auto found = link_index_.find(name);
    if (found == link_index_.end())
      joint.element.at(end).fail("link", fmt::format("there is no link '{}'{}", shown(name),
                                                     did_you_mean(name, link_names_)));
    return found->second;
  }

  void attach_links() {
    for (size_t j = 0; j < joints_.size(); ++j) {
      const UrdfJoint& joint = joints_[j];
      link_at(joint, "parent", joint.joint.parent);
      const size_t child = link_at(joint, "child", joint.child);
      if (carrier_[child] >= 0)
        joint.element.at("child").fail(
            "link", fmt::format("'{}' is already the child of joint '{}', in line {}",
                                shown(joint.child), shown(joint_names_[carrier(child)]),
                                joints_[carrier(child)].element.line()));
      carrier_[child] = static_cast<int>(j);
      links_[child].joint = joint.joint;
      links_[child].spring = joint.spring;
    }
  }

  void find_root() {
    for (size_t i = 0; i < links_.size(); ++i) {
      if (carrier_[i] >= 0) {
        if (links_[i].name == "world")
          elements_[i].fail("'world' is what the robot stands on, no joint can carry it");
        continue;
      }
      if (root_ >= 0)
        elements_[i].fail(
            fmt::format("a second root: no joint carries it, nor link '{}' in line {}",
                        shown(links_[root()].name), elements_[root()].line()));
      root_ = static_cast<int>(i);
    }
  }

  // Without a loop every link leads to the root. Links already followed are not followed again.
  void find_loop() const {
    std::vector<int> seen(links_.size(), -1);  // by which walk
    for (size_t i = 0; i < links_.size(); ++i) {
      size_t at = i;
      while (seen[at] < 0 && carrier_[at] >= 0) {
        seen[at] = static_cast<int>(i);
        at = parent(at);
      }
      if (seen[at] != static_cast<int>(i) || carrier_[at] < 0) continue;
      std::vector<std::string> loop = {links_[at].name};
      for (size_t k = parent(at); k != at; k = parent(k))
        if (loop.size() < 10) loop.push_back(links_[k].name);
      loop.push_back(links_[at].name);
      elements_[at].fail("the joints form a loop of parents: " + join(loop, " -> "));
    }
  }

  // A root that weighs or shows something is a link fixed to the world; else it is the world, and
  // its name that of a frame.
  void place_root(RobotDescription& robot) {
    Link& link = links_[root()];
    const bool is_something = link.inertia.given[0] || !link.visuals.empty();
    if (is_something && link.name == "world")
      elements_[root()].fail("'world' is what the robot stands on, it has no mass and no visuals");
    if (is_something) {
      link.joint.type = JointType::fixed;
      return;
    }
    if (links_.size() == 1) elements_[root()].fail("the only link has neither mass nor visuals");
    if (link.name != "world") robot.frames.push_back({link.name, "world", {}, link.where});
    for (Link& child : links_)
      if (child.joint.parent == link.name) child.joint.parent = "world";
    links_.erase(links_.begin() + root_);
  }

  // q - multiplier q(other) = offset
  Constraint relation(const UrdfJoint& joint) const {
    const XmlElement element = joint.element.at("mimic");
    const auto [other, multiplier, offset] = *joint.mimic;
    const auto found = joint_index_.find(other);
    if (found == joint_index_.end())
      element.fail("joint", fmt::format("there is no joint '{}'{}", shown(other),
                                        did_you_mean(other, joint_names_)));
    const UrdfJoint& leader = joints_[found->second];
    if (other == joint.joint.name) element.fail("joint", "a joint cannot follow itself");
    if (leader.joint.type != JointType::revolute && leader.joint.type != JointType::prismatic)
      element.fail("joint", fmt::format("a joint cannot follow the {} joint '{}'",
                                        leader.element.text("type"), shown(other)));
    if (joint.joint.name.find_first_of("., \t\r\n") != std::string::npos)
      joint.element.fail(
          "the name of a joint with mimic must not contain a dot, a comma or a space");
    Relation relation = {{{joint.child, 1.0}}, offset};
    if (multiplier != 0) relation.joints.emplace_back(leader.child, -multiplier);
    return {.name = "mimic_" + joint.joint.name, .rule = relation, .where = element.where()};
  }

  size_t root() const { return static_cast<size_t>(root_); }
  size_t carrier(size_t link) const { return static_cast<size_t>(carrier_[link]); }
  size_t parent(size_t link) const { return link_index_.at(joints_[carrier(link)].joint.parent); }

  std::vector<Link> links_;
  std::vector<XmlElement> elements_;  // of the links
  std::vector<int> carrier_;          // per link: its joint, -1 for the root
  std::vector<UrdfJoint> joints_;
  std::vector<std::string> link_names_, joint_names_;
  std::map<std::string, size_t> link_index_, joint_index_;
  int root_ = -1;
};

}  // namespace

RobotDescription read_urdf(const std::filesystem::path& path) {
  const XmlElement robot = XmlElement::read_file(path);
  if (robot.tag() != "robot")
    robot.fail(fmt::format("expected a robot, got '{}'", shown(robot.tag())));
  robot.allow({"name", "version"}, {"link", "joint", "material", "transmission", "gazebo"});
  return UrdfTree(robot, path.parent_path()).description();
}

}  // namespace tauflex

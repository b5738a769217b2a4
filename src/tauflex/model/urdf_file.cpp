#include "tauflex/model/urdf_file.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "tauflex/base/text.hpp"
#include "tauflex/model/typed_names.hpp"
#include "tauflex/model/urdf_joint.hpp"
#include "tauflex/model/urdf_link.hpp"
#include "tauflex/model/xacro_remnants.hpp"

namespace tauflex {

namespace {

// Puts links and joints together; each step is an error of its own.
class UrdfTree {
 public:
  UrdfTree(const XmlElement& robot, const std::filesystem::path& file) : notes_(file) {
    require_expanded(robot, file, notes_);
    look_at_root(robot);
    add_world(robot);
    for (const XmlElement& element : robot.children("link")) add_link(element, file.parent_path());
    if (robot.children("link").empty()) robot.fail("there are no links");
    for (const XmlElement& element : robot.children())
      if (is_urdf_joint(element)) add_joint(element);
    attach_links();
    find_root();
    find_loop();
  }

  RobotDescription description() {
    RobotDescription robot;
    rename();
    place_root(robot);
    for (const UrdfJoint& joint : joints_)
      if (joint.mimic) robot.constraints.push_back(relation(joint));
    robot.links = std::move(links_);
    robot.links.insert(robot.links.end(), planes_.begin(), planes_.end());
    robot.notes = notes_.sentences();
    return robot;
  }

 private:
  // Links, joints and frames are read later on; a joint of an extension that is not read would take
  // from a link what carries it, and a loop that stays open is another robot.
  void look_at_root(const XmlElement& robot) {
    std::vector<std::string> others = {"material", "transmission", "gazebo"};
    for (const XmlElement& element : robot.children()) {
      const std::string tag = element.tag();
      if (tag.ends_with(":joint") && !is_urdf_joint(element))
        element.fail("joints of extensions of URDF are not read; write it as a joint");
      if (tag == "loop_joint")
        notes_.add("loops that stay open, as loop_joint is not read; close them by constraints",
                   element.where());
      if (tag == "loop_joint" || tag == "drake:joint" || tag.starts_with("xacro:"))
        others.push_back(tag);
    }
    notes_.look(robot, {"name", "version"}, {"link", "joint"}, others);
  }

  // Joints may stand on a link `world` that nobody declares, as in Drake's files.
  void add_world(const XmlElement& robot) {
    for (const XmlElement& link : robot.children("link"))
      if (link.has("name") && link.text("name") == "world") return;
    for (const XmlElement& joint : robot.children("joint"))
      for (const XmlElement& parent : joint.children("parent"))
        if (parent.has("link") && parent.text("link") == "world") {
          Link world;
          world.name = "world";
          world.where = parent.where();
          return add(world, parent);
        }
  }

  void add_link(const XmlElement& element, const std::filesystem::path& folder) {
    const Link link = read_urdf_link(element, folder, notes_);
    const auto [other, is_new] = link_index_.emplace(link.name, links_.size());
    if (!is_new)
      element.fail(fmt::format("there is another link of this name, in line {}",
                               elements_[other->second].line()));
    add(link, element);
  }

  void add(const Link& link, const XmlElement& element) {
    link_index_.emplace(link.name, links_.size());
    links_.push_back(link);
    elements_.push_back(element);
    carrier_.push_back(-1);
    link_names_.push_back(link.name);
  }

  void add_joint(const XmlElement& element) {
    const UrdfJoint joint = read_urdf_joint(element, notes_);
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
      attach(joint, links_[child]);
    }
  }

  void attach(const UrdfJoint& joint, Link& link) {
    link.joint = joint.joint;
    if (joint.joint.type != JointType::compound) {
      link.spring = joint.spring;
      return;
    }
    // Directions with damping are springs without stiffness.
    if (joint.spring) {
      link.joint.type = JointType::fixed;
      link.springs.free = joint.joint.free;
      link.springs.spring.fill(*joint.spring);
    }
    if (!joint.plane) return;
    // A frame with the axes of the plane moves, and the link is fixed to it.
    Link plane = link;
    plane.name += "_plane";
    while (!link_index_.emplace(plane.name, links_.size() + planes_.size()).second)
      plane.name += "_";
    plane.inertia = {};
    plane.visuals.clear();
    plane.joint.X_PJ.R *= *joint.plane;
    link.springs = {};
    link.joint = Joint{.parent = plane.name, .type = JointType::fixed};
    link.joint.X_PJ.R = joint.plane->transpose();
    planes_.push_back(plane);
  }

  void find_root() {
    for (size_t i = 0; i < links_.size(); ++i) {
      if (carrier_[i] >= 0) continue;
      if (root_ < 0) {
        root_ = static_cast<int>(i);
        continue;
      }
      links_[i].joint.type = JointType::fixed;
      notes_.add("no joint carries them, so they stand on the world", "link " + links_[i].name);
    }
  }

  // Without a loop every link leads to a root. Links already followed are not followed again.
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

  // A root that weighs or shows something is a link fixed to the world; else, or when it is called
  // so, it is the world, and its name that of a frame.
  void place_root(RobotDescription& robot) {
    Link& link = links_[root()];
    const bool is_something =
        link.inertia.given[0] || !elements_[root()].children("visual").empty();
    if (is_something && link.name == "world")
      notes_.add("what does not move needs neither mass nor pictures", "link world");
    else if (is_something) {
      link.joint.type = JointType::fixed;
      return;
    }
    if (links_.size() == 1) {  // a robot without links is none
      link.joint.type = JointType::fixed;
      return;
    }
    if (link.name != "world") robot.frames.push_back({link.name, "world", {}, link.where});
    const std::string root_name = link.name;
    for (std::vector<Link>* children : {&links_, &planes_})
      for (Link& child : *children)
        if (child.joint.parent == root_name) child.joint.parent = "world";
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
    const bool moves =
        leader.joint.type == JointType::revolute || leader.joint.type == JointType::prismatic;
    if (!moves && leader.joint.type != JointType::fixed)
      element.fail("joint", fmt::format("a joint cannot follow the {} joint '{}'",
                                        leader.element.text("type"), shown(other)));
    Relation relation = {{{joint_called_.at(joint.joint.name), 1.0}}, offset};
    if (multiplier != 0 && moves)
      relation.joints.emplace_back(joint_called_.at(other), -multiplier);
    return {.name = "mimic_" + joint_called_.at(joint.joint.name),
            .rule = relation,
            .where = element.where()};
  }

  // Gives links and joints names that can be typed; before, they have those of the file.
  void rename() {
    std::vector<std::string> names = link_names_;
    for (const Link& plane : planes_) names.push_back(plane.name);
    std::set<std::string> taken;
    if (links_[root()].name != "world") taken.insert("world");
    link_called_ = typed_names(names, taken);
    taken.clear();
    for (const auto& [name, typed] : link_called_) taken.insert(typed);
    for (const std::string& name : joint_names_) taken.erase(name);
    joint_called_ = typed_names(joint_names_, taken);
    for (const auto* all : {&link_called_, &joint_called_})
      for (const auto& [name, typed] : *all)
        if (name != typed)
          notes_.add("names that job files cannot hold are written in another way",
                     fmt::format("'{}' is {}", shown(name), typed));
    for (std::vector<Link>* links : {&links_, &planes_})
      for (size_t i = 0; i < links->size(); ++i) {
        Link& link = (*links)[i];
        const bool is_root = links == &links_ && carrier_[i] < 0;
        link.name = link_called_.at(link.name);
        if (!is_root) link.joint.parent = link_called_.at(link.joint.parent);
        if (!link.joint.name.empty()) link.joint.name = joint_called_.at(link.joint.name);
      }
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
  // Names of the file, and what becomes of them.
  std::map<std::string, std::string> link_called_, joint_called_;
  // The moving frames of planar joints whose normal is skew.
  std::vector<Link> planes_;
  int root_ = -1;
  UrdfNotes notes_;
};

// Other descriptions of robots, each with a way to a URDF file.
void require_urdf(const XmlElement& root) {
  if (root.tag() == "sdf" || root.tag() == "world")
    root.fail("this is an SDF file; convert it to URDF, for example with sdformat_urdf of ROS 2");
  if (root.tag() == "mujoco" || root.tag() == "mujocoinclude")
    root.fail(
        "this is an MJCF file of MuJoCo; convert it to URDF, for example with the Python package "
        "mjcf-urdf-simple-converter");
  if (root.tag() != "robot")
    root.fail(fmt::format("expected a robot, got '{}'", shown(root.tag())));
}

}  // namespace

RobotDescription read_urdf(const std::filesystem::path& path) {
  const XmlElement robot = XmlElement::read_file(path);
  require_urdf(robot);
  return UrdfTree(robot, path).description();
}

}  // namespace tauflex

#include "tauflex/model/robot_file_parts.hpp"

#include "tauflex/model/constraint_file.hpp"
#include "tauflex/model/geometry_file.hpp"

namespace tauflex {

namespace {

Coupling read_coupling(const Node& node) {
  node.allow({"drives", "springs", "stiffness", "damping"});
  if (node.has("drives") == node.has("springs"))
    node.fail("expected either drives: [links] or springs: [links]");
  Coupling coupling;
  coupling.where = node.where() + ": " + node.path();
  coupling.drives = node.has("drives");
  const Node links = node.at(coupling.drives ? "drives" : "springs");
  if (!links.is_list()) links.fail("expected a list of link names");
  for (int i = 0; i < links.size(); ++i) coupling.links.push_back(links[i].text());
  if (const auto stiffness = node.find("stiffness"))
    coupling.stiffness = stiffness->in("N m/rad|N/m").matrix(links.size(), links.size());
  if (const auto damping = node.find("damping"))
    coupling.damping = damping->in("N m s/rad|N s/m").matrix(links.size(), links.size());
  return coupling;
}

Transmission read_transmission(const Node& node) {
  node.allow({"drives", "ratio"});
  Transmission transmission;
  transmission.where = node.where() + ": " + node.path();
  const Node links = node.at("drives");
  if (!links.is_list()) links.fail("expected a list of link names");
  for (int i = 0; i < links.size(); ++i) transmission.links.push_back(links[i].text());
  transmission.ratio = node.at("ratio").matrix(links.size(), links.size());
  return transmission;
}

}  // namespace

void read_inertia_rule(const Node& node, RobotDescription& robot) {
  const auto rule = node.find("inertia");
  if (!rule) return;
  if (!rule->is_text() || rule->text() != "nearest")
    rule->fail("expected nearest; the inertia of a link stands in its own entry");
  robot.inertias = InertiaRule::nearest;
}

void read_robot_parts(const Node& node, RobotDescription& robot) {
  if (const auto gravity = node.find("gravity")) robot.gravity = gravity->in("m/s^2").numbers(3);
  read_inertia_rule(node, robot);
  if (const auto frames = node.find("frames"))
    for (const std::string& name : frames->keys()) {
      const Node frame = frames->at(name);
      frame.allow({"link", "at", "rpy"});
      robot.frames.push_back(
          {name, frame.at("link").text(), read_pose(frame), frame.where() + ": " + frame.path()});
    }
  if (const auto couplings = node.find("couplings"))
    for (int i = 0; i < couplings->size(); ++i)
      robot.couplings.push_back(read_coupling((*couplings)[i]));
  if (const auto transmissions = node.find("transmissions"))
    for (int i = 0; i < transmissions->size(); ++i)
      robot.transmissions.push_back(read_transmission((*transmissions)[i]));
  if (const auto constraints = node.find("constraints"))
    for (int i = 0; i < constraints->size(); ++i)
      robot.constraints.push_back(read_constraint((*constraints)[i]));
  if (const auto springs = node.find("springs"))
    for (int i = 0; i < springs->size(); ++i) {
      const Node spring = (*springs)[i];
      if (spring.has("links") || spring.has("joints"))
        robot.joint_springs.push_back(read_joint_spring(spring));
      else
        robot.frame_springs.push_back(read_frame_spring(spring));
    }
}

}  // namespace tauflex

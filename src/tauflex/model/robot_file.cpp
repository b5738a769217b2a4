#include "tauflex/model/robot_file.hpp"

#include "tauflex/base/named_file.hpp"
#include "tauflex/model/inertia.hpp"
#include "tauflex/model/link_file.hpp"
#include "tauflex/model/massless.hpp"
#include "tauflex/model/overlay.hpp"
#include "tauflex/model/robot_file_parts.hpp"
#include "tauflex/model/urdf_file.hpp"

namespace tauflex {

RobotDescription read_robot(const Node& node) {
  if (node.is_text()) return read_robot(Node::read_file(named_file(node)));
  if (node.has("urdf")) {
    node.allow({"urdf", "elastic", "inertia"});
    RobotDescription robot = read_urdf(named_file(node.at("urdf")));
    read_inertia_rule(node, robot);
    if (const auto elastic = node.find("elastic")) read_overlay(*elastic, robot);
    take_point_masses(robot);
    settle_inertias(robot);
    hold_massless_joints(robot);
    return robot;
  }
  node.allow({"gravity", "inertia", "links", "frames", "couplings", "transmissions", "constraints",
              "springs", "dynamics", "tauflex"});
  RobotDescription robot;
  const Node links = node.at("links");
  if (!links.is_list() || links.size() == 0) links.fail("expected a list of links");
  for (int i = 0; i < links.size(); ++i) robot.links.push_back(read_link(links[i]));
  read_robot_parts(node, robot);
  take_point_masses(robot);
  settle_inertias(robot);
  if (const auto dynamics = node.find("dynamics")) {
    if (dynamics->is_text() && dynamics->text() == "nonlinear") return robot;
    dynamics->allow({"linearized_at"});
    const Node pose = dynamics->at("linearized_at");
    if (pose.text() != "start") pose.fail("expected start, got '" + pose.text() + "'");
    robot.dynamics = DynamicsKind::linearized_at_start;
  }
  return robot;
}

}  // namespace tauflex

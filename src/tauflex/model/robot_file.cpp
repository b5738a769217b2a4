#include "tauflex/model/robot_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "tauflex/base/text.hpp"
#include "tauflex/model/overlay.hpp"
#include "tauflex/model/robot_file_parts.hpp"
#include "tauflex/model/urdf_file.hpp"
#include "tauflex/trajectory/path_file.hpp"

namespace tauflex {

namespace {

Pose read_pose(const Node& node) {
  Pose pose;
  if (const auto at = node.find("at")) pose.p = at->numbers(3);
  if (const auto rpy = node.find("rpy")) pose.R = rotation_from_rpy(rpy->numbers(3));
  return pose;
}

Vector3 read_axis(const Node& node) {
  if (node.is_list()) {
    const Vector3 axis = node.numbers(3);
    if (axis.norm() < 1e-12) node.fail("an axis must not be zero");
    return axis.normalized();
  }
  const std::map<std::string, Vector3> axes = {{"x", {1, 0, 0}},   {"y", {0, 1, 0}},
                                               {"z", {0, 0, 1}},   {"-x", {-1, 0, 0}},
                                               {"-y", {0, -1, 0}}, {"-z", {0, 0, -1}}};
  const auto found = axes.find(node.text());
  if (found == axes.end())
    node.fail("expected x, y, z, -x, -y, -z or three numbers, got '" + node.text() + "'");
  return found->second;
}

// A list of x, y, z, rx, ry, rz, in this order.
std::array<bool, 6> read_directions(const Node& node) {
  const std::vector<std::string> names = {"x", "y", "z", "rx", "ry", "rz"};
  std::array<bool, 6> chosen = {};
  if (!node.is_list() || node.size() == 0) node.fail("expected a list of " + join(names));
  int last = -1;
  for (int i = 0; i < node.size(); ++i) {
    const auto found = std::find(names.begin(), names.end(), node[i].text());
    if (found == names.end())
      node[i].fail(
          fmt::format("'{}' is not a direction; there are {}", node[i].text(), join(names)));
    const int index = static_cast<int>(found - names.begin());
    if (index <= last) node[i].fail("directions stand in the order " + join(names));
    chosen[static_cast<size_t>(last = index)] = true;
  }
  return chosen;
}

Joint read_joint(const Node& node) {
  node.allow({"parent", "at", "rpy", "type", "axis", "zero", "range"});
  Joint joint;
  joint.parent = node.at("parent").text();
  const Node type = node.at("type");
  const std::vector<std::string> names = {"fixed", "revolute", "prismatic", "spherical",
                                          "floating"};
  const std::map<std::string, JointType> types = {{"fixed", JointType::fixed},
                                                  {"revolute", JointType::revolute},
                                                  {"prismatic", JointType::prismatic},
                                                  {"spherical", JointType::spherical},
                                                  {"floating", JointType::floating}};
  if (type.is_list()) {
    joint.type = JointType::compound;
    joint.free = read_directions(type);
  } else {
    const auto found = types.find(type.text());
    if (found == types.end())
      type.fail(
          fmt::format("'{}' is not a joint type{}; there are {} and lists of free "
                      "directions such as [x, z, ry]",
                      type.text(), did_you_mean(type.text(), names), join(names)));
    joint.type = found->second;
  }
  joint.X_PJ = read_pose(node);
  const bool has_axis = joint.type == JointType::revolute || joint.type == JointType::prismatic;
  if (has_axis) joint.axis = read_axis(node.at("axis"));
  for (const char* key : {"axis", "zero", "range"})
    if (!has_axis && joint.type != JointType::fixed && node.has(key))
      node.at(key).fail("belongs to a revolute or prismatic joint");
  joint.zero = node.number_or("zero", 0);
  if (const auto range = node.find("range")) {
    const Vector limits = range->numbers(2);
    if (limits[0] > limits[1])
      range->fail(fmt::format("the lower end {} is above the upper end {}", limits[0], limits[1]));
    joint.lowest = limits[0];
    joint.highest = limits[1];
  }
  return joint;
}

// c3, c5, ... of c3 d^3 + c5 d^5 + ...
OddPolynomial read_hardening(const Node& node) {
  const Vector c = node.numbers();
  return {c.begin(), c.end()};
}

// [[stretch, torque], ...], which takes the place of stiffness and hardening.
std::vector<SpringPoint> read_table(const Node& spring) {
  const Node table = spring.at("table");
  for (const char* key : {"stiffness", "hardening"})
    if (spring.has(key))
      spring.at(key).fail("stands beside a table, which takes its place; give one");
  if (!table.is_list()) table.fail("expected points [stretch, torque]: [[0, 0], [0.001, 20], ...]");
  std::vector<SpringPoint> points;
  for (int i = 0; i < table.size(); ++i) {
    const Vector point = table[i].numbers(2);
    points.push_back({point[0], point[1]});
  }
  if (const auto fault = spring_table_fault(points)) table.fail(*fault);
  return points;
}

Drive read_drive(const Node& node) {
  node.allow({"rotor_inertia", "gear_ratio", "friction", "coulomb", "coulomb_speed", "stiffness",
              "damping", "hardening", "table", "limits"});
  Drive drive;
  if (const auto inertia = node.find("rotor_inertia"))
    drive.rotor_inertia = inertia->not_negative();
  if (const auto ratio = node.find("gear_ratio")) {
    drive.gear_ratio = ratio->number();
    if (drive.gear_ratio == 0) ratio->fail("must not be 0");
  }
  if (const auto friction = node.find("friction")) drive.friction = friction->not_negative();
  if (const auto coulomb = node.find("coulomb")) {
    drive.coulomb = coulomb->not_negative();
    drive.coulomb_speed = node.at("coulomb_speed").positive();
  } else if (node.has("coulomb_speed")) {
    node.at("coulomb_speed").fail("belongs to coulomb friction; give coulomb too");
  }
  if (const auto limits = node.find("limits")) {
    limits->allow({"torque", "torque_rate", "speed"});
    for (const auto& [key, value] : {std::pair("torque", &drive.limits.torque),
                                     std::pair("torque_rate", &drive.limits.torque_rate),
                                     std::pair("speed", &drive.limits.speed)})
      if (const auto limit = limits->find(key)) *value = limit->positive();
  }
  if (node.has("stiffness") || node.has("table")) {
    drive.elastic = Drive::Elasticity{};
    if (node.has("table")) drive.elastic->table = read_table(node);
    if (const auto stiffness = node.find("stiffness"))
      drive.elastic->stiffness = stiffness->positive();
    if (const auto hardening = node.find("hardening"))
      drive.elastic->hardening = read_hardening(*hardening);
    if (const auto damping = node.find("damping")) drive.elastic->damping = damping->not_negative();
    if (drive.rotor_inertia <= 0)
      node.fail("an elastic drive needs a rotor_inertia greater than 0");
  } else if (node.has("damping")) {
    node.at("damping").fail("damping belongs to an elastic drive; give its stiffness too");
  } else if (node.has("hardening")) {
    node.at("hardening").fail("hardening belongs to an elastic drive; give its stiffness too");
  }
  return drive;
}

Spring read_spring(const Node& node) {
  node.allow({"stiffness", "damping", "rest", "hardening", "table"});
  Spring spring;
  if (node.has("table")) spring.table = read_table(node);
  if (const auto hardening = node.find("hardening")) spring.hardening = read_hardening(*hardening);
  if (const auto stiffness = node.find("stiffness")) spring.stiffness = stiffness->not_negative();
  if (const auto damping = node.find("damping")) spring.damping = damping->not_negative();
  spring.rest = node.number_or("rest", 0);
  return spring;
}

// {rx: {stiffness: 1e5, damping: 10}, y: ...}
DirectionSprings read_direction_springs(const Node& node) {
  node.allow({"x", "y", "z", "rx", "ry", "rz"});
  const char* names[6] = {"x", "y", "z", "rx", "ry", "rz"};
  DirectionSprings springs;
  for (size_t k = 0; k < 6; ++k)
    if (const auto spring = node.find(names[k])) {
      springs.free[k] = true;
      springs.spring[k] = read_spring(*spring);
    }
  return springs;
}

Link read_link(const Node& node) {
  node.allow({"name", "joint", "drive", "spring", "springs", "mass", "com", "inertia"});
  Link link;
  link.where = node.where() + ": " + node.path();
  link.name = node.at("name").text();
  link.joint = read_joint(node.at("joint"));
  read_link_parts(node, link);
  return link;
}

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
    coupling.stiffness = stiffness->matrix(links.size(), links.size());
  if (const auto damping = node.find("damping"))
    coupling.damping = damping->matrix(links.size(), links.size());
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

std::pair<std::string, std::string> read_frame_pair(const Node& node) {
  const Node frames = node.at("frames");
  if (!frames.is_list() || frames.size() != 2) frames.fail("expected two frames: [a, b]");
  return {frames[0].text(), frames[1].text()};
}

// The rule of a constraint, and the names of its rows for its path.
using Rule = std::pair<ConstraintRule, std::vector<std::string>>;

template <class T>
void read_on(const Node& node, T& rule) {
  rule.frame = node.at("frame").text();
  if (const auto on = node.find("on")) rule.on = on->text();
}

// The constant that a path would replace.
double constant(const Node& node, const char* key, bool has_path, double unused) {
  if (!has_path) return node.at(key).number();
  if (node.has(key)) node.at(key).fail("stands beside a path, which takes its place; give one");
  return unused;
}

Rule read_rule(const Node& node, const std::string& kind, const std::string& name, bool has_path) {
  if (kind == "closure") {
    node.allow({"frames", "locked"});
    Closure rule;
    std::tie(rule.a, rule.b) = read_frame_pair(node);
    if (const auto locked = node.find("locked")) rule.locked = read_directions(*locked);
    std::vector<std::string> rows;
    const char* names[6] = {"x", "y", "z", "rx", "ry", "rz"};
    for (size_t k = 0; k < 6; ++k)
      if (rule.locked[k]) rows.push_back(names[k]);
    return {rule, rows};
  }
  if (kind == "distance") {
    node.allow({"frames", "length"});
    Distance rule;
    std::tie(rule.a, rule.b) = read_frame_pair(node);
    rule.length = constant(node, "length", has_path, 0);
    return {rule, {name}};
  }
  if (kind == "plane") {
    node.allow({"frame", "on", "point", "normal"});
    OnPlane rule;
    read_on(node, rule);
    if (const auto point = node.find("point")) rule.point = point->numbers(3);
    rule.normal = read_axis(node.at("normal"));
    return {rule, {name}};
  }
  if (kind == "sphere") {
    node.allow({"frame", "on", "center", "radius"});
    OnSphere rule;
    read_on(node, rule);
    if (const auto center = node.find("center")) rule.center = center->numbers(3);
    rule.radius = constant(node, "radius", has_path, 1);
    return {rule, {name}};
  }
  if (kind == "line") {
    node.allow({"frame", "on", "point", "direction"});
    OnLine rule;
    read_on(node, rule);
    if (const auto point = node.find("point")) rule.point = point->numbers(3);
    rule.direction = read_axis(node.at("direction"));
    return {rule, {"n1", "n2"}};
  }
  if (kind == "circle") {
    node.allow({"frame", "on", "center", "normal", "radius"});
    OnCircle rule;
    read_on(node, rule);
    if (const auto center = node.find("center")) rule.center = center->numbers(3);
    rule.normal = read_axis(node.at("normal"));
    rule.radius = constant(node, "radius", has_path, 1);
    return {rule, {"normal", "radial"}};
  }
  if (kind == "polynomial") {
    node.allow({"frame", "on", "coefficients"});
    OnPolynomial rule;
    read_on(node, rule);
    for (const double c : node.at("coefficients").numbers()) rule.coefficients.push_back(c);
    return {rule, {"y", "z"}};
  }
  node.allow({"joints", "value"});
  Relation rule;
  const Node joints = node.at("joints");
  for (const std::string& joint : joints.keys())
    rule.joints.emplace_back(joint, joints.at(joint).number());
  rule.value = constant(node, "value", has_path, 0);
  return {rule, {name}};
}

Constraint read_constraint(const Node& node) {
  const std::vector<std::string> kinds = {"closure", "distance", "plane",      "sphere",
                                          "line",    "circle",   "polynomial", "relation"};
  node.allow({"name", "path", "closure", "distance", "plane", "sphere", "line", "circle",
              "polynomial", "relation"});
  Constraint constraint;
  constraint.where = node.where() + ": " + node.path();
  constraint.name = node.at("name").text();
  std::vector<std::string> given;
  for (const std::string& kind : kinds)
    if (node.has(kind)) given.push_back(kind);
  if (given.size() != 1)
    node.fail(fmt::format("expected exactly one of {}, got {}", join(kinds),
                          given.empty() ? "none" : join(given)));
  std::vector<std::string> rows;
  std::tie(constraint.rule, rows) =
      read_rule(node.at(given[0]), given[0], constraint.name, node.has("path"));
  if (const auto path = node.find("path")) constraint.path = read_path(*path, rows);
  return constraint;
}

FrameSpring read_frame_spring(const Node& node) {
  node.allow({"name", "frames", "stiffness", "damping", "length"});
  FrameSpring spring;
  spring.where = node.where() + ": " + node.path();
  spring.name = node.at("name").text();
  std::tie(spring.a, spring.b) = read_frame_pair(node);
  if (const auto stiffness = node.find("stiffness")) spring.stiffness = stiffness->not_negative();
  if (const auto damping = node.find("damping")) spring.damping = damping->not_negative();
  if (const auto length = node.find("length")) spring.length = length->not_negative();
  return spring;
}

}  // namespace

LinkInertia read_inertia(const Node& node) {
  LinkInertia inertia;
  if (const auto mass = node.find("mass")) inertia.mass = mass->not_negative();
  if (const auto com = node.find("com")) inertia.com = com->numbers(3);
  if (const auto tensor = node.find("inertia")) {
    tensor->allow({"xx", "yy", "zz", "xy", "xz", "yz"});
    const char* names[6] = {"xx", "yy", "zz", "xy", "xz", "yz"};
    const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
    for (size_t k = 0; k < 6; ++k)
      if (const auto entry = tensor->find(names[k])) {
        const double value = k < 3 ? entry->not_negative() : entry->number();
        inertia.about_com(rows[k], columns[k]) = inertia.about_com(columns[k], rows[k]) = value;
        inertia.given[k] = true;
      }
  }
  return inertia;
}

void read_link_parts(const Node& node, Link& link) {
  const LinkInertia inertia = read_inertia(node);
  if (node.has("mass")) link.inertia.mass = inertia.mass;
  if (node.has("com")) link.inertia.com = inertia.com;
  if (node.has("inertia")) {
    link.inertia.about_com = inertia.about_com;
    link.inertia.given = inertia.given;
  }
  if (const auto drive = node.find("drive")) link.drive = read_drive(*drive);
  if (const auto spring = node.find("spring")) link.spring = read_spring(*spring);
  if (const auto springs = node.find("springs")) link.springs = read_direction_springs(*springs);
}

void read_robot_parts(const Node& node, RobotDescription& robot) {
  if (const auto gravity = node.find("gravity")) robot.gravity = gravity->numbers(3);
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
    for (int i = 0; i < springs->size(); ++i)
      robot.frame_springs.push_back(read_frame_spring((*springs)[i]));
}

RobotDescription read_robot(const Node& node) {
  if (node.is_text()) return read_robot(Node::read_file(node.folder() / node.text()));
  if (node.has("urdf")) {
    node.allow({"urdf", "elastic"});
    RobotDescription robot = read_urdf(node.folder() / node.at("urdf").text());
    if (const auto elastic = node.find("elastic")) read_overlay(*elastic, robot);
    return robot;
  }
  node.allow({"gravity", "links", "frames", "couplings", "transmissions", "constraints", "springs",
              "dynamics", "tauflex"});
  RobotDescription robot;
  const Node links = node.at("links");
  if (!links.is_list() || links.size() == 0) links.fail("expected a list of links");
  for (int i = 0; i < links.size(); ++i) robot.links.push_back(read_link(links[i]));
  read_robot_parts(node, robot);
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

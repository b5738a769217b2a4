#include "tauflex/model/link_file.hpp"

#include <fmt/format.h>

#include <map>

#include "tauflex/base/text.hpp"
#include "tauflex/model/beam_file.hpp"
#include "tauflex/model/geometry_file.hpp"

namespace tauflex {

namespace {

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
  if (const auto zero = node.find("zero"))
    joint.zero = zero->in(joint.type == JointType::revolute ? "rad" : "m").number();
  if (const auto range = node.find("range")) {
    const Vector limits = range->in(joint.type == JointType::revolute ? "rad" : "m").numbers(2);
    if (limits[0] > limits[1])
      range->fail(fmt::format("the lower end {} is above the upper end {}", limits[0], limits[1]));
    joint.lowest = limits[0];
    joint.highest = limits[1];
  }
  return joint;
}

// What turns has N m and rad, what slides N and m.
enum class Moves { turning, sliding, either };

Moves motion_of(const Joint& joint) {
  if (joint.type == JointType::revolute) return Moves::turning;
  return joint.type == JointType::prismatic ? Moves::sliding : Moves::either;
}

std::string unit_of(Moves how, const std::string& turning, const std::string& sliding) {
  if (how == Moves::either) return turning + "|" + sliding;
  return how == Moves::turning ? turning : sliding;
}

// c3, c5, ... of c3 d^3 + c5 d^5 + ...
OddPolynomial read_hardening(const Node& node) {
  const Vector c = node.numbers();
  return {c.begin(), c.end()};
}

// [[stretch, torque], ...], which takes the place of stiffness and hardening.
std::vector<SpringPoint> read_table(const Node& spring, Moves how) {
  const Node table = spring.at("table");
  for (const char* key : {"stiffness", "hardening"})
    if (spring.has(key))
      spring.at(key).fail("cannot be given together with a table, which replaces it");
  if (!table.is_list()) table.fail("expected points [stretch, torque]: [[0, 0], [0.001, 20], ...]");
  std::vector<SpringPoint> points;
  for (int i = 0; i < table.size(); ++i) {
    const Node point = table[i];
    if (!point.is_list() || point.size() != 2) point.fail("expected a point [stretch, torque]");
    points.push_back({point[0].in(unit_of(how, "rad", "m")).number(),
                      point[1].in(unit_of(how, "N m", "N")).number()});
  }
  if (const auto fault = spring_table_fault(points)) table.fail(*fault);
  return points;
}

// Stiffness or a table makes a drive elastic; without them it is rigid.
std::optional<Drive::Elasticity> read_elasticity(const Node& node, Moves how) {
  if (!node.has("stiffness") && !node.has("table")) {
    for (const char* key : {"damping", "hardening"})
      if (node.has(key))
        node.at(key).fail(
            fmt::format("{} belongs to an elastic drive; give its stiffness too", key));
    return std::nullopt;
  }
  Drive::Elasticity elastic;
  if (node.has("table")) elastic.table = read_table(node, how);
  if (const auto stiffness = node.find("stiffness"))
    elastic.stiffness = stiffness->in(unit_of(how, "N m/rad", "N/m")).positive();
  if (const auto hardening = node.find("hardening")) elastic.hardening = read_hardening(*hardening);
  if (const auto damping = node.find("damping"))
    elastic.damping = damping->in(unit_of(how, "N m s/rad", "N s/m")).not_negative();
  return elastic;
}

// A motor turns, but for that of a slide without a screw.
Drive read_drive(const Node& node, Moves joint) {
  node.allow({"rotor_inertia", "gear_ratio", "lead", "friction", "coulomb", "coulomb_speed",
              "stiffness", "damping", "hardening", "table", "limits"});
  Drive drive;
  const Moves motor = node.has("lead") ? Moves::turning : joint;
  if (const auto inertia = node.find("rotor_inertia"))
    drive.rotor_inertia = inertia->in(unit_of(motor, "kg m^2", "kg")).not_negative();
  if (const auto ratio = node.find("gear_ratio")) {
    drive.gear_ratio = ratio->number();
    if (drive.gear_ratio == 0) ratio->fail("must not be 0");
  }
  if (const auto lead = node.find("lead")) {
    drive.lead = lead->in("m").number();
    if (drive.lead == 0) lead->fail("must not be 0, it is the way per turn of the screw in m");
  }
  if (const auto friction = node.find("friction"))
    drive.friction = friction->in(unit_of(motor, "N m s/rad", "N s/m")).not_negative();
  if (const auto coulomb = node.find("coulomb")) {
    drive.coulomb = coulomb->in(unit_of(motor, "N m", "N")).not_negative();
    drive.coulomb_speed = node.at("coulomb_speed").in(unit_of(motor, "rad/s", "m/s")).positive();
  } else if (node.has("coulomb_speed")) {
    node.at("coulomb_speed").fail("belongs to coulomb friction; give coulomb too");
  }
  if (const auto limits = node.find("limits")) {
    limits->allow({"torque", "torque_rate", "speed"});
    for (const auto& [key, value, unit] :
         {std::tuple("torque", &drive.limits.torque, unit_of(motor, "N m", "N")),
          std::tuple("torque_rate", &drive.limits.torque_rate, unit_of(motor, "N m/s", "N/s")),
          std::tuple("speed", &drive.limits.speed, unit_of(motor, "rad/s", "m/s"))})
      if (const auto limit = limits->find(key)) *value = limit->in(unit).positive();
  }
  drive.elastic = read_elasticity(node, joint);
  if (drive.elastic && drive.rotor_inertia <= 0)
    node.fail("an elastic drive needs a rotor_inertia greater than 0");
  return drive;
}

Spring read_spring(const Node& node, Moves how) {
  node.allow({"stiffness", "damping", "rest", "hardening", "table"});
  Spring spring;
  if (node.has("table")) spring.table = read_table(node, how);
  if (const auto hardening = node.find("hardening")) spring.hardening = read_hardening(*hardening);
  if (const auto stiffness = node.find("stiffness"))
    spring.stiffness = stiffness->in(unit_of(how, "N m/rad", "N/m")).not_negative();
  if (const auto damping = node.find("damping"))
    spring.damping = damping->in(unit_of(how, "N m s/rad", "N s/m")).not_negative();
  if (const auto rest = node.find("rest"))
    spring.rest = rest->in(unit_of(how, "rad", "m")).number();
  return spring;
}

// {rx: {stiffness: 1e5, damping: 10}, y: ...}
DirectionSprings read_direction_springs(const Node& node) {
  node.allow({"x", "y", "z", "rx", "ry", "rz"});
  DirectionSprings springs;
  for (size_t k = 0; k < 6; ++k)
    if (const auto spring = node.find(direction_names[k])) {
      springs.free[k] = true;
      springs.spring[k] = read_spring(*spring, k < 3 ? Moves::sliding : Moves::turning);
    }
  return springs;
}

}  // namespace

LinkInertia read_inertia(const Node& node) {
  LinkInertia inertia;
  if (const auto mass = node.find("mass")) inertia.mass = mass->in("kg").not_negative();
  if (const auto com = node.find("com")) inertia.com = com->in("m").numbers(3);
  if (const auto tensor = node.find("inertia")) {
    tensor->allow({"xx", "yy", "zz", "xy", "xz", "yz"});
    const char* names[6] = {"xx", "yy", "zz", "xy", "xz", "yz"};
    const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
    for (size_t k = 0; k < 6; ++k)
      if (const auto entry = tensor->find(names[k])) {
        const double value =
            k < 3 ? entry->in("kg m^2").not_negative() : entry->in("kg m^2").number();
        inertia.about_com(rows[k], columns[k]) = inertia.about_com(columns[k], rows[k]) = value;
        inertia.given[k] = true;
      }
    // Products that are left out beside all three moments are 0.
    if (inertia.given[0] && inertia.given[1] && inertia.given[2]) inertia.given.fill(true);
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
  if (const auto drive = node.find("drive")) link.drive = read_drive(*drive, motion_of(link.joint));
  if (const auto spring = node.find("spring"))
    link.spring = read_spring(*spring, motion_of(link.joint));
  if (const auto springs = node.find("springs")) link.springs = read_direction_springs(*springs);
  if (const auto beam = node.find("beam")) link.beam = read_beam(*beam);
}

Link read_link(const Node& node) {
  node.allow({"name", "joint", "drive", "spring", "springs", "beam", "mass", "com", "inertia"});
  Link link;
  link.where = node.where() + ": " + node.path();
  link.name = node.at("name").text();
  link.joint = read_joint(node.at("joint"));
  read_link_parts(node, link);
  const bool moves =
      link.joint.type != JointType::fixed || link.springs.free != std::array<bool, 6>{};
  if (moves && !node.has("mass") && !link.beam)
    node.fail("the link moves and has no mass; give its mass, or mass: 0 if it shall have none");
  return link;
}

}  // namespace tauflex

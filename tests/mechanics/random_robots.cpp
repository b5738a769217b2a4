#include "mechanics/random_robots.hpp"

#include <string>

#include "tauflex/model/robot.hpp"

namespace tauflex {

namespace {

// The tensor of a body with principal second moments a, b, c > 0: positive definite, and the
// triangle inequality holds because the principal moments are b + c, a + c, a + b.
LinkInertia random_inertia(Random& random) {
  LinkInertia inertia;
  inertia.mass = random.uniform(0.5, 5);
  inertia.com = random.vector3(0.3);
  const double a = random.uniform(0.01, 0.1), b = random.uniform(0.01, 0.1),
               c = random.uniform(0.01, 0.1);
  const Matrix3 R = random.rotation();
  const Matrix3 I = inertia.mass * (R * Vector3(b + c, a + c, a + b).asDiagonal() * R.transpose());
  inertia.about_com = 0.5 * (I + I.transpose());
  inertia.given.fill(true);
  return inertia;
}

Drive random_drive(Random& random) {
  Drive drive;
  drive.rotor_inertia = random.uniform(1e-3, 1e-2);
  drive.gear_ratio = random.uniform(1, 20) * (random.chance(0.2) ? -1 : 1);
  drive.friction = random.uniform(0, 0.05);
  if (random.chance(0.6)) drive.elastic = {random.uniform(0.5, 5), random.uniform(0, 5)};
  return drive;
}

Coupling random_coupling(Random& random, std::vector<std::string> links, bool drives) {
  Coupling coupling;
  coupling.drives = drives;
  coupling.stiffness = random.positive_definite(static_cast<int>(links.size()), 100);
  coupling.damping = random.positive_definite(static_cast<int>(links.size()), 2);
  coupling.links = std::move(links);
  return coupling;
}

}  // namespace

namespace {

// Soft, so that forces accelerate it no more than differences by time can follow.
Beam random_beam(Random& random) {
  Beam beam;
  beam.from = random.vector3(0.2);
  beam.to = beam.from + random.direction() * 0.7;
  beam.mass_per_length = random.uniform(5, 20);
  beam.EI_y = random.uniform(0.2, 2);
  if (random.chance(0.6)) beam.EI_z = random.uniform(0.2, 2);
  if (random.chance(0.6)) {
    beam.GJ = random.uniform(0.2, 2);
    beam.twist_inertia = random.uniform(0.1, 0.5);
  }
  if (random.chance(0.6)) beam.EA = random.uniform(5, 50);
  beam.elements = 1 + random.below(2);
  beam.segments = beam.elements == 1 ? 1 + random.below(2) : 1;
  beam.second_order = random.chance(0.7);
  beam.damping_ratio = random.uniform(0, 0.1);
  beam.stiffness_damping = random.uniform(0, 0.01);
  if (random.chance(0.5)) beam.masses.push_back({0.3, 0.2});
  // of its own, so that the robots of other tests stay as they are
  Random other(static_cast<unsigned>(1e6 * beam.mass_per_length));
  if (other.chance(0.4)) {
    beam.shear_y = other.uniform(20, 100);
    if (beam.EI_z > 0) beam.shear_z = other.uniform(20, 100);
    beam.rotary_y = other.uniform(0.02, 0.1);
    if (other.chance(0.5)) beam.rotary_z = other.uniform(0.02, 0.1);
  }
  beam.chord = other.chance(0.3);
  if (other.chance(0.4)) beam.modes = other.below(beam.inner_coordinates() + 1);
  return beam;
}

// Every second link bends; what it carries moves to its far end.
void add_beams(unsigned seed, RobotDescription& robot) {
  Random random(seed + 77);
  for (size_t i = 0; i < robot.links.size(); i += 2) {
    Link& link = robot.links[i];
    link.beam = random_beam(random);
    const Vector3 beyond = link.beam->to + 0.1 * (link.beam->to - link.beam->from);
    for (Link& other : robot.links)
      if (other.joint.parent == link.name) other.joint.X_PJ.p = beyond;
    for (FrameDescription& frame : robot.frames)
      if (frame.link == link.name) frame.X_LF.p = beyond;
  }
}

}  // namespace

RobotDescription random_robot(unsigned seed, const RandomRobotOptions& options) {
  Random random(seed);
  RobotDescription robot;
  robot.gravity = random.vector3(10);
  std::vector<std::string> sprung, elastic;
  for (int i = 0; i < options.links; ++i) {
    Link link;
    link.name = "link" + std::to_string(i);
    const int parent = options.branches ? random.below(i + 1) - 1 : i - 1;
    if (parent >= 0) link.joint.parent = "link" + std::to_string(parent);
    link.joint.X_PJ = {random.rotation(), random.vector3(0.5)};
    const double kind = random.uniform(0, 1);
    link.joint.type = kind < 0.15 && options.fixed_links ? JointType::fixed
                      : kind < 0.4                       ? JointType::prismatic
                                                         : JointType::revolute;
    if (options.quaternions && i % 3 != 0) {
      constexpr JointType kinds[3] = {JointType::spherical, JointType::compound,
                                      JointType::floating};
      link.joint.type = kinds[random.below(3)];
      for (bool& free : link.joint.free) free = random.chance(0.5);
      link.joint.free[static_cast<size_t>(random.below(6))] = true;
    }
    const double length = random.uniform(0.5, 2);  // an axis need not be a unit vector
    link.joint.axis = random.direction() * length;
    link.joint.zero = random.uniform(-1, 1);
    link.inertia = random_inertia(random);
    const bool moves =
        link.joint.type == JointType::revolute || link.joint.type == JointType::prismatic;
    if (moves && options.drives && random.chance(0.7)) link.drive = random_drive(random);
    if (moves && options.springs && random.chance(0.5))
      link.spring = {random.uniform(10, 100), random.uniform(0, 2), random.uniform(-1, 1)};
    if (link.drive && link.drive->elastic) elastic.push_back(link.name);
    if (link.spring) sprung.push_back(link.name);
    robot.links.push_back(link);
  }
  if (options.couplings && sprung.size() > 1)
    robot.couplings.push_back(random_coupling(random, sprung, false));
  if (options.couplings && elastic.size() > 1)
    robot.couplings.push_back(random_coupling(random, elastic, true));
  robot.frames.push_back(
      {"tool", robot.links.back().name, {random.rotation(), random.vector3(0.4)}, ""});
  robot.frames.push_back({"bench", "world", {random.rotation(), random.vector3(1)}, ""});
  if (options.beams) add_beams(seed, robot);
  for (size_t i = robot.links.size(); i > 1; --i)
    std::swap(robot.links[i - 1],
              robot.links[static_cast<size_t>(random.below(static_cast<int>(i)))]);
  return robot;
}

Vector with_small_deflections(const RobotDescription& description, const Vector& q) {
  const Robot robot(description);
  Vector smaller = q;
  for (const Body& body : robot.tree().bodies)
    if (body.beam >= 0) smaller.segment(body.q_begin, body.v_count) *= 0.1;
  return smaller;
}

RobotDescription benchmark_chain(int joints) {
  Random random(7);
  RobotDescription robot;
  for (int i = 0; i < joints; ++i) {
    Link link;
    link.name = "link" + std::to_string(i);
    if (i > 0) link.joint.parent = "link" + std::to_string(i - 1);
    link.joint.axis = Vector3::Unit(i % 3);
    link.joint.X_PJ.p = random.vector3(0.3);
    link.inertia = random_inertia(random);
    robot.links.push_back(link);
  }
  return robot;
}

}  // namespace tauflex

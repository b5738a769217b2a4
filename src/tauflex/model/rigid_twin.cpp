#include "tauflex/model/rigid_twin.hpp"

#include <Eigen/Geometry>

namespace tauflex {

namespace {

Pose moved(const Pose& X, JointType type, const Vector3& axis, double value) {
  if (type == JointType::prismatic) return X * Pose{Matrix3::Identity(), value * axis.normalized()};
  return X * Pose{Eigen::AngleAxisd(value, axis.normalized()).toRotationMatrix(), Vector3::Zero()};
}

// More than a damper.
bool holds(const Spring& spring) {
  return spring.stiffness > 0 || !spring.hardening.empty() || !spring.table.empty();
}

// Directions that nothing but dampers resist are not stiff: they stay free.
void free_dampers(Link& link) {
  const std::array<bool, 6> free = link.springs.free;
  bool held = false;
  for (size_t k = 0; k < 6; ++k) held = held || (free[k] && holds(link.springs.spring[k]));
  if (held || free == std::array<bool, 6>{} || link.joint.type != JointType::fixed) return;
  link.joint.type = JointType::compound;
  link.joint.free = free;
  link.springs = {};
}

// A uniform rod with the point masses of a beam.
std::vector<LinkInertia> rigid_parts(const Beam& beam) {
  const double length = beam.length();
  const Vector3 x = (beam.to - beam.from) / length;
  LinkInertia rod;
  rod.mass = beam.mass_per_length * length;
  rod.com = 0.5 * (beam.from + beam.to);
  const Matrix3 axes = beam.axes();
  const double twist =
      beam.rotary_y + beam.rotary_z > 0 ? beam.rotary_y + beam.rotary_z : beam.twist_inertia;
  rod.about_com = rod.mass * length * length / 12 * (Matrix3::Identity() - x * x.transpose()) +
                  length * (axes * Vector3(twist, beam.rotary_z, beam.rotary_y).asDiagonal() *
                            axes.transpose());
  rod.given.fill(true);
  std::vector<LinkInertia> parts = {rod};
  for (const Beam::PointMass& mass : beam.masses) {
    LinkInertia point;
    point.mass = mass.mass;
    point.com = beam.from + mass.at * x;
    point.given.fill(true);
    parts.push_back(point);
  }
  return parts;
}

// Beams become rods, straight whatever q says.
RobotDescription with_rods(RobotDescription robot) {
  const std::vector<Link> links = robot.links;
  for (size_t i = 0; i < links.size(); ++i) {
    if (!links[i].beam) continue;
    robot.links[i].beam.reset();
    for (const LinkInertia& part : rigid_parts(*links[i].beam))
      robot = with_payload(std::move(robot), links[i].name, part);
  }
  return robot;
}

}  // namespace

Robot rigid_twin(const Robot& robot, const Vector& q) {
  RobotDescription twin = with_rods(robot.description());
  twin.couplings.clear();
  twin.transmissions.clear();
  for (Link& link : twin.links) {
    Joint& joint = link.joint;
    free_dampers(link);
    for (int k = 0; k < 6; ++k)
      if (link.springs.free[k])
        joint.X_PJ = moved(
            joint.X_PJ, k < 3 ? JointType::prismatic : JointType::revolute, Vector3::Unit(k % 3),
            q[robot.coordinates().find(joint_name(link) + "." + direction_names[k])]);
    link.springs = {};
    if (link.drive) {
      link.drive->elastic.reset();
    } else if (link.spring && holds(*link.spring)) {
      joint.X_PJ = moved(joint.X_PJ, joint.type, joint.axis,
                         q[robot.coordinates().find(joint_name(link))] + joint.zero);
      joint.type = JointType::fixed;
      joint.zero = 0;
      link.spring.reset();
    }
  }
  return Robot(twin);
}

}  // namespace tauflex

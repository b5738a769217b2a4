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

}  // namespace

Robot rigid_twin(const Robot& robot, const Vector& q) {
  RobotDescription twin = robot.description();
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

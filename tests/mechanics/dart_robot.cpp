#include "mechanics/dart_robot.hpp"

#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/WeldJoint.hpp>

namespace tauflex {

namespace dynamics = dart::dynamics;

struct DartRobot::Skeleton {
  dynamics::SkeletonPtr skeleton;
  std::vector<Eigen::Index> index;  // of DART, per tree velocity of tauflex
  Vector zero;                      // offsets of the joints
  Vector q, v, vdot, tau;           // in DART's order
};

namespace {

template <class JointType_>
dynamics::BodyNode* add(const dynamics::SkeletonPtr& skeleton, dynamics::BodyNode* parent,
                        const Link& link, const Vector3& axis) {
  typename JointType_::Properties joint;
  joint.mName = link.name;
  joint.mT_ParentBodyToJoint.linear() = link.joint.X_PJ.R;
  joint.mT_ParentBodyToJoint.translation() = link.joint.X_PJ.p;
  if constexpr (!std::is_same_v<JointType_, dynamics::WeldJoint>) joint.mAxis = axis;
  const dynamics::Inertia inertia(link.inertia.mass, link.inertia.com, link.inertia.about_com);
  const dynamics::BodyNode::Properties body(
      dynamics::BodyNode::AspectProperties(link.name, inertia));
  return skeleton->createJointAndBodyNodePair<JointType_>(parent, joint, body).second;
}

Vector permuted(const std::vector<Eigen::Index>& index, const Vector& x) {
  Vector y(static_cast<Eigen::Index>(index.size()));
  for (size_t k = 0; k < index.size(); ++k) y[static_cast<Eigen::Index>(k)] = x[index[k]];
  return y;
}

}  // namespace

DartRobot::DartRobot(const Robot& robot) : skeleton_(std::make_unique<Skeleton>()) {
  auto& [skeleton, index, zero, q, v, vdot, tau] = *skeleton_;
  skeleton = dynamics::Skeleton::create("robot");
  skeleton->setGravity(robot.gravity());
  for (const Link& link : robot.description().links) {
    dynamics::BodyNode* parent =
        link.joint.parent == "world" ? nullptr : skeleton->getBodyNode(link.joint.parent);
    const Vector3 axis = link.joint.axis.normalized();
    if (link.joint.type == JointType::fixed)
      add<dynamics::WeldJoint>(skeleton, parent, link, axis);
    else if (link.joint.type == JointType::revolute)
      add<dynamics::RevoluteJoint>(skeleton, parent, link, axis);
    else
      add<dynamics::PrismaticJoint>(skeleton, parent, link, axis);
  }
  q = v = vdot = tau = zero = Vector::Zero(robot.tree_nv());
  for (int k = 0; k < robot.tree_nv(); ++k) {
    const int body = robot.tree().find_link(robot.coordinates().names[static_cast<size_t>(k)]);
    index.push_back(static_cast<Eigen::Index>(
        skeleton->getJoint(robot.tree().link_names[static_cast<size_t>(body)])
            ->getIndexInSkeleton(0)));
    zero[k] = robot.tree().bodies[static_cast<size_t>(body)].zero;
  }
}

DartRobot::~DartRobot() = default;

void DartRobot::set(const Vector& q, const Vector& v, const Vector& vdot) {
  Skeleton& s = *skeleton_;
  for (size_t k = 0; k < s.index.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    s.q[s.index[k]] = q[i] + s.zero[i];
    s.v[s.index[k]] = v[i];
    s.vdot[s.index[k]] = vdot[i];
  }
  s.skeleton->setPositions(s.q);
  s.skeleton->setVelocities(s.v);
  s.skeleton->setAccelerations(s.vdot);
}

void DartRobot::set_torques(const Vector& tau) {
  Skeleton& s = *skeleton_;
  for (size_t k = 0; k < s.index.size(); ++k) s.tau[s.index[k]] = tau[static_cast<Eigen::Index>(k)];
  s.skeleton->setForces(s.tau);
}

void DartRobot::compute_inverse_dynamics() { skeleton_->skeleton->computeInverseDynamics(); }
void DartRobot::compute_mass_matrix() { skeleton_->skeleton->getMassMatrix(); }
void DartRobot::compute_forward_dynamics() { skeleton_->skeleton->computeForwardDynamics(); }

Vector DartRobot::torques() const {
  return permuted(skeleton_->index, skeleton_->skeleton->getForces());
}
Vector DartRobot::accelerations() const {
  return permuted(skeleton_->index, skeleton_->skeleton->getAccelerations());
}
Matrix DartRobot::mass_matrix() const {
  const Matrix& full = skeleton_->skeleton->getMassMatrix();
  Matrix M(full.rows(), full.cols());
  for (size_t i = 0; i < skeleton_->index.size(); ++i)
    for (size_t j = 0; j < skeleton_->index.size(); ++j)
      M(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          full(skeleton_->index[i], skeleton_->index[j]);
  return M;
}

}  // namespace tauflex

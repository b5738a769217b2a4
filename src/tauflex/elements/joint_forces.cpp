#include "tauflex/elements/joint_forces.hpp"

#include <cmath>

#include "tauflex/mechanics/spring_laws.hpp"

namespace tauflex {

JointGradient joint_gradient(const ElementFrame::Joint& joint, const FrameState& state) {
  JointGradient by = JointGradient::Zero();
  if (joint.turns) {
    by.segment<3>(3) = -joint.axis;
    by.segment<3>(9) = joint.axis;
    return by;
  }
  const Matrix3 R = joint.parent < 0 ? Matrix3::Identity() : state.R[joint.parent];
  const Vector3 from = joint.parent < 0 ? Vector3::Zero() : state.x[joint.parent];
  by.segment<3>(0) = -R * joint.axis;
  by.segment<3>(3) = joint.axis.cross(Vector3(R.transpose() * (state.x[joint.child] - from)));
  by.segment<3>(6) = R * joint.axis;
  return by;
}

double joint_travel(const ElementFrame::Joint& joint, const FrameState& state, double near) {
  const Matrix3 R = joint.parent < 0 ? Matrix3::Identity() : state.R[joint.parent];
  if (!joint.turns) {
    const Vector3 from = joint.parent < 0 ? Vector3::Zero() : state.x[joint.parent];
    return joint.axis.dot(R.transpose() * (state.x[joint.child] - from) - joint.offset);
  }
  const Matrix3 turn = R.transpose() * state.R[joint.child];
  // the skew part of exp([axis] angle), and its trace
  const Vector3 skew_part(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0),
                          turn(1, 0) - turn(0, 1));
  const double angle = std::atan2(joint.axis.dot(skew_part), turn.trace() - 1);
  return angle + 2 * M_PI * std::round((near - angle) / (2 * M_PI));
}

double joint_rate(const ElementFrame::Joint& joint, const FrameState& state) {
  const JointGradient by = joint_gradient(joint, state);
  double rate =
      by.segment<3>(6).dot(state.v[joint.child]) + by.segment<3>(9).dot(state.w[joint.child]);
  if (joint.parent >= 0)
    rate +=
        by.segment<3>(0).dot(state.v[joint.parent]) + by.segment<3>(3).dot(state.w[joint.parent]);
  return rate;
}

double joint_acceleration(const ElementFrame::Joint& joint, const FrameState& state) {
  if (joint.turns)
    return joint.axis.dot(state.alpha[joint.child]) -
           (joint.parent < 0 ? 0 : joint.axis.dot(state.alpha[joint.parent]));
  if (joint.parent < 0) return joint.axis.dot(state.a[joint.child]);
  const Matrix3& R = state.R[joint.parent];
  const Vector3 &w = state.w[joint.parent], &alpha = state.alpha[joint.parent];
  const Vector3 d = R.transpose() * (state.x[joint.child] - state.x[joint.parent]),
                rate = R.transpose() * (state.v[joint.child] - state.v[joint.parent]);
  return joint.axis.dot(R.transpose() * (state.a[joint.child] - state.a[joint.parent]) -
                        alpha.cross(d) - 2 * w.cross(rate) + w.cross(w.cross(d)));
}

void add_joint_force(const ElementFrame& frame, const ElementFrame::Joint& joint,
                     const FrameState& state, double force, VectorOut r) {
  for_each_of_joint(frame, joint, state, [&](int dof, double by) { r[dof] += by * force; });
}

void joint_resistance(const ElementFrame& frame, const FrameState& state, const Vector& travel,
                      VectorOut forces) {
  forces.setZero();
  const auto stretch = [&](int j) {
    return frame.joints[j].start + travel[j] - frame.joints[j].rest;
  };
  for (const SpringEntry& spring : frame.springs)
    forces[spring.row] += spring.stiffness * stretch(spring.column) +
                          spring.damping * joint_rate(frame.joints[spring.column], state);
  for (const HardeningEntry& spring : frame.hardening)
    forces[spring.row] += hardening_torque<double>(spring.law, stretch(spring.row));
  for (const auto& [j, drive] : frame.motors) {
    const double n = drive.gear_ratio, rate = n * joint_rate(frame.joints[j], state);
    forces[j] += n * (motor_friction<double>(drive, rate) +
                      drive.rotor_inertia * n * joint_acceleration(frame.joints[j], state));
  }
}

double joint_losses(const ElementFrame& frame, const FrameState& state) {
  double power = 0;
  for (const SpringEntry& spring : frame.springs)
    power += spring.damping * joint_rate(frame.joints[spring.row], state) *
             joint_rate(frame.joints[spring.column], state);
  for (const auto& [j, drive] : frame.motors) {
    const double rate = drive.gear_ratio * joint_rate(frame.joints[j], state);
    power += rate * motor_friction<double>(drive, rate);
  }
  return power;
}

void add_joint_forces(const ElementFrame& frame, const FrameState& state, const Vector& travel,
                      VectorOut r) {
  if (frame.springs.empty() && frame.hardening.empty() && frame.motors.empty()) return;
  Vector forces(travel.size());
  joint_resistance(frame, state, travel, forces);
  for (size_t j = 0; j < frame.joints.size(); ++j)
    if (const double force = forces[static_cast<Eigen::Index>(j)]; force != 0)
      add_joint_force(frame, frame.joints[j], state, force, r);
}

void add_joint_matrix(const ElementFrame& frame, const FrameState& state, const Vector& travel,
                      const MatrixScales& scales, std::vector<SparseLdlt::Entry>& entries) {
  const auto add = [&](int i, int j, double k) {
    for_each_of_joint(frame, frame.joints[i], state, [&](int row, double by_row) {
      for_each_of_joint(frame, frame.joints[j], state, [&](int column, double by_column) {
        if (row >= column) entries.push_back({row, column, k * by_row * by_column});
      });
    });
  };
  for (const SpringEntry& spring : frame.springs)
    add(spring.row, spring.column,
        scales.stiffness * spring.stiffness + scales.damping * spring.damping);
  for (const HardeningEntry& spring : frame.hardening) {
    const auto& joint = frame.joints[spring.row];
    const double stretch = joint.start + travel[spring.row] - joint.rest;
    add(spring.row, spring.row,
        scales.stiffness * hardening_stiffness<double>(spring.law, stretch));
  }
  for (const auto& [j, drive] : frame.motors) {
    const double n = drive.gear_ratio, rate = n * joint_rate(frame.joints[j], state);
    add(j, j,
        n * n *
            (scales.mass * drive.rotor_inertia +
             scales.damping * motor_friction_slope<double>(drive, rate)));
  }
}

}  // namespace tauflex

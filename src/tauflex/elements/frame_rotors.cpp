#include "tauflex/elements/frame_rotors.hpp"

#include "tauflex/mechanics/spring_laws.hpp"

namespace tauflex {

FrameRotors::FrameRotors(const Robot& robot, const ElementFrame& frame, const VectorRef& q)
    : frame_(frame), actuation_(robot.actuation()), train_(robot) {
  const int n = train_.size();
  gears_ = Matrix::Zero(n, n);
  for (const Gear& gear : actuation_.gears) gears_(gear.spring, gear.rotor) = gear.ratio;
  angles_ = kept_ = rates_ = accelerations_ = d_ = d_rate_ = load_ = Vector::Zero(n);
  for (int k = 0; k < n; ++k) {
    angles_[k] = q[actuation_.elastic_drive(k).rotor_q];
    for (size_t j = 0; j < frame.joints.size(); ++j)
      if (frame.joints[j].v == actuation_.elastic_drive(k).joint_v)
        joints_.push_back(static_cast<int>(j));
  }
}

void FrameRotors::set_motion(const VectorRef& rates, const VectorRef& accelerations) {
  rates_ = rates;
  accelerations_ = accelerations;
}

Vector FrameRotors::stretch_rates(const FrameState& state) const {
  Vector out = gears_ * rates_;
  for (int k = 0; k < size(); ++k) out[k] -= joint_rate(frame_.joints[joints_[k]], state);
  return out;
}

void FrameRotors::stretch(const FrameState& state, const Vector& travel) {
  d_ = gears_ * angles_;
  for (int k = 0; k < size(); ++k) d_[k] -= frame_.joints[joints_[k]].start + travel[joints_[k]];
  d_rate_ = stretch_rates(state);
}

void FrameRotors::forces(const FrameState& state, const Vector& travel, VectorOut r,
                         VectorOut at_rotors) {
  stretch(state, travel);
  load_ = train_.stiffness() * d_ + train_.damping() * d_rate_;
  for (int k = 0; k < size(); ++k) {
    load_[k] += train_.beyond(k, d_[k]);
    add_joint_force(frame_, frame_.joints[joints_[k]], state, -load_[k], r);
  }
  at_rotors = gears_.transpose() * load_;
  for (int k = 0; k < size(); ++k) {
    const DriveLayout& drive = actuation_.elastic_drive(k);
    at_rotors[k] +=
        drive.rotor_inertia * accelerations_[k] + motor_friction<double>(drive, rates_[k]);
  }
}

// Sum over springs of k_st b_s b_t^T, b: gears on rotors less the gradient of the joint.
void FrameRotors::add_matrix(const FrameState& state, const Vector& travel,
                             const MatrixScales& scales,
                             std::vector<SparseLdlt::Entry>& entries) const {
  Matrix k = scales.stiffness * train_.stiffness() + scales.damping * train_.damping();
  std::vector<std::vector<std::pair<int, double>>> by(static_cast<size_t>(size()));
  for (int s = 0; s < size(); ++s) {
    const auto& joint = frame_.joints[joints_[s]];
    const double d = gears_.row(s).dot(angles_) - joint.start - travel[joints_[s]];
    k(s, s) += scales.stiffness * train_.beyond_slope(s, d);
    for_each_of_joint(frame_, joint, state, [&](int dof, double value) {
      by[static_cast<size_t>(s)].emplace_back(dof, -value);
    });
    for (int rotor = 0; rotor < size(); ++rotor)
      if (gears_(s, rotor) != 0)
        by[static_cast<size_t>(s)].emplace_back(frame_.size + rotor, gears_(s, rotor));
  }
  for (int s = 0; s < size(); ++s)
    for (int t = 0; t < size(); ++t)
      for (const auto& [row, by_row] : by[static_cast<size_t>(s)])
        for (const auto& [column, by_column] : by[static_cast<size_t>(t)])
          if (row >= column &&
              (s == t || train_.stiffness()(s, t) != 0 || train_.damping()(s, t) != 0))
            entries.push_back({row, column, k(s, t) * by_row * by_column});
  for (int rotor = 0; rotor < size(); ++rotor) {
    const DriveLayout& drive = actuation_.elastic_drive(rotor);
    entries.push_back({frame_.size + rotor, frame_.size + rotor,
                       scales.mass * drive.rotor_inertia +
                           scales.damping * motor_friction_slope<double>(drive, rates_[rotor])});
  }
}

void FrameRotors::read(VectorOut q, VectorOut v, VectorOut vdot) const {
  for (int k = 0; k < size(); ++k) {
    const DriveLayout& drive = actuation_.elastic_drive(k);
    q[drive.rotor_q] = angles_[k];
    v[drive.rotor_v] = rates_[k];
    vdot[drive.rotor_v] = accelerations_[k];
  }
}

void FrameRotors::write_rates(const VectorRef& v, VectorOut rates) const {
  for (int k = 0; k < size(); ++k) rates[k] = v[actuation_.elastic_drive(k).rotor_v];
}

void FrameRotors::write_torques(const VectorRef& u, VectorOut torques) const {
  for (int k = 0; k < size(); ++k) torques[k] = u[actuation_.elastic[k]];
}

double FrameRotors::losses(const FrameState& state) const {
  const Vector rates = stretch_rates(state);
  double power = rates.dot(train_.damping() * rates);
  for (int k = 0; k < size(); ++k)
    power += rates_[k] * motor_friction<double>(actuation_.elastic_drive(k), rates_[k]);
  return power;
}

}  // namespace tauflex

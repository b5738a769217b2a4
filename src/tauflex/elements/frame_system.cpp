#include "tauflex/elements/frame_system.hpp"

#include <utility>

#include "tauflex/elements/beam_damping.hpp"
#include "tauflex/elements/frame_forces.hpp"
#include "tauflex/elements/joint_forces.hpp"

namespace tauflex {

FrameSystem::FrameSystem(const ElementFrame& frame, Paths paths, JointForces joint_forces,
                         std::optional<FrameRotors> rotors)
    : frame_(frame),
      paths_(std::move(paths)),
      joint_forces_(std::move(joint_forces)),
      rotors_(std::move(rotors)),
      state_(frame),
      kept_(frame) {
  const auto joints = static_cast<Eigen::Index>(frame.joints.size());
  travel_ = kept_travel_ = Vector::Zero(joints);
  joint_force_ = Vector::Zero(joints + rotor_count());
  none_ = Vector::Zero(frame.size);
  driven_.resize(frame.joints.size() + frame.outputs.size());
  values_.resize(frame.rows.size());
  output_values_.resize(frame.outputs.size());
}

void FrameSystem::keep_pose() {
  kept_.x = state_.x;
  kept_.R = state_.R;
  kept_travel_ = travel_;
  if (rotors_) rotors_->keep();
}

void FrameSystem::set_motion(const VectorRef& v, const VectorRef& a) {
  spread(frame_, v, a, state_);
  if (rotors_) rotors_->set_motion(v.tail(rotor_count()), a.tail(rotor_count()));
}

void FrameSystem::read_rotors(VectorOut q, VectorOut v, VectorOut vdot) const {
  if (rotors_) rotors_->read(q, v, vdot);
}

void FrameSystem::write_rotors(const VectorRef& robot_v, VectorOut v) const {
  if (rotors_) rotors_->write_rates(robot_v, v.tail(rotor_count()));
}

void FrameSystem::write_rotor_torques(const VectorRef& u, VectorOut forces) const {
  if (rotors_) rotors_->write_torques(u, forces.tail(rotor_count()));
}

double FrameSystem::losses() const {
  return joint_losses(frame_, state_) + damping_power(frame_, state_) +
         (rotors_ ? rotors_->losses(state_) : 0);
}

void FrameSystem::move_from_kept(const VectorRef& step) {
  for (int node = 0; node < frame_.nodes(); ++node) {
    Vector3 shift = Vector3::Zero(), turn = Vector3::Zero();
    for (int k = 0; k < 3; ++k) {
      if (frame_.dof[node][k] >= 0) shift[k] = step[frame_.dof[node][k]];
      if (frame_.dof[node][k + 3] >= 0) turn[k] = step[frame_.dof[node][k + 3]];
    }
    const double angle = turn.norm();
    state_.x[node] = kept_.x[node] + shift;
    state_.R[node] = kept_.R[node];
    if (angle > 0) state_.R[node] *= Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix();
  }
  for (size_t j = 0; j < frame_.joints.size(); ++j) {
    const auto k = static_cast<Eigen::Index>(j);
    travel_[k] = joint_travel(frame_.joints[j], state_, kept_travel_[k]);
  }
  if (rotors_) rotors_->move_from_kept(step.tail(rotor_count()));
}

void FrameSystem::forces(double t, const VectorRef& v, const VectorRef& a, VectorOut r) {
  set_motion(v, a);
  frame_forces(frame_, state_, travel_, r.head(frame_.size));
  if (rotors_) rotors_->forces(state_, travel_, r.head(frame_.size), r.tail(rotor_count()));
  if (!joint_forces_) return;
  joint_forces_(t, joint_force_);
  r.tail(rotor_count()) -= joint_force_.tail(rotor_count());
  for (size_t j = 0; j < frame_.joints.size(); ++j)
    if (const double force = joint_force_[static_cast<Eigen::Index>(j)]; force != 0)
      add_joint_force(frame_, frame_.joints[j], state_, -force, r);
}

void FrameSystem::constraints(double t, const VectorRef& v, VectorOut g, VectorOut rate,
                              VectorOut acceleration) {
  spread(frame_, v, none_, state_);
  if (paths_) paths_(t, driven_);
  if (!frame_.outputs.empty())  // joints are where they are
    for (size_t j = 0; j < frame_.joints.size(); ++j)
      driven_[j] = {travel_[static_cast<Eigen::Index>(j)], 0, 0};
  for (size_t i = 0; i < frame_.rows.size(); ++i) {
    values_[i] = row_values(frame_.rows[i], state_, driven_);
    const auto k = static_cast<Eigen::Index>(i);
    g[k] = values_[i].g;
    rate[k] = -values_[i].rate;
    acceleration[k] = -values_[i].bias;
  }
}

std::vector<int> FrameSystem::released_rows() const {
  std::vector<int> rows;
  if (frame_.outputs.empty()) return rows;
  for (size_t i = 0; i < frame_.rows.size(); ++i)
    if (frame_.rows[i].driven >= 0) rows.push_back(static_cast<int>(i));
  return rows;
}

void FrameSystem::outputs(double t, const VectorRef& v, VectorOut c, VectorOut rate,
                          VectorOut acceleration) {
  if (frame_.outputs.empty()) return;
  spread(frame_, v, none_, state_);
  paths_(t, driven_);
  for (size_t i = 0; i < frame_.outputs.size(); ++i) {
    output_values_[i] = row_values(frame_.outputs[i], state_, driven_);
    const auto k = static_cast<Eigen::Index>(i);
    c[k] = output_values_[i].g;
    rate[k] = -output_values_[i].rate;
    acceleration[k] = -output_values_[i].bias;
  }
}

void FrameSystem::output_matrix(std::vector<SparseLdlt::Entry>& entries) {
  for (size_t i = 0; i < frame_.outputs.size(); ++i)
    for_each_entry(frame_, frame_.outputs[i], output_values_[i].by, [&](int dof, double by) {
      entries.push_back({static_cast<int>(i), dof, by});
    });
}

void FrameSystem::subtract_constraint_forces(const VectorRef& lambda, VectorOut r) {
  for (size_t i = 0; i < frame_.rows.size(); ++i)
    for_each_entry(frame_, frame_.rows[i], values_[i].by, [&](int dof, double by) {
      r[dof] -= by * lambda[static_cast<Eigen::Index>(i)];
    });
}

void FrameSystem::matrix(double mass, double stiffness, double damping,
                         std::vector<SparseLdlt::Entry>& entries) {
  frame_matrix(frame_, state_, travel_, mass, stiffness, damping, entries);
  if (rotors_) rotors_->add_matrix(state_, travel_, {mass, stiffness, damping}, entries);
  const int n = size();
  for (size_t i = 0; i < frame_.rows.size(); ++i)
    for_each_entry(frame_, frame_.rows[i], values_[i].by, [&](int dof, double by) {
      entries.push_back({n + static_cast<int>(i), dof, by});
    });
}

}  // namespace tauflex

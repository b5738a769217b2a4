#include "tauflex/elements/frame_system.hpp"

#include <utility>

#include "tauflex/elements/frame_forces.hpp"

namespace tauflex {

FrameSystem::FrameSystem(const ElementFrame& frame, Paths paths, JointForces joint_forces)
    : frame_(frame),
      paths_(std::move(paths)),
      joint_forces_(std::move(joint_forces)),
      state_(frame),
      kept_(frame) {
  const auto joints = static_cast<Eigen::Index>(frame.joints.size());
  travel_ = kept_travel_ = joint_force_ = Vector::Zero(joints);
  none_ = Vector::Zero(frame.size);
  driven_.resize(frame.joints.size());
  values_.resize(frame.rows.size());
}

void FrameSystem::keep_pose() {
  kept_ = state_;
  kept_travel_ = travel_;
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
}

void FrameSystem::forces(double t, const VectorRef& v, const VectorRef& a, VectorOut r) {
  spread(frame_, v, a, state_);
  frame_forces(frame_, state_, travel_, r);
  if (!joint_forces_) return;
  joint_forces_(t, joint_force_);
  for (size_t j = 0; j < frame_.joints.size(); ++j)
    if (const double force = joint_force_[static_cast<Eigen::Index>(j)]; force != 0)
      add_joint_force(frame_, frame_.joints[j], state_, -force, r);
}

void FrameSystem::constraints(double t, const VectorRef& v, VectorOut g, VectorOut rate,
                              VectorOut acceleration) {
  spread(frame_, v, none_, state_);
  if (paths_) paths_(t, driven_);
  for (size_t i = 0; i < frame_.rows.size(); ++i) {
    values_[i] = row_values(frame_.rows[i], state_, driven_);
    const auto k = static_cast<Eigen::Index>(i);
    g[k] = values_[i].g;
    rate[k] = -values_[i].rate;
    acceleration[k] = -values_[i].bias;
  }
}

void FrameSystem::subtract_constraint_forces(const VectorRef& lambda, VectorOut r) {
  for (size_t i = 0; i < frame_.rows.size(); ++i)
    for_each_entry(frame_, frame_.rows[i], values_[i].by, [&](int dof, double by) {
      r[dof] -= by * lambda[static_cast<Eigen::Index>(i)];
    });
}

void FrameSystem::matrix(double mass, double stiffness, double damping,
                         std::vector<SparseLdlt::Entry>& entries) {
  frame_matrix(frame_, state_, mass, stiffness, damping, entries);
  const int n = frame_.size;
  for (size_t i = 0; i < frame_.rows.size(); ++i)
    for_each_entry(frame_, frame_.rows[i], values_[i].by, [&](int dof, double by) {
      entries.push_back({n + static_cast<int>(i), dof, by});
    });
}

}  // namespace tauflex

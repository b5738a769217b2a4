// Rotors of elastic drives beside a frame of elements: one unknown each, behind those of the nodes.
//   J a_m + friction(v_m) + T^T tau_s / n = u,   tau_s at the joint,   tau_s = K d + D d' +
//   beyond(d)
//                                                                            theory (M.8), (E.13)
#pragma once

#include "tauflex/elements/joint_forces.hpp"
#include "tauflex/mechanics/drive_train.hpp"

namespace tauflex {

class FrameRotors {
 public:
  // Rotors at q.
  FrameRotors(const Robot& robot, const ElementFrame& frame, const VectorRef& q);

  int size() const { return train_.size(); }
  void keep() { kept_ = angles_; }
  void move_from_kept(const VectorRef& step) { angles_ = kept_ + step; }
  void set_motion(const VectorRef& rates, const VectorRef& accelerations);

  // What springs take from joints of the frame is added to r of the frame; r of the rotors.
  void forces(const FrameState& state, const Vector& travel, VectorOut r, VectorOut at_rotors);
  void add_matrix(const FrameState& state, const Vector& travel, const MatrixScales& scales,
                  std::vector<SparseLdlt::Entry>& entries) const;

  // Rotors of the robot's coordinates.
  void read(VectorOut q, VectorOut v, VectorOut vdot) const;
  // Torques of the rotors out of those of all motors.
  void write_torques(const VectorRef& u, VectorOut torques) const;
  // Back.
  void write_rates(const VectorRef& v, VectorOut rates) const;
  // W that friction and dampers take.
  double losses(const FrameState& state) const;

 private:
  void stretch(const FrameState& state, const Vector& travel);
  Vector stretch_rates(const FrameState& state) const;

  const ElementFrame& frame_;
  const Actuation& actuation_;
  DriveTrain train_;
  // Per spring.
  std::vector<int> joints_;
  Matrix gears_;
  Vector angles_, kept_, rates_, accelerations_, d_, d_rate_, load_;
};

}  // namespace tauflex

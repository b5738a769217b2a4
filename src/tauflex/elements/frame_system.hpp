// A frame of elements as equations of motion: its joints follow paths, or motors drive them.
#pragma once

#include <functional>

#include "tauflex/elements/element_frame.hpp"
#include "tauflex/elements/frame_rows.hpp"
#include "tauflex/elements/second_order.hpp"

namespace tauflex {

class FrameSystem : public SecondOrderSystem {
 public:
  // What driven joints shall do at a time, one entry per joint of the frame.
  using Paths = std::function<void(double t, std::vector<Driven>& joints)>;
  // Forces along joints at a time, one per joint of the frame.
  using JointForces = std::function<void(double t, VectorOut forces)>;

  FrameSystem(const ElementFrame& frame, Paths paths, JointForces joint_forces);

  int size() const override { return frame_.size; }
  int rows() const override { return static_cast<int>(frame_.rows.size()); }
  void keep_pose() override;
  void move_from_kept(const VectorRef& step) override;
  void forces(double t, const VectorRef& v, const VectorRef& a, VectorOut r) override;
  void constraints(double t, const VectorRef& v, VectorOut g, VectorOut rate,
                   VectorOut acceleration) override;
  void subtract_constraint_forces(const VectorRef& lambda, VectorOut r) override;
  void matrix(double mass, double stiffness, double damping,
              std::vector<SparseLdlt::Entry>& entries) override;

  const ElementFrame& frame() const { return frame_; }
  // The pose, with v and a of the last call of forces().
  FrameState& state() { return state_; }
  // Of each joint, since the start.
  const Vector& travel() const { return travel_; }

 private:
  const ElementFrame& frame_;
  Paths paths_;
  JointForces joint_forces_;
  FrameState state_, kept_;
  Vector travel_, kept_travel_, joint_force_, none_;
  std::vector<Driven> driven_;
  std::vector<RowValues> values_;
};

}  // namespace tauflex

// A frame of elements as equations of motion: its joints or other outputs follow paths, or motors
// drive them.
#pragma once

#include <functional>
#include <optional>

#include "tauflex/elements/element_frame.hpp"
#include "tauflex/elements/frame_rotors.hpp"
#include "tauflex/elements/frame_rows.hpp"
#include "tauflex/elements/second_order.hpp"

namespace tauflex {

class FrameSystem : public SecondOrderSystem {
 public:
  // What driven joints and outputs shall do at a time: one entry per joint, then one per output.
  using Paths = std::function<void(double t, std::vector<Driven>& paths)>;
  // Forces at a time: one per joint of the frame, along it, then one per rotor.
  using JointForces = std::function<void(double t, VectorOut forces)>;

  FrameSystem(const ElementFrame& frame, Paths paths, JointForces joint_forces,
              std::optional<FrameRotors> rotors = {});

  int size() const override { return frame_.size + rotor_count(); }
  int rows() const override { return static_cast<int>(frame_.rows.size()); }
  void keep_pose() override;
  void move_from_kept(const VectorRef& step) override;
  void forces(double t, const VectorRef& v, const VectorRef& a, VectorOut r) override;
  void constraints(double t, const VectorRef& v, VectorOut g, VectorOut rate,
                   VectorOut acceleration) override;
  void subtract_constraint_forces(const VectorRef& lambda, VectorOut r) override;
  void matrix(double mass, double stiffness, double damping,
              std::vector<SparseLdlt::Entry>& entries) override;
  std::vector<int> released_rows() const override;
  void outputs(double t, const VectorRef& v, VectorOut c, VectorOut rate,
               VectorOut acceleration) override;
  void output_matrix(std::vector<SparseLdlt::Entry>& entries) override;

  const ElementFrame& frame() const { return frame_; }
  // The pose, with v and a of the last call of forces() or set_motion().
  FrameState& state() { return state_; }
  void set_motion(const VectorRef& v, const VectorRef& a);
  // Rotors of the robot's coordinates; and back, at the end of v of this system.
  void read_rotors(VectorOut q, VectorOut v, VectorOut vdot) const;
  void write_rotors(const VectorRef& robot_v, VectorOut v) const;
  // Torques of all motors: those of rotors, at the end of the forces of this system.
  void write_rotor_torques(const VectorRef& u, VectorOut forces) const;
  // W that dampers and friction take.
  double losses() const;
  // Of each joint, since the start.
  const Vector& travel() const { return travel_; }

 private:
  int rotor_count() const { return rotors_ ? rotors_->size() : 0; }

  const ElementFrame& frame_;
  Paths paths_;
  JointForces joint_forces_;
  std::optional<FrameRotors> rotors_;
  FrameState state_, kept_;
  Vector travel_, kept_travel_, joint_force_, none_;
  std::vector<Driven> driven_;
  // Of the rows, and of the outputs.
  std::vector<RowValues> values_, output_values_;
};

}  // namespace tauflex

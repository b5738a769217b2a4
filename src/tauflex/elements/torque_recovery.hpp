// Joint torques from nodal forces, link by link, in absolute coordinates: the parallel solution
// scheme [Isobe2008, eq. (1) to (9)], for chains and trees, and for loops that are cut open.
//   {tau} = [L] [T] {P}                                                              theory (E.8)
// P: forces of all links beyond, and the moments at both ends of the link itself; T: to the axes of
// each link; L: lengths, and the sum over links beyond. Where we differ from the paper: its sums
// run to the tip node, F_phi are the moments at the ends of the one element and not assembled ones,
// and the rotational entries of accelerations are slopes of the acceleration field.
#pragma once

#include "tauflex/elements/element_frame.hpp"

namespace tauflex {

// All vectors in axes of the frame.
struct RecoveryLink {
  // Parent, smaller than its own number; -1 for the world.
  int parent = -1;
  // Its joint.
  Vector3 start = Vector3::Zero();
  // To its far end.
  Vector3 span = Vector3::Zero();
  // What the nodes at both ends need for the motion of this link alone, and the sum of the moments.
  Vector3 start_force = Vector3::Zero(), end_force = Vector3::Zero(), moment = Vector3::Zero();
};

// What each joint has to carry: the force and the moment about its place, in axes of the frame.
// With `threads` of them, the same numbers for any number.
struct JointLoad {
  Vector3 force, moment;
  // The moment of `force` about the joint of the parent.
  Vector3 at_parent;
};
void recover_torques(const std::vector<RecoveryLink>& links, int threads,
                     std::vector<JointLoad>& loads);

// Nodal forces of a thin rod with a consistent mass, from the motion of its start: theory (E.3).
// `span` to its end, `point`: kg at the end; accelerations less gravity.
struct RodMotion {
  Vector3 acceleration, w, alpha;
};
void add_rod(double mass, double point, const RodMotion& motion, RecoveryLink& link);

// Torques of all joints of a frame, along their coordinates, without what springs and motors take
// there. Where loops are closed, their forces follow from the joints without a drive, which give no
// torque; where drives are more than needed, from the least sum of squares of the motors' torques.
//                                                                                    theory (E.9)
class TorqueRecovery {
 public:
  // `ratios`: per joint, that of its gear; 0 for a joint without a drive.
  TorqueRecovery(const ElementFrame& frame, std::vector<double> ratios, int threads = 1);

  // One per joint of the frame. Throws ProblemError where the forces of loops are not determined.
  void recover(const FrameState& state, const Vector& travel, VectorOut torques);
  // Of the rows that close loops, after recover(); as the multipliers of the robot.
  const Vector& loop_forces() const { return loop_forces_; }

 private:
  void masses_of_links(const FrameState& state);
  void along_joints(const FrameState& state, VectorOut torques);
  void close_loops(const FrameState& state, VectorOut torques);

  const ElementFrame& frame_;
  std::vector<double> ratios_;
  int threads_;
  // Per joint.
  std::vector<RecoveryLink> links_;
  std::vector<std::vector<int>> bodies_, beams_;
  std::vector<JointLoad> loads_;
  std::vector<int> loop_rows_;
  std::vector<int> joint_of_node_;
  Vector loop_forces_, unit_torques_;
  Matrix by_loops_;
};

}  // namespace tauflex

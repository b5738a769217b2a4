// The joints of a frame of elements: their coordinates, and forces along them.        theory (E.7)
#pragma once

#include "tauflex/elements/element_frame.hpp"
#include "tauflex/math/sparse_ldlt.hpp"

namespace tauflex {

// By displacements and turns of parent and child: the coordinate of a joint.
using JointGradient = Eigen::Matrix<double, 12, 1>;
JointGradient joint_gradient(const ElementFrame::Joint& joint, const FrameState& state);

// f(unknown, value) for every entry of the gradient.
template <class F>
void for_each_of_joint(const ElementFrame& frame, const ElementFrame::Joint& joint,
                       const FrameState& state, const F& f) {
  const JointGradient by = joint_gradient(joint, state);
  for (int k = joint.parent < 0 ? 6 : 0; k < 12; ++k)
    if (const int dof = frame.dof[k < 6 ? joint.parent : joint.child][k % 6]; dof >= 0)
      f(dof, by[k]);
}

// Coordinate of a joint since the start, of which `near` is about the value: full turns count.
double joint_travel(const ElementFrame::Joint& joint, const FrameState& state, double near);
double joint_rate(const ElementFrame::Joint& joint, const FrameState& state);
double joint_acceleration(const ElementFrame::Joint& joint, const FrameState& state);

// Along the coordinate of each joint: what springs, dampers, and the friction and inertia of motors
// without a spring take; `travel` of each joint.
void joint_resistance(const ElementFrame& frame, const FrameState& state, const Vector& travel,
                      VectorOut forces);
// W that dampers and friction dissipate.
double joint_losses(const ElementFrame& frame, const FrameState& state);

// Adds a force along a joint's coordinate to r: on the child, the opposite on the parent.
void add_joint_force(const ElementFrame& frame, const ElementFrame::Joint& joint,
                     const FrameState& state, double force, VectorOut r);
// Adds what joints take to r.
void add_joint_forces(const ElementFrame& frame, const FrameState& state, const Vector& travel,
                      VectorOut r);
// Entries of mass * M + stiffness * K + damping * C of that.
struct MatrixScales {
  double mass, stiffness, damping;
};
void add_joint_matrix(const ElementFrame& frame, const FrameState& state, const Vector& travel,
                      const MatrixScales& scales, std::vector<SparseLdlt::Entry>& entries);

}  // namespace tauflex

// Forces of a frame of elements: inertia forces, elastic forces of beams and springs, and the
// matrices of Newton's method.                                         theory (E.2) to (E.5), (E.7)
#pragma once

#include "tauflex/elements/element_frame.hpp"
#include "tauflex/math/sparse_ldlt.hpp"

namespace tauflex {

// A force in axes of the frame and a moment in axes of the node.
struct NodeForce {
  Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
};

// Inertia force of a body at its node, gravity included: m (a - g), and its moment.
NodeForce mass_force(const ElementFrame& frame, const ElementFrame::Body& body,
                     const FrameState& state);
// The same of a beam, at its two nodes.
std::array<NodeForce, 2> mass_forces(const ElementFrame& frame, const ElementFrame::Beam& beam,
                                     const FrameState& state);
// Elastic forces of a beam at its two nodes.
std::array<NodeForce, 2> elastic_forces(const ElementFrame::Beam& beam, const FrameState& state);

// J of the beam's bending and stretching.
double elastic_energy(const ElementFrame::Beam& beam, const FrameState& state);
// J of all motion.
double kinetic_energy(const ElementFrame& frame, const FrameState& state);

// r = M a + f: masses, beams, and what acts along joints; `travel` of each joint.
void frame_forces(const ElementFrame& frame, const FrameState& state, const Vector& travel,
                  VectorOut r);
// Entries of mass * M + stiffness * K + damping * C. Terms that vanish with the forces in the frame
// are left out of K: a Newton iteration corrects for them.
void frame_matrix(const ElementFrame& frame, const FrameState& state, const Vector& travel,
                  double mass, double stiffness, double damping,
                  std::vector<SparseLdlt::Entry>& entries);

}  // namespace tauflex

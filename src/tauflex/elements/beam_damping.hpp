// Damping of beams in a frame of elements: forces on the deflections of a segment, seen from its
// first node, by their rates.                                                         theory (E.12)
//   r_k = b_k . (motion of the nodes),   forces on the nodes: sum over k, l of b_k D_kl r_l
// A motion of the whole segment as a rigid body has no rates, and forces that are on its nodes are
// in equilibrium.
#pragma once

#include "tauflex/elements/element_frame.hpp"
#include "tauflex/math/sparse_ldlt.hpp"

namespace tauflex {

void add_damping_forces(const ElementFrame& frame, const FrameState& state, VectorOut r);
// Entries of scale * C, the derivative of these forces by velocities.
void add_damping_matrix(const ElementFrame& frame, const FrameState& state, double scale,
                        std::vector<SparseLdlt::Entry>& entries);
// W that they dissipate.
double damping_power(const ElementFrame& frame, const FrameState& state);

}  // namespace tauflex

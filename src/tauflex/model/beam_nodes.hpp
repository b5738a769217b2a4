// A segment of a beam with all its nodes as coordinates: points that carry its mass, stiffness,
// damping and inertia of twisting, from the shape functions of its elements.       theory (B.2)
#pragma once

#include "tauflex/model/beam_layout.hpp"

namespace tauflex {

// Segment 0, 1, ... of a beam that has been checked, with all nodes as coordinates, seen from the
// tangent at its start.
BeamLayout lay_out_nodes(const Beam& beam, int segment);

}  // namespace tauflex

// Other coordinates of a segment of a beam: constant changes of basis q = T p, so that nothing else
// learns of them. Component modes keep the motion of the end and a few shapes that are clamped at
// both ends [CraigBampton1968]; from the chord deflections are zero at both ends.    theory (B.12)
#pragma once

#include <vector>

#include "tauflex/model/beam_layout.hpp"

namespace tauflex {

// A shape that a segment can vibrate in while both its ends are clamped.
struct ComponentMode {
  double frequency;  // rad/s
  // Part of the segment's mass, or of its inertia about x, that moves with it when the segment is
  // accelerated as a whole.
  double mass_share;
};
// Of a segment whose coordinates are its nodes, by frequency.
std::vector<ComponentMode> component_modes(const BeamLayout& nodes);

// What of the inertia forces of a segment is lost at a frequency, rad/s, when only the first `kept`
// modes are: 1 where one that is left out would resonate.
double missed_inertia(const std::vector<ComponentMode>& modes, int kept, double frequency);

// Segment 0, 1, ... of a beam that has been checked, in the coordinates that it asks for.
BeamLayout lay_out_beam(const Beam& beam, int segment);

// Of a segment whose coordinates are its nodes.
BeamLayout with_component_modes(const BeamLayout& nodes, int kept);
BeamLayout seen_from_chord(const BeamLayout& layout);

}  // namespace tauflex

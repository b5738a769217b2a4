// Constraints and springs between frames, from what a person says to rows; theory (C.1).
#pragma once

#include <vector>

#include "tauflex/model/constraint.hpp"
#include "tauflex/model/coordinates.hpp"
#include "tauflex/model/frames.hpp"
#include "tauflex/model/tree.hpp"

namespace tauflex {

// Both throw InputError for unknown names and impossible numbers.
std::vector<ConstraintRow> constraint_rows(const std::vector<Constraint>& given, const Tree& tree,
                                           const Coordinates& coordinates,
                                           const std::vector<Frame>& frames);
std::vector<FrameSpringLayout> frame_spring_layouts(const std::vector<FrameSpring>& given,
                                                    const std::vector<Frame>& frames);

}  // namespace tauflex

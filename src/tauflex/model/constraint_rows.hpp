// Constraints and springs between frames, from what a person says to rows; theory (C.1).
#pragma once

#include <vector>

#include "tauflex/model/robot.hpp"

namespace tauflex {

// After the robot's frames are known. Throws InputError for unknown names and impossible numbers.
std::vector<ConstraintRow> constraint_rows(const Robot& robot);
std::vector<FrameSpringLayout> frame_spring_layouts(const Robot& robot);

}  // namespace tauflex

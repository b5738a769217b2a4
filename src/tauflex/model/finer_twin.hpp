// The same robot with beams of twice as many elements, all of whose nodes move: no component modes.
#pragma once

#include <optional>

#include "tauflex/model/robot.hpp"

namespace tauflex {

// With those rows of constraints that the robot has; none for a robot without beams.
std::optional<Robot> finer_twin(const Robot& robot);

}  // namespace tauflex

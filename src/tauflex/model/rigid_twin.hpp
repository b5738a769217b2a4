// The same robot without elasticity: drives rigid, beams straight, and joints that only a spring
// holds fixed where q has them. Couplings and transmissions, which belong to springs, are left out.
#pragma once

#include "tauflex/model/robot.hpp"

namespace tauflex {

Robot rigid_twin(const Robot& robot, const Vector& q);

}  // namespace tauflex

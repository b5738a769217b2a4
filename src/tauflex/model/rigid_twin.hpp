// The same robot with nothing that gives: rigid drives, and joints that only a spring lets move
// fixed where q has them; beams straight. Couplings and transmissions, which belong to springs, are
// left out.
#pragma once

#include "tauflex/model/robot.hpp"

namespace tauflex {

Robot rigid_twin(const Robot& robot, const Vector& q);

}  // namespace tauflex

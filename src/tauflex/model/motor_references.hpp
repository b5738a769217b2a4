// What the controllers of drives follow: where their motors are, from joints and rotors.
#pragma once

#include "tauflex/model/robot.hpp"

namespace tauflex {

// One row per drive, one column per time: at the motor, in front of its gear. They do not allocate.
void motor_positions(const Robot& robot, const MatrixRef& q, MatrixOut motors);
void motor_velocities(const Robot& robot, const MatrixRef& v, MatrixOut motors);

}  // namespace tauflex

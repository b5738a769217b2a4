#include "tauflex/model/motor_references.hpp"

namespace tauflex {

void motor_positions(const Robot& robot, const MatrixRef& q, MatrixOut motors) {
  for (Eigen::Index d = 0; const DriveLayout& drive : robot.actuation().drives)
    motors.row(d++) = (drive.rotor_q >= 0 ? 1 : drive.gear_ratio) * q.row(drive.motor_q());
}

void motor_velocities(const Robot& robot, const MatrixRef& v, MatrixOut motors) {
  for (Eigen::Index d = 0; const DriveLayout& drive : robot.actuation().drives)
    motors.row(d++) = (drive.rotor_v >= 0 ? 1 : drive.gear_ratio) * v.row(drive.row());
}

}  // namespace tauflex

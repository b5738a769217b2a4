// Columns of a table that follow from a motion: frames on request, and torques behind the gears.
#pragma once

#include <string>
#include <vector>

#include "tauflex/model/robot.hpp"

namespace tauflex {

// Positions and velocities of frames in the world, three rows for each of `wanted` ("tool",
// "elbow.velocity"), one column per time; their names, p.<frame>.x and pdot.<frame>.x, are appended
// to `columns`.
Matrix frame_rows(const Robot& robot, const std::vector<std::string>& wanted, const Matrix& q,
                  const Matrix& v, std::vector<std::string>& columns);

// What the drives give to their joints, behind gear, screw and spring, N m or N: tau.<joint>, one
// row per drive. None where no drive has a gear or a screw: a motor's torque then says enough.
Matrix joint_side_rows(const Robot& robot, const Matrix& q, const Matrix& v, const Matrix& vdot,
                       const Matrix& u, std::vector<std::string>& columns);

}  // namespace tauflex

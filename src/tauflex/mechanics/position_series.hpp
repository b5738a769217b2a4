// What quaternions add where velocities are more than rates of coordinates.
//   qdot = N(q) v       N is linear in the quaternions of q, and 1 for all other coordinates
//   dv = eta' + eta x v of a spherical joint, eta: a change of the pose in the directions of v
// Both sides of the second are one mixed derivative of the orientation.               theory (M.11)
#pragma once

#include "tauflex/model/robot.hpp"

namespace tauflex {

// Coefficient k + 1 of q, from qdot = N(q) v with coefficients up to k of q and v, one column each.
// Coordinates and velocities of the tree.
void next_position_coefficient(const Robot& robot, int k, const MatrixRef& v, MatrixOut q);

// What qdot gains when q changes by dq and v stays: dN v; 0 but for quaternions. Of the tree.
void position_rate_change(const Robot& robot, const VectorRef& dq, const VectorRef& v,
                          VectorOut out);

// eta x v of each column eta; 0 but for spherical joints. Of the tree.
void turned_steps(const Robot& robot, const MatrixRef& eta, const VectorRef& v, MatrixOut out);

}  // namespace tauflex

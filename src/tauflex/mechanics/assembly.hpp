// Putting a robot together: positions that satisfy its constraints, and which rows of them are
// independent.
#pragma once

#include <vector>

#include "tauflex/model/robot.hpp"

namespace tauflex {

// q with g(q, t) = 0 that Levenberg-Marquardt finds from `guess`; without constraints the guess.
// Throws ProblemError that names the loop that cannot close or the constraints that contradict each
// other, and by how much.
Vector assemble(const Robot& robot, double t, const Vector& guess);

// A largest set of rows of G that are independent at q and at poses near it: a planar loop closed
// in all six directions keeps three. The rank may be lower at q itself, a singular position.
std::vector<int> independent_constraint_rows(const Robot& robot, double t, const Vector& q);

// G at q, rows x tree_nv.
Matrix constraint_matrix(const Robot& robot, const Vector& q);

}  // namespace tauflex

// Methods on the derivative array F_m(t, x, x', ...) = 0, solved by Gauss-Newton with the smallest
// correction for x and as many of its derivatives as occur:                          theory (P.11)
//   Kunkel and Mehrmann [Moberg2009, eq. (38)]   F_mu = 0  and  Z1^T F(t, x, D_h x) = 0
//   decoupled                                    F_(mu+1) = 0  and  x_d' = D_h x_d
// with D_h backward differences. F_mu does not determine the accelerations of rotors, so torques
// of the first take them from differences; F_(mu+1) determines x', and those of the second come
// from the array.
#pragma once

#include "tauflex/analysis/index.hpp"
#include "tauflex/equations/inverse_dae.hpp"
#include "tauflex/problem/rest_state.hpp"
#include "tauflex/solvers/method.hpp"
#include "tauflex/solvers/steps.hpp"

namespace tauflex {

std::optional<StepFailure> solve_by_array(const InverseProblem& problem, const RestState& start,
                                          const ArrayOptions& options, const TimeGrid& grid,
                                          const Progress& progress, Solution& solution);

// The series that satisfies the array of this order and keeps these variables of x as they are: X
// gets order + 2 columns. When the kept ones are all, or the differential ones, and the order is
// the differential index at least, columns 0 and 1 are unique. False when the iteration does not
// settle.
bool complete_series(DerivativeArray& array, const ArrayScales& scales, double t, int order,
                     Matrix& X, const std::vector<int>& kept);

// The same, closed by other rows: by_x x + by_rate x' = wanted.
bool close_series(DerivativeArray& array, const ArrayScales& scales, double t, int order, Matrix& X,
                  const Matrix& by_x, const Matrix& by_rate, const Vector& wanted);

}  // namespace tauflex

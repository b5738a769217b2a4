// What occurs where in a Dae: the highest derivative of each variable in each equation, and the
// rows that only say that one variable is the rate of another.                        theory (A.4)
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tauflex/equations/dae.hpp"

namespace tauflex {

// x_variable' - x_rate = 0
struct RateRow {
  int equation, variable, rate;
};

struct Incidence {
  // Equations x variables: 1 for x', 0 for x, -1 where it does not occur.
  Eigen::MatrixXi orders;
  std::vector<RateRow> rates;

  // Nullptr when there is none.
  const RateRow* rate_of(int variable) const;
  const RateRow* rate_row(int equation) const;  // likewise
};

// From the Jacobians at a few points around x, at random so that nothing vanishes by accident.
Incidence find_incidence(Dae& dae, double t, const Vector& x);

}  // namespace tauflex

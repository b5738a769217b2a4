// Stretch of drive springs step by step, as a controller needs it: nothing is kept but the stretch,
// and no memory is taken.
//   lag z' + z = F^T load(t)                                                       theory (P.14)
// The load of a step is the polynomial of degree 5 through its series at both ends. Modes with a
// lag are integrated by Radau's method, those with a lag that is short for a step follow the load.
#pragma once

#include <utility>

#include "tauflex/mechanics/stretch_series.hpp"

namespace tauflex {

class StretchSteps {
 public:
  // Throws ProblemError for springs that are not linear and have a lag.
  StretchSteps(const DriveTrain& drives, double step, const std::string& where);

  // At rest under a load: springs.
  void rest(const VectorRef& load);
  // What of the stretch does not follow from the load after a step from a series of the load,
  // springs x 3, to the next one; nothing has moved until the step is accepted.
  const StretchState& step(const Matrix& from, const Matrix& to);
  void accept() { std::swap(state_, next_); }
  // The same of now, under a load that differs, the stretch having followed it.
  const StretchState& state_under(const VectorRef& difference);

 private:
  static constexpr int parts_ = 3, degree_ = 5;

  const DriveTrain& drives_;
  DriveModes modes_;
  double h_;
  // z at the end of a part less z = sum over stages of weights times (F^T load - z): modes x stages
  Matrix weights_;
  StretchState state_, next_, other_;
  // Coefficients over x in [0, 1]: springs x 6
  Matrix load_;
  Vector stage_, modal_;
};

}  // namespace tauflex

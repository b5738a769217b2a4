// Any F(t, x, x') = 0 from a start on, of any index, by its own Taylor series: theory (P.30).
//   the derivative array F_m = 0 gives x, x', .., x^(p) from the differential variables x_d
//   x_d(t + h) = sum_k X_k h^k, and there the array gives the rest again
// The step follows from the last two terms. A series is explicit: equations whose fast parts decay
// (stiff ones) ask for steps as short as these parts are.
#pragma once

#include <string>
#include <vector>

#include "tauflex/base/fields.hpp"
#include "tauflex/base/progress.hpp"
#include "tauflex/base/status.hpp"
#include "tauflex/equations/dae.hpp"

namespace tauflex {

struct DaeSeriesOptions {
  // Of x in a step, relative to 1 + |x|.
  double tolerance = 1e-10;
  // Terms of the series.
  int order = 8;
  long max_steps = 100000;

  std::vector<Field> fields();
  // Throws InputError naming the field, the rule and the value.
  void check() const;
};

struct DaeSolution {
  Status status = Status::solved;
  // One sentence when not solved: time and reason.
  std::string message;
  // One column per time, as far as it came.
  Vector t;
  Matrix x, xdot;
  // Of each variable: the largest difference to a second run with a hundredth of the tolerance.
  Vector error;
  int differential_index = 0;
  long steps = 0;
};

// At rising `times`, the first of which is the start. `x`: the differential variables of the start
// as they are, the others as a guess, corrected so that the equations hold. Throws ProblemError
// when there is no start near it, or when the equations determine no motion there.
DaeSolution solve_series(Dae& dae, const Vector& times, const Vector& x,
                         const DaeSeriesOptions& options = {}, const Progress& progress = {});

}  // namespace tauflex

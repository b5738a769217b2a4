// Any F(t, x, x') = 0 from a start on, of any index: theory (P.30). The derivative array F_m = 0
// gives x, x', .., x^(p) from the differential variables x_d; these go on
//   series   along their Taylor series, x_d(t + h) = sum_k X_k h^k, by steps that follow from its
//            last terms; explicit
//   bdf      by backward differences with a fixed step, x_d' = D_h x_d; for stiff equations
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tauflex/base/fields.hpp"
#include "tauflex/base/progress.hpp"
#include "tauflex/base/status.hpp"
#include "tauflex/equations/dae.hpp"

namespace tauflex {

enum class DaeMethod { series, bdf };

constexpr std::string_view name(DaeMethod method) {
  return method == DaeMethod::series ? "series" : "bdf";
}

struct DaeOptions {
  DaeMethod method = DaeMethod::series;
  // Terms of the series, 2 .. 12, or order of the differences, 1 .. 6; 0: 8 and 3.
  int order = 0;
  // Of x in a step of the series, relative to 1 + |x|.
  double tolerance = 1e-10;
  // s, of bdf; 0: a thousandth of the time
  double step = 0;
  long max_steps = 100000;

  int used_order() const { return order > 0 ? order : method == DaeMethod::series ? 8 : 3; }

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
  // Of each variable: the largest difference to a second run, with a hundredth of the tolerance or
  // half the step. The second run is the answer.
  Vector error;
  int differential_index = 0;
  long steps = 0;
};

// At rising `times`, the first of which is the start. `x`: the differential variables of the start
// as they are, the others as a guess, corrected so that the equations hold. Throws ProblemError
// when there is no start near it, or when the equations determine no motion there.
DaeSolution solve_dae(Dae& dae, const Vector& times, const Vector& x,
                      const DaeOptions& options = {}, const Progress& progress = {});

}  // namespace tauflex

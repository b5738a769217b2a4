#include "tauflex/elements/newmark_rule.hpp"

#include <fmt/format.h>

#include "tauflex/base/fields.hpp"

namespace tauflex {

double least_stable_beta(double delta) { return (delta + 0.5) * (delta + 0.5) / 4; }

void check_newmark(const char* where, double delta, double beta) {
  const double least = least_stable_beta(delta);
  if (beta < least * (1 - 1e-12))
    throw FieldError(where, "beta",
                     fmt::format("must be at least (delta + 1/2)^2 / 4 = {:.6g}, else Newmark's "
                                 "formula is unstable for long steps, got {}",
                                 least, beta));
}

}  // namespace tauflex

#include "tauflex/results/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tauflex {

namespace {

constexpr double noticeable_noise = 1e-3;  // of the largest torque

}  // namespace

double torque_noise(const VectorRef& u) {
  constexpr double binomial[7] = {1, -6, 15, -20, 15, -6, 1};
  std::vector<double> differences;
  for (Eigen::Index i = 0; i + 6 < u.size(); ++i) {
    double sum = 0;
    for (Eigen::Index j = 0; j < 7; ++j) sum += binomial[j] * u[i + j];
    differences.push_back(std::abs(sum));
  }
  if (differences.empty()) return 0;
  const auto middle = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 2);
  std::nth_element(differences.begin(), middle, differences.end());
  return *middle / std::sqrt(924.0);
}

std::vector<std::string> warnings_about(const Robot& robot, const Solution& solution) {
  std::vector<std::string> warnings;
  if (solution.start_offset > 1e-7)
    warnings.push_back(fmt::format(
        "the torques begin too late: at their start the robot should already be {:.2g} rad or m "
        "away from rest, and is not; a longer method.stable_inversion.pre lowers the tool error",
        solution.start_offset));
  for (Eigen::Index d = 0; d < solution.u.rows(); ++d) {
    const double peak = solution.u.row(d).cwiseAbs().maxCoeff();
    const double noise = torque_noise(solution.u.row(d).transpose());
    if (noise > noticeable_noise * peak)
      warnings.push_back(
          fmt::format("the torque of '{}' carries noise of {:.2g} (peak {:.4g}) from rounding at a "
                      "step of {:.3g} s; use a larger one",
                      robot.actuation().names[d], noise, peak, solution.step));
  }
  return warnings;
}

}  // namespace tauflex

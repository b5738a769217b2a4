#include "tauflex/results/warnings.hpp"

#include <fmt/format.h>

#include "tauflex/analysis/natural_modes.hpp"
#include "tauflex/mechanics/elastic_parts.hpp"
#include "tauflex/model/robot_kind.hpp"
#include "tauflex/solvers/torque_noise.hpp"

namespace tauflex {

namespace {

constexpr double noticeable_noise = 1e-3;  // of the largest torque
constexpr double no_torque = 1e-12;        // of the largest of all drives: nothing but rounding

// Newmark's method needs some steps per period of a vibration to show it.            theory (N.4)
void add_unresolved_bending(const Robot& robot, const Solution& solution,
                            std::vector<std::string>& warnings) {
  constexpr double least_steps = 4;
  if (!has_beams(robot)) return;
  const NaturalModes found = natural_modes(robot, solution.q.col(0), {}, true);
  if (found.modes.empty()) return;
  const double period = 1 / found.modes.front().frequency;
  if (period < least_steps * solution.step)
    warnings.push_back(
        fmt::format("a step of {:.3g} s is too long for the first bending mode, whose period is "
                    "{:.3g} s at the start; torques show its vibration as a slower one",
                    solution.step, period));
}

}  // namespace

std::vector<std::string> warnings_about(const Robot& robot, const Solution& solution) {
  std::vector<std::string> warnings;
  if (solution.start_offset > 1e-7)
    warnings.push_back(fmt::format(
        "the torques begin too late: at their start the robot should already be {:.2g} rad or m "
        "away from rest, and is not; a longer method.stable_inversion.pre lowers the tool error",
        solution.start_offset));
  std::optional<LargeDeflection> bent;
  for (Eigen::Index i = 0; i < solution.q.cols(); ++i)
    if (const auto found = large_deflection(robot, solution.q.col(i));
        found && (!bent || found->slope > bent->slope))
      bent = found;
  if (bent)
    warnings.push_back(fmt::format(
        "link '{}' bends by {:.2g} rad, more than the small deflections of its model; segments: {} "
        "in its beam would do",
        bent->link, bent->slope, bent->segments));
  if (solution.method.starts_with("parallel")) {  // its torques are not differences
    add_unresolved_bending(robot, solution, warnings);
    return warnings;
  }
  const double largest = solution.u.size() > 0 ? solution.u.cwiseAbs().maxCoeff() : 0;
  for (Eigen::Index d = 0; d < solution.u.rows(); ++d) {
    const double peak = solution.u.row(d).cwiseAbs().maxCoeff();
    const Vector u = solution.u.row(d).transpose();
    const double noise = torque_noise(u);
    if (peak <= no_torque * largest || noise <= noticeable_noise * peak) continue;
    const std::string size = fmt::format("{:.2g} (peak {:.4g})", noise, peak),
                      step = fmt::format("{:.3g} s", solution.step);
    warnings.push_back(
        is_rounding(u)
            ? fmt::format("the torque of '{}' carries noise of {} from rounding at a step of {}; "
                          "use a larger one",
                          robot.actuation().names[d], size, step)
            : fmt::format("the torque of '{}' is rough by {}: a step of {} is too long for it; use "
                          "a smaller one",
                          robot.actuation().names[d], size, step));
  }
  return warnings;
}

}  // namespace tauflex

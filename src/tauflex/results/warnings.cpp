#include "tauflex/results/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tauflex {

namespace {

constexpr double noticeable_noise = 1e-3;  // of the largest torque

std::vector<std::string> range_warnings(const Robot& robot, const Solution& solution) {
  std::vector<std::string> warnings;
  for (int i = 0; i < robot.tree_nq(); ++i)
    for (Eigen::Index k = 0; k < solution.t.size(); ++k) {
      if (solution.q(i, k) >= robot.lowest(i) && solution.q(i, k) <= robot.highest(i)) continue;
      warnings.push_back(fmt::format("joint '{}' leaves its range [{}, {}] at t = {:.6g} s",
                                     robot.coordinate_names()[static_cast<size_t>(i)],
                                     robot.lowest(i), robot.highest(i), solution.t[k]));
      break;
    }
  return warnings;
}

}  // namespace

namespace {

// Motor torques, their rates and motor speeds that leave their limits.
std::vector<std::string> limit_warnings(const Robot& robot, const Solution& s) {
  std::vector<std::string> warnings;
  for (size_t d = 0; d < robot.drives().size(); ++d) {
    const DriveMargins m = drive_margins(robot, s, static_cast<int>(d));
    const Drive::Limits& limits = robot.drives()[d].limits;
    const auto say = [&](const char* what, double peak, double limit, const char* unit) {
      if (peak > limit)
        warnings.push_back(
            fmt::format("the {} of '{}' reaches {:.4g} {}, above its limit of {:.4g}", what,
                        robot.drive_names()[d], peak, unit, limit));
    };
    const bool turns = robot.is_angle(robot.drives()[d].joint_q);
    say("torque", m.torque, limits.torque, turns ? "N m" : "N");
    say("torque rate", m.torque_rate, limits.torque_rate, turns ? "N m/s" : "N/s");
    say("motor speed", m.speed, limits.speed, turns ? "rad/s" : "m/s");
  }
  return warnings;
}

}  // namespace

DriveMargins drive_margins(const Robot& robot, const Solution& s, int drive) {
  const DriveLayout& layout = robot.drives()[static_cast<size_t>(drive)];
  DriveMargins m;
  for (Eigen::Index i = 0; i < s.t.size(); ++i) {
    m.torque = std::max(m.torque, std::abs(s.u(drive, i)));
    m.speed = std::max(m.speed, std::abs(layout.lever() * s.v(layout.row(), i)));
    if (i > 0)
      m.torque_rate = std::max(m.torque_rate,
                               std::abs(s.u(drive, i) - s.u(drive, i - 1)) / (s.t[i] - s.t[i - 1]));
  }
  m.worst = std::max({m.torque / layout.limits.torque, m.torque_rate / layout.limits.torque_rate,
                      m.speed / layout.limits.speed});
  return m;
}

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
  std::vector<std::string> warnings = range_warnings(robot, solution);
  for (std::string& warning : limit_warnings(robot, solution))
    warnings.push_back(std::move(warning));
  for (Eigen::Index d = 0; d < solution.u.rows(); ++d) {
    const double peak = solution.u.row(d).cwiseAbs().maxCoeff();
    const double noise = torque_noise(solution.u.row(d).transpose());
    if (noise > noticeable_noise * peak)
      warnings.push_back(
          fmt::format("the torque of '{}' carries noise of {:.2g} (peak {:.4g}) from rounding at a "
                      "step of {:.3g} s; use a larger one",
                      robot.drive_names()[static_cast<size_t>(d)], noise, peak, solution.step));
  }
  return warnings;
}

}  // namespace tauflex

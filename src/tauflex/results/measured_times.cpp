#include "tauflex/results/measured_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/base/sizes.hpp"
#include "tauflex/problem/path_pieces.hpp"

namespace tauflex {

namespace {

constexpr double least_measurements = 400;  // over the time of the task

}  // namespace

MeasuringRule measuring_rule(const InverseProblem& problem, const Robot& plant,
                             const Solution& solution, double sample) {
  const double task = problem.end() - problem.begin(), gap = task / least_measurements;
  const double span = solution.t[solution.t.size() - 1] - solution.t[0];
  const double numbers = 1 + plant.nq() + 3 * plant.nv() + plant.constraint_count();
  if (sample > 0)
    require_room(fmt::format("controller.sample: samples of {:.3g} s over {:.6g} s", sample, span),
                 span / sample, numbers);
  MeasuringRule rule{sample > 0 ? std::min(gap, sample) : gap, path_times(problem)};
  require_room(fmt::format("{}: the torques last {:.6g} s and the task {:.6g} s; measurements of "
                           "the tool every {:.3g} s",
                           solution.method, span, task, rule.longest),
               span / rule.longest + static_cast<double>(rule.path.size()), numbers);
  return rule;
}

Measurements measured_times(const Vector& t, Eigen::Index first, Eigen::Index last,
                            const MeasuringRule& rule) {
  std::vector<double> times;
  Measurements measured;
  auto of_path = std::upper_bound(rule.path.begin(), rule.path.end(), t[first]);
  const auto add_time = [&](double time, Eigen::Index column) {
    for (; of_path != rule.path.end() && *of_path < time; ++of_path) {
      // where nothing was measured since the time before it
      const double part = of_path == rule.path.begin() ? 0 : *of_path - *(of_path - 1);
      const bool is_new = *of_path - times.back() >= part * (1 - 1e-9);
      if (!is_new || time - *of_path < 1e-9 * part) continue;
      times.push_back(*of_path);
      measured.column.push_back(-1);
    }
    times.push_back(time);
    measured.column.push_back(column);
  };
  for (Eigen::Index i = first; i <= last; ++i) {
    add_time(t[i], i);
    if (i == last) break;
    const double gap = t[i + 1] - t[i];
    const double parts = std::ceil(gap / rule.longest * (1 - 1e-9));
    for (double k = 1; k < parts; ++k) add_time(t[i] + gap * k / parts, -1);
  }
  measured.t = Eigen::Map<const Vector>(times.data(), std::ssize(times));
  return measured;
}

}  // namespace tauflex

// Accuracy reached against time spent: jets, BDF of orders 1 to 6, variable step. Prints a table,
//   robot,method,setting,seconds,error
// error: largest over all times, relative to the peak torque, against jets to 1e-12 (six axes
// 1e-10). tools/plot_accuracy.py draws it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tauflex/jobs/pose.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

class Contest {
 public:
  explicit Contest(const std::string& robot, double tolerance)
      : robot_(robot),
        posed_(pose(read_job(TAUFLEX_SOURCE_DIR "/examples/" + robot + ".yaml"))),
        truth_(solve(posed_.problem, posed_.start, JetOptions{.tolerance = tolerance})) {}

  void add(const std::string& method, const std::string& setting, const Method& options) {
    Solution s = solve(posed_.problem, posed_.start, options);
    if (s.status != Status::solved) {
      fmt::print("{},{},{},,\n", robot_, method, setting);
      return;
    }
    double seconds = s.solve_seconds;
    for (int i = 0; i < 4 && seconds < 0.2; ++i)
      seconds = std::min(seconds, solve(posed_.problem, posed_.start, options).solve_seconds);
    double worst = 0;
    Instant now;
    for (int i = 0; i <= s.steps; ++i)
      if (truth_.dense->at(s.t[i], now))
        worst = std::max(worst, (s.u.col(i) - now.u).cwiseAbs().maxCoeff());
    fmt::print("{},{},{},{:.3e},{:.3e}\n", robot_, method, setting, seconds,
               worst / truth_.u.cwiseAbs().maxCoeff());
    std::fflush(stdout);
  }

 private:
  std::string robot_;
  Posed posed_;
  Solution truth_;
};

void compete(const std::string& robot, double truth, double smallest_step) {
  Contest contest(robot, truth);
  for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9})
    contest.add("jets", fmt::format("{:.0e}", tolerance),
                JetOptions{.tolerance = tolerance, .step = 1e-3});
  for (int order = 1; order <= 6; ++order)
    for (double step = 4e-3; step > 0.99 * smallest_step; step /= 2)
      contest.add(fmt::format("bdf {}", order), fmt::format("{:.4g} ms", 1e3 * step),
                  BdfOptions{.order = order, .step = step});
  for (const double tolerance : {1e-4, 1e-6, 1e-8})
    contest.add("variable_step", fmt::format("{:.0e}", tolerance),
                VariableStepOptions{.tolerance = tolerance, .step = 1e-3});
}

}  // namespace
}  // namespace tauflex

int main() {
  fmt::print("robot,method,setting,seconds,error\n");
  tauflex::compete("e1_complete", 1e-12, 0.125e-3);
  tauflex::compete("e12", 1e-12, 0.125e-3);
  tauflex::compete("six_axis_elastic", 1e-10, 0.5e-3);
}

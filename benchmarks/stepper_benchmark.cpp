// How long a controller waits for its torques: each call of a Stepper timed alone, median, 99.99 %
// and the longest; with a preview for robots that are not minimum phase.
//   stepper_benchmark [steps]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "example_jobs.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/results/stepper.hpp"

using namespace tauflex;

namespace {

// Of all calls, again and again from rest, so that most steps are in motion. False: a step failed.
bool time_steps(const char* example, const StepperOptions& options, int steps) {
  Stepper stepper(example_job(example), options);
  std::vector<double> us(static_cast<size_t>(steps));
  const auto& problem = stepper.problem();
  const int motion = static_cast<int>((problem.end() - problem.begin()) / options.step);
  for (int i = 0; i < steps; ++i) {
    if (i % motion == 0) stepper.reset();
    const auto begin = std::chrono::steady_clock::now();
    if (stepper.step_along_path() != StepperStatus::ok)
      return fmt::print(stderr, "{}: {}\n", example, stepper.message()), false;
    us[static_cast<size_t>(i)] =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  }
  std::sort(us.begin(), us.end());
  const auto at = [&](double share) { return us[static_cast<size_t>(share * (steps - 1))]; };
  fmt::print("{},{},{:g},{},{:.2f},{:.2f},{:.2f}\n", example, problem.robot().nv(),
             stepper.preview(), steps, at(0.5), at(0.9999), us.back());
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  const int steps =
      count > 1 ? static_cast<int>(parse_number(arguments[1]).value_or(0)) : 1'000'000;
  if (steps < 1) return fmt::print(stderr, "usage: stepper_benchmark [steps]\n"), 2;
  fmt::print("robot,velocities,preview_s,steps,median_us,p9999_us,longest_us\n");
  bool done = true;
  for (const char* example : {"e12", "polishing", "six_axis_elastic"})
    done = done && time_steps(example, {}, steps);
  // a window costs some hundred times as much
  for (const char* example : {"e12_nonminimum", "whip", "tsujita"})
    done = done && time_steps(example, {.preview = preview_needed(example_job(example))},
                              std::max(1, steps / 100));
  return done ? 0 : 5;
}

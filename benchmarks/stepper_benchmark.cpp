// How long a controller waits for its torques: each call of a Stepper timed alone, median, 99.99 %
// and the longest.    stepper_benchmark [steps]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "example_jobs.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/results/stepper.hpp"

using namespace tauflex;

int main(int count, char** arguments) {
  const int steps =
      count > 1 ? static_cast<int>(parse_number(arguments[1]).value_or(0)) : 1'000'000;
  if (steps < 1) return fmt::print(stderr, "usage: stepper_benchmark [steps]\n"), 2;
  fmt::print("robot,velocities,steps,median_us,p9999_us,longest_us\n");
  for (const char* example : {"e12", "polishing", "six_axis_elastic"}) {
    Stepper stepper(example_job(example));
    std::vector<double> us(static_cast<size_t>(steps));
    // again and again from rest, so that most steps are in motion
    const int motion = static_cast<int>(stepper.problem().path().duration() / 1e-3);
    for (int i = 0; i < steps; ++i) {
      if (i % motion == 0) stepper.reset();
      const auto begin = std::chrono::steady_clock::now();
      if (stepper.step_along_path() != StepperStatus::ok)
        return fmt::print(stderr, "{}: {}\n", example, stepper.message()), 5;
      us[static_cast<size_t>(i)] =
          std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
              .count();
    }
    std::sort(us.begin(), us.end());
    const auto at = [&](double share) { return us[static_cast<size_t>(share * (steps - 1))]; };
    fmt::print("{},{},{},{:.2f},{:.2f},{:.2f}\n", example, stepper.problem().robot().nv(), steps,
               at(0.5), at(0.9999), us.back());
  }
}

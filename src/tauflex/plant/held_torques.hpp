// Torques for a controller that changes them only at its samples t_k, T apart: constant in between,
// or straight. Which values it should take:                                           theory (H.1)
//   start   u(t_k), what a table read at the samples gives
//   middle  u(t_k + T/2)
//   mean    closest to u in the mean square: with a constant torque the mean over the sample
//   best    least error of the outputs, at the samples and halfway, of the robot linearised along
//           its motion: a finite-horizon linear-quadratic problem, cost linear in the samples
#pragma once

#include <string_view>
#include <vector>

#include "tauflex/plant/torque_signal.hpp"
#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/solution.hpp"

namespace tauflex {

enum class HeldValue { start, middle, mean, best };

constexpr std::string_view name(HeldValue value) {
  switch (value) {
    case HeldValue::start:
      return "start";
    case HeldValue::middle:
      return "middle";
    case HeldValue::mean:
      return "mean";
    case HeldValue::best:
      return "best";
  }
  return "start";
}

struct Field;

struct SamplingOptions {
  double sample = 1e-3;    // s
  Hold hold = Hold::held;  // or linear
  HeldValue torques = HeldValue::start;

  std::vector<Field> fields();
  // Throws InputError naming the field, the rule and the value.
  void check() const;
};

// The fields of these, wherever they stand: keys of `controller` in a job file.
std::vector<Field> sampling_fields(double& sample, Hold& hold, HeldValue& torques);

// One column per sample, from the first time of the solution to its last one or just behind.
struct HeldTorques {
  Vector t;
  Matrix u;
};
HeldTorques held_torques(const InverseProblem& problem, const Solution& solution,
                         const SamplingOptions& options);

}  // namespace tauflex

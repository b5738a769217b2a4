// Methods side by side on one job, as in the tables of [Moberg2009, section 7]: one row per method,
// with its errors and its cost, or the reason why it failed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauflex/results/run.hpp"

namespace tauflex {

struct ComparisonOptions {
  int order = 3;
  // s; none: 1 ms, or a fiftieth of the path where that is less
  std::optional<double> step = {};
  // Of the variable-step method.
  double tolerance = 1e-8;
  // A second time with the dynamics linearised at the start.
  bool linearised = true;

  std::vector<Field> fields();
  // Throws InputError naming the field, the rule and the value.
  void check() const;
};

struct ComparedMethod {
  // "I3", "DD (44)", "KM"
  std::string method;
  // "nonlinear", "linearised"
  std::string dynamics;
  Status status = Status::solved;
  std::string message = {};  // why not
  // 0: variable, or none
  int order = 0;
  double step = 0;  // s
  double seconds = 0;
  // Largest |u - u_ref| over the largest |u_ref|
  std::optional<double> torque_error = {};
  // Of the forward simulation.
  std::optional<double> tool_error_m = {}, orientation_error_rad = {};
  long newton_iterations = 0;
  // of Newton's matrix; 0: none
  double condition_unscaled = 0, condition = 0;
};

// Torque errors are against the exact solution where there is one, else the method of jets to
// 1e-11, else the decoupled method of order 5 at half the step, else bdf of order 4; from a tenth
// of the path on: before, every difference formula meets the corner with which the path starts.
std::vector<ComparedMethod> compare(const Job& job, const ComparisonOptions& options = {},
                                    const StageProgress& progress = {});

}  // namespace tauflex

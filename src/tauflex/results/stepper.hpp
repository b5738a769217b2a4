// Torques one sample after the other, for a controller that runs: each step is told where the
// outputs shall be at its end, and tells what the motors get. Backward differentiation, block by
// block; it knows the past only, so a robot that is not minimum phase is refused, as its torques
// begin before its path. Steps do not allocate.                                       theory (P.2)
#pragma once

#include <array>
#include <memory>
#include <string>

#include "tauflex/jobs/pose.hpp"

namespace tauflex {

struct StepperOptions {
  // s, from one call to the next
  double step = 1e-3;
  // Of the difference formula.
  int order = 4;

  std::vector<Field> fields();
  // Throws InputError naming the field, the rule and the value.
  void check() const;
};

enum class StepperStatus {
  ok,
  // A value that was given is not a finite number; nothing has moved.
  not_a_number,
  // Newton failed: the outputs ask for what the robot cannot reach, or jump. Nothing has moved, and
  // the next call may ask for something else at the same time.
  not_converged,
};

class Stepper {
 public:
  // The robot, the outputs and the start of a job; its method is not used. Throws InputError, and
  // ProblemError where steps from the past cannot answer.
  explicit Stepper(const Job& job, const StepperOptions& options = {});
  ~Stepper();
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  // At rest at the start again.
  void reset();

  // From time() to time() + step. `y`: where the outputs of the task shall be then, in their order.
  StepperStatus step(const VectorRef& y);
  // The same along the path of the job.
  StepperStatus step_along_path();

  // s
  double time() const;
  // The robot at time(); before the first step at rest at the start.
  const Instant& now() const { return now_; }
  // What went wrong in the last step, in a sentence; empty: nothing.
  const char* message() const { return message_.data(); }

  const InverseProblem& problem() const { return posed_.problem; }
  const StepperOptions& options() const { return options_; }

 private:
  double next_time() const;
  StepperStatus take(const VectorRef& y);

  Posed posed_;
  StepperOptions options_;
  std::unique_ptr<class BlockwiseSteps> steps_;
  Instant now_, next_;
  Vector y_;
  // Outputs of the task; the problem may have joints that are held behind them.
  Eigen::Index given_ = 0;
  int count_ = 0;
  long iterations_ = 0;
  std::array<char, 256> message_ = {};
};

}  // namespace tauflex

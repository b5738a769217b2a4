// Torques one sample after the other, for a controller that runs: each step is told where the
// outputs shall be at its end, and tells what the motors get. Backward differentiation, block by
// block, from the past only.                                                           theory (P.2)
// The torques of a robot that is not minimum phase begin before its path: its steps are told where
// the outputs shall be some time later, the preview.                                  theory (P.18)
// Steps do not allocate.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "tauflex/jobs/pose.hpp"

namespace tauflex {

struct StepperOptions {
  // s, from one call to the next
  double step = 1e-3;
  // Of the difference formula; not used with a preview.
  int order = 4;
  // s, rounded to steps: how long before its time a path value is told; 0: at its time.
  double preview = 0;

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
  // ProblemError where steps from the past cannot answer, with the preview that would do.
  explicit Stepper(const Job& job, const StepperOptions& options = {});
  ~Stepper();
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  // At rest at the start again, before the path by the preview.
  void reset();

  // From time() to time() + step. `y`: where the outputs of the task shall be then, in their order;
  // with a preview: that much later.
  StepperStatus step(const VectorRef& y);
  // The same along the path of the job.
  StepperStatus step_along_path();

  // s
  double time() const;
  // The robot at time(); before the first step at rest at the start.
  const Instant& now() const { return now_; }
  // What went wrong in the last step, in a sentence; empty: nothing.
  const char* message() const { return message_.data(); }

  // s, in whole steps
  double preview() const { return ahead_ * options_.step; }
  // N m or N, of each drive: the error of now().u because the path beyond the preview is not known,
  // as long as that excites the robot no more than the path of the job, or the one so far; 0
  // without preview. Takes as long as some more torques.
  void preview_error(VectorOut u);

  const InverseProblem& problem() const { return posed_.problem; }
  const StepperOptions& options() const { return options_; }

 private:
  void prepare_preview();
  double next_time() const;
  StepperStatus take(const VectorRef& y, bool is_given);

  Posed posed_;
  StepperOptions options_;
  // One of them.
  std::unique_ptr<class BlockwiseSteps> steps_;
  std::unique_ptr<class PreviewSteps> preview_steps_;
  std::shared_ptr<class PreviewedPath> path_;
  Instant now_, next_;
  Vector y_;
  // Outputs of the task; the problem may have joints that are held behind them.
  Eigen::Index given_ = 0;
  int ahead_ = 0;
  int count_ = 0;
  std::array<char, 256> message_ = {};
};

// s: how long ahead the path of a job has to be known, so that what is not known beyond costs about
// `share` of what it would without any preview; 0 where steps from the past answer. Throws
// InputError, and ProblemError where no preview helps.
double preview_needed(const Job& job, double share = 1e-6);

}  // namespace tauflex

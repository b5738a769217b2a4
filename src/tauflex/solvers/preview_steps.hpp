// Torques one sample after the other for a robot that is not minimum phase, whose path is known for
// some time ahead: the window of preview_window.hpp, then torques by series.          theory (P.18)
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "tauflex/analysis/diagnosis.hpp"
#include "tauflex/problem/dense_solution.hpp"
#include "tauflex/solvers/bounded_horizon.hpp"
#include "tauflex/solvers/preview_window.hpp"
#include "tauflex/solvers/steps.hpp"

namespace tauflex {

// The growing internal motions along the path, at rest; rate 0: none needs a preview.
struct PreviewNeed {
  // 1/s: of the slowest internal motion that has to begin before the path; and the limit below
  // which motions count as stable.
  double rate = 0, slow = 0;
  // s, until the error made at the end of a window has faded to this share
  double for_share(double share) const;
};
PreviewNeed preview_need(const InverseProblem& problem, const RestState& start,
                         const std::vector<QuasiStaticPoint>& points);

class PreviewSteps {
 public:
  // `problem`: begins as long before its path as it looks ahead, at rest. Throws ProblemError where
  // there is no bounded motion, or jets do not apply.
  PreviewSteps(const InverseProblem& problem, const RestState& start, const PreviewNeed& need,
               double step, int ahead);
  ~PreviewSteps();

  // Goes along the path of the task once, to see by how much the ends of windows are wrong on it;
  // `advance` makes the next sample of it known. Then as after reset(), unless a step failed.
  std::optional<StepFailure> rehearse(const std::function<void()>& advance);
  // At rest at the beginning.
  void reset();
  // Step i, to t. After a failure everything is as it was before.
  std::optional<StepFailure> step(int i, double t, Instant& now, long& iterations);

  // N m or N, of each drive: what the torques of the last step miss because nobody knows the path
  // beyond the window, as long as it excites what grows no more than the path of the task does, or
  // than the path that was followed so far did.
  void error(VectorOut u);

 private:
  class Stepper;
  std::unique_ptr<Stepper> stepper_;
};

}  // namespace tauflex

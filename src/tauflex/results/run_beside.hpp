// Work on a thread of its own, beside the proof: what the motion does after the path, what rigid
// torques would do, what a finer mesh would say. Results are the same as one after the other, which
// is how simulations of long motions run: side by side they would need the memory of all of them.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <optional>

#include "tauflex/base/progress.hpp"
#include "tauflex/results/rigid_answer.hpp"

namespace tauflex {

template <class Result>
class WorkBeside {
 public:
  // Deferred: finish() does it.
  explicit WorkBeside(std::function<Result(const Progress&)> work,
                      std::launch when = std::launch::async) {
    result_ = std::async(when, [this, work = std::move(work)] {
      return work([this](double done) {
        done_ = done;
        if (asked_ && !asked_(done)) stop();
        return !stopped_;
      });
    });
  }
  ~WorkBeside() { stopped_ = true; }
  WorkBeside(const WorkBeside&) = delete;
  WorkBeside& operator=(const WorkBeside&) = delete;

  void stop() { stopped_ = true; }
  // Waits for it.
  Result finish(const Progress& progress) {
    if (result_.wait_for(std::chrono::seconds(0)) == std::future_status::deferred) {
      asked_ = progress;
      return result_.get();
    }
    while (result_.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready)
      if (progress && !progress(done_)) stop();
    return result_.get();
  }

 private:
  std::atomic<bool> stopped_ = false;
  std::atomic<double> done_ = 0;
  // By deferred work, whether to go on.
  Progress asked_;
  std::future<Result> result_;
};

// A simulation, stopped where the proof shows that an open-loop run proves nothing. `Answer` begins
// with a sentence, why there is none.
template <class Answer>
class RunBeside {
 public:
  // Not wanted: there is no answer. `samples`: of the motion that is simulated.
  RunBeside(bool wanted, Eigen::Index samples,
            std::function<std::optional<Answer>(const Progress&)> work) {
    constexpr Eigen::Index many = 100'000;
    if (wanted)
      work_.emplace(std::move(work), samples > many ? std::launch::deferred : std::launch::async);
  }

  // Waits for it, unless the proof shows that it would prove nothing.
  std::optional<Answer> finish(const Verification& proof, const Progress& progress) {
    if (!work_) return std::nullopt;
    const bool meaningless = proof.mode == VerificationMode::segments;
    if (meaningless || proof.status == Status::interrupted) work_->stop();
    std::optional<Answer> answer = work_->finish(progress);
    if (answer && meaningless) answer = Answer{open_loop_is_meaningless(proof), {}};
    return answer;
  }

 private:
  std::optional<WorkBeside<std::optional<Answer>>> work_;
};

}  // namespace tauflex

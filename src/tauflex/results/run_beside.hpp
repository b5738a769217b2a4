// A simulation on a thread of its own, beside the proof: what rigid torques would do, what a finer
// mesh would say. It is stopped where the proof shows that an open loop means nothing.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <optional>

#include "tauflex/base/progress.hpp"
#include "tauflex/results/rigid_answer.hpp"

namespace tauflex {

// `Answer` begins with a sentence, why there is none.
template <class Answer>
class RunBeside {
 public:
  // Not wanted: there is no answer.
  RunBeside(bool wanted, std::function<std::optional<Answer>(const Progress&)> work) {
    if (!wanted) return;
    answer_ = std::async(std::launch::async, [this, work = std::move(work)] {
      return work([this](double done) {
        done_ = done;
        return !stopped_;
      });
    });
  }
  ~RunBeside() { stopped_ = true; }
  RunBeside(const RunBeside&) = delete;
  RunBeside& operator=(const RunBeside&) = delete;

  // Waits for it, unless the proof says that it is for nothing.
  std::optional<Answer> finish(const Verification& proof, const Progress& progress) {
    if (!answer_.valid()) return std::nullopt;
    const bool meaningless = proof.mode == VerificationMode::segments;
    stopped_ = meaningless || proof.status == Status::interrupted;
    while (answer_.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready)
      if (progress && !progress(done_)) stopped_ = true;
    std::optional<Answer> answer = answer_.get();
    if (answer && meaningless) answer = Answer{open_loop_is_meaningless(proof), {}};
    return answer;
  }

 private:
  std::atomic<bool> stopped_ = false;
  std::atomic<double> done_ = 0;
  std::future<std::optional<Answer>> answer_;
};

}  // namespace tauflex

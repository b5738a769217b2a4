// Law: threads that share a problem or an answer get what one thread alone gets. `--preset tsan`
// runs these under the thread sanitizer.
#include <gtest/gtest.h>

#include <thread>

#include "example_jobs.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

TEST(Threads, several_solve_one_problem) {
  const Posed e12 = pose(example_job("e12_bdf"));
  const Solution alone = solve(e12.problem, e12.start, JetOptions{});
  std::vector<Solution> together(2);
  std::vector<std::thread> threads;
  for (Solution& s : together)
    threads.emplace_back([&] { s = solve(e12.problem, e12.start, JetOptions{}); });
  for (std::thread& thread : threads) thread.join();
  for (const Solution& s : together)
    EXPECT_EQ(s.u, alone.u);  // the same bits: nothing is shared that changes
}

TEST(Threads, several_read_one_answer) {
  const Posed e12 = pose(example_job("e12_bdf"));
  const Solution s = solve(e12.problem, e12.start, JetOptions{});
  const auto read = [&](int first, std::vector<Vector>& torques) {
    Instant now;
    for (int k = first; k < first + 40; ++k) {
      EXPECT_TRUE(s.dense->at(1e-3 * k, now));
      torques.push_back(now.u);
    }
  };
  std::vector<Vector> early, late, early_alone, late_alone;
  read(20, early_alone);
  read(200, late_alone);
  std::thread first([&] { read(20, early); }), second([&] { read(200, late); });
  first.join();
  second.join();
  // Newton starts from the last time read: last digits differ, by 1e-10 of 136 kN m.
  for (int k = 0; k < 40; ++k) {
    EXPECT_LT((early[k] - early_alone[k]).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_LT((late[k] - late_alone[k]).cwiseAbs().maxCoeff(), 1e-5);
  }
}

// Stable inversion evaluates its steps on all cores; a fast path makes Newton reject steps.
TEST(Threads, of_stable_inversion_do_not_change_a_bit) {
  for (const char* duration : {"task.path.duration=1", "task.path.duration=0.6"}) {
    const Posed whip = pose(example_job("whip", {duration}));
    const Solution first = solve(whip.problem, whip.start, StableInversionOptions{});
    for (int again = 0; again < 3; ++again) {
      const Solution s = solve(whip.problem, whip.start, StableInversionOptions{});
      EXPECT_EQ(s.status, first.status);
      EXPECT_EQ(s.message, first.message);
      EXPECT_EQ(s.newton_iterations, first.newton_iterations);
      EXPECT_EQ(s.u, first.u);
    }
  }
}

}  // namespace
}  // namespace tauflex

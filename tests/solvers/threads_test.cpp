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
  EXPECT_EQ(early, early_alone);
  EXPECT_EQ(late, late_alone);
}

// Whoever reads an answer beside others reads it in another order every time: every read begins
// from what the answer knows, not from what was read last.
TEST(Threads, an_answer_does_not_depend_on_what_was_read_before) {
  const auto expect_the_same_bits = [](const std::string& name, const Job& job,
                                       const Method& method) {
    const Posed posed = pose(job);
    const Solution s = solve(posed.problem, posed.start, method);
    ASSERT_EQ(s.status, Status::solved) << name << ": " << s.message;
    constexpr int count = 97;
    std::vector<Instant> forwards(count);
    const auto time = [&](int k) {
      return s.t[0] + (s.t[s.t.size() - 1] - s.t[0]) * k / (count - 1);
    };
    for (int k = 0; k < count; ++k) ASSERT_TRUE(s.dense->at(time(k), forwards[k])) << name;
    Instant again;
    for (int i = 0; i < count; ++i) {
      const int k = 41 * i % count;  // here and there
      ASSERT_TRUE(s.dense->at(time(k), again)) << name;
      EXPECT_EQ(again.q, forwards[k].q) << name << " " << k;
      EXPECT_EQ(again.v, forwards[k].v) << name << " " << k;
      EXPECT_EQ(again.vdot, forwards[k].vdot) << name << " " << k;
      EXPECT_EQ(again.lambda, forwards[k].lambda) << name << " " << k;
      EXPECT_EQ(again.u, forwards[k].u) << name << " " << k;
    }
  };
  const auto case_job = [](const char* name) {
    return read_job(std::string(TAUFLEX_SOURCE_DIR "/tests/cases/") + name + ".yaml");
  };
  for (const char* example : {"e12_bdf", "four_bar", "six_axis_elastic", "wrist_coupling"})
    expect_the_same_bits(example, example_job(example), JetOptions{});
  for (const char* name : {"stiff_rocker", "hardening_at_a_corner", "spinning_rod"})
    expect_the_same_bits(name, case_job(name), JetOptions{});
  for (const char* example : {"e12_nonminimum", "whip"})
    expect_the_same_bits(example, example_job(example), StableInversionOptions{});
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

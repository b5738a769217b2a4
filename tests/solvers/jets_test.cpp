// The method of jets: reference torques at all times, order, no rounding floor, its own estimate of
// the error, and the robots it is for.
#include "tauflex/solvers/jets.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "example_jobs.hpp"
#include "solvers/e12_reference.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/results/verification.hpp"
#include "tauflex/solvers/collocation.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

Solution by_jets(const Posed& posed, double tolerance = 1e-9, double step = 1e-3) {
  const Solution s =
      solve(posed.problem, posed.start, JetOptions{.tolerance = tolerance, .step = step});
  EXPECT_EQ(s.status, Status::solved) << s.message;
  return s;
}

TEST(Radau, integrates_polynomials) {
  for (const int stages : {2, 3, 5}) {
    const Collocation method = radau(stages);
    EXPECT_EQ(method.c[stages - 1], 1);
    for (int k = 0; k < 2 * stages - 1; ++k) {  // the last row has the order of the method
      double integral = 0;
      for (int j = 0; j < stages; ++j)
        integral += method.A(stages - 1, j) * std::pow(method.c[j], k);
      EXPECT_NEAR(integral, 1.0 / (k + 1), 1e-14) << stages << " " << k;
    }
  }
}

TEST(Jets, e12_at_all_times) {
  const Posed e12 = pose(example_job("e12_bdf"));
  const Solution s = by_jets(e12);
  const double worst = distance_from_e12_reference(s.u, s.step);
  EXPECT_LT(worst, 1e-3);  // N m of 136 kN m; 5e-4 is what the reference is good to
  EXPECT_LT(s.max_constraint_residual, 1e-14);
}

TEST(Jets, order_nine) {
  const Posed e1 = pose(example_job("e1_complete"));
  JetMotion motion(e1.problem, e1.start);
  Instant now;
  long iterations = 0;
  const auto torques = [&](int steps) {
    EXPECT_TRUE(integrate(motion, steps, iterations));
    Vector u(9);
    for (int k = 0; k <= 8; ++k) {
      EXPECT_TRUE(motion.at(e1.problem.end() * k / 8, now));
      u[k] = now.u[0];
    }
    return u;
  };
  const Vector truth = torques(128);
  const double coarse = (torques(8) - truth).cwiseAbs().maxCoeff(),
               fine = (torques(16) - truth).cwiseAbs().maxCoeff();
  EXPECT_NEAR(std::log2(coarse / fine), 9, 1);
}

TEST(Jets, no_rounding_floor_however_small_the_step) {
  const Posed e12 = pose(example_job("e12_bdf"));
  const Solution coarse = by_jets(e12, 1e-9, 2e-3), fine = by_jets(e12, 1e-9, 1e-5);
  double worst = 0;
  for (int i = 0; i <= coarse.steps; ++i)
    worst = std::max(worst, (coarse.u.col(i) - fine.u.col(200 * i)).cwiseAbs().maxCoeff());
  EXPECT_LT(worst, 1e-5);  // N m of 136 kN m
}

// The answer between the samples of a table, and the table for any rate, are the method's own.
TEST(Jets, dense_output) {
  const Posed e12 = pose(example_job("e12_bdf"));
  const Solution coarse = by_jets(e12, 1e-8, 1e-2), fine = by_jets(e12, 1e-10, 1e-3);
  ASSERT_TRUE(coarse.dense);
  Instant now;
  for (int i = 0; i <= fine.steps; ++i) {
    ASSERT_TRUE(coarse.dense->at(fine.t[i], now));
    EXPECT_LT((now.u - fine.u.col(i)).cwiseAbs().maxCoeff(), 1e-7 * 136205) << fine.t[i];
    EXPECT_LT((now.q - fine.q.col(i)).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LT((now.v - fine.v.col(i)).cwiseAbs().maxCoeff(), 1e-6);
  }
  for (Eigen::Index i = 0; i < coarse.t.size(); ++i) {  // rates belong to positions
    if (coarse.t[i] < 1e-4 || coarse.t[i] > e12.problem.end() - 1e-4) continue;
    Instant before, after;
    ASSERT_TRUE(coarse.dense->at(coarse.t[i] - 1e-5, before));
    ASSERT_TRUE(coarse.dense->at(coarse.t[i] + 1e-5, after));
    ASSERT_TRUE(coarse.dense->at(coarse.t[i], now));
    EXPECT_LT(((after.q - before.q) / 2e-5 - now.v).cwiseAbs().maxCoeff(), 1e-4);
    EXPECT_LT(((after.v - before.v) / 2e-5 - now.vdot).cwiseAbs().maxCoeff(), 1e-1);
  }
}

TEST(Jets, e12_and_e1_return_the_path) {
  for (const char* name : {"e12_bdf", "e1_complete", "e1_simplified"}) {
    const Job job = example_job(name);
    const Posed posed = pose(job);
    const Solution s = by_jets(posed, 1e-8);
    VerificationOptions options = job.verification;
    options.torque = Hold::exact;
    EXPECT_LT(*verify(posed.plant, posed.problem, s, options).max_tool_error_m, 1e-8) << name;
    options.torque = Hold::smooth;  // from the table of 1 ms
    EXPECT_LT(*verify(posed.plant, posed.problem, s, options).max_tool_error_m, 1e-5) << name;
  }
}

TEST(Jets, only_methods_with_torques_at_any_time_are_proved_exactly) {
  const Job job = example_job("e12_bdf");
  const Posed posed = pose(job);
  VerificationOptions options = job.verification;
  options.torque = Hold::exact;
  const Solution s = solve(posed.problem, posed.start, BdfOptions{});
  EXPECT_THROW(verify(posed.plant, posed.problem, s, options), InputError);
}

// Flat robots: nothing is integrated, the error is rounding, and is measured as that.
TEST(Jets, estimate_of_rounding_in_flat_robots) {
  struct Case {
    const char* name;
    Method method, other;
  };
  for (const Case& c :
       {Case{"flexible_joint", JetOptions{},
             ArrayOptions{.closure = ArrayClosure::decoupled, .step = 1e-3}},
        Case{"two_cars", ArrayOptions{.closure = ArrayClosure::decoupled, .step = 1e-3},
             ArrayOptions{.closure = ArrayClosure::decoupled, .step = 0.5e-3}}}) {
    const Posed posed = pose(example_job(c.name));
    const Solution s = solve(posed.problem, posed.start, c.method),
                   truth = solve(posed.problem, posed.start, c.other);
    const int stride = truth.steps / s.steps;
    double error = 0;
    for (int i = 0; i <= s.steps; ++i)
      error = std::max(error, (s.u.col(i) - truth.u.col(stride * i)).cwiseAbs().maxCoeff());
    EXPECT_LT(error, 1e-9 * truth.u.cwiseAbs().maxCoeff()) << c.name;
    EXPECT_LT(error, 10 * s.largest_torque_error()) << c.name;
    EXPECT_GT(error, 0.1 * s.largest_torque_error()) << c.name;
  }
}

TEST(Jets, estimate_of_the_error) {
  for (const char* name : {"e1_simplified", "e1_complete", "e12_bdf"}) {
    const Posed posed = pose(example_job(name));
    const Solution truth = by_jets(posed, 1e-12);
    for (const double tolerance : {1e-3, 1e-5}) {
      const Solution s = by_jets(posed, tolerance);
      const double error = (s.u - truth.u).cwiseAbs().maxCoeff();
      EXPECT_LT(s.largest_torque_error(), 10 * error) << name << " " << tolerance;
      EXPECT_GT(s.largest_torque_error(), error / 10) << name << " " << tolerance;
    }
  }
}

// Motions of 0.5 s where the example has one path with one duration.
std::vector<std::string> half_a_second(const std::string& name) {
  const Job job = example_job(name);
  return job.task.path->corners().size() <= 2 * job.task.outputs.size()
             ? std::vector<std::string>{"task.path.duration=0.5", "task.hold.after=0"}
             : std::vector<std::string>{};
}

class JetRobots : public testing::TestWithParam<const char*> {};

TEST_P(JetRobots, torques_return_the_path) {
  const Job job = example_job(GetParam(), half_a_second(GetParam()));
  const Posed posed = pose(job);
  const Solution s = by_jets(posed, 1e-8);
  VerificationOptions options = job.verification;
  options.torque = Hold::exact;
  const Verification proof = verify(posed.plant, posed.problem, s, options);
  EXPECT_TRUE(proof.max_tool_error_m || proof.max_orientation_error_rad);
  if (proof.max_tool_error_m) EXPECT_LT(*proof.max_tool_error_m, 1e-7);
  if (proof.max_orientation_error_rad) EXPECT_LT(*proof.max_orientation_error_rad, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Examples, JetRobots,
                         testing::Values("e1_simplified", "moberg_8dof", "seven_axis",
                                         "wrist_coupling", "polishing", "payload_friction",
                                         "delta_robot_elastic", "four_bar", "rigid_2r"));

TEST(Jets, six_axis_elastic_returns_the_path) {
  const Job job = example_job("six_axis_elastic", {"task.path.duration=0.5"});
  const Posed posed = pose(job);
  VerificationOptions options = job.verification;
  options.torque = Hold::exact;
  const Verification proof = verify(posed.plant, posed.problem, by_jets(posed, 1e-8), options);
  EXPECT_LT(proof.max_tool_error_m.value(), 1e-7);
  EXPECT_LT(proof.max_orientation_error_rad.value(), 1e-7);
}

// Many moves in a row: both runs have their own steps in each, and the error is measured there too.
TEST(Jets, estimate_over_many_segments) {
  const Posed posed = pose(example_job(
      "e1_complete", {"task.path={spline: {points: [[1.27], [1.3], [1.25], [1.28], [1.3], [1.24], "
                      "[1.25], [1.3], [1.28], [1.3]], times: [0, 0.2, 0.35, 0.6, 0.7, 0.9, 1.1, "
                      "1.2, 1.35, 1.5]}, smoothness: 4}"}));
  const Solution truth = by_jets(posed, 1e-11), s = by_jets(posed, 1e-3);
  const double error = (s.u - truth.u).cwiseAbs().maxCoeff();
  EXPECT_LT(error, 1e-3 * truth.u.cwiseAbs().maxCoeff());
  EXPECT_GT(10 * s.largest_torque_error(), error);
  EXPECT_LT(s.largest_torque_error(), 10 * error);
}

TEST(Jets, agree_with_differences_within_their_error) {
  const Posed e12 = pose(example_job("e12_bdf"));
  const Solution jets = by_jets(e12),
                 bdf = solve(e12.problem, e12.start, BdfOptions{.order = 4, .step = 1e-3});
  double worst = 0;
  for (int i = 30; i <= bdf.steps; ++i)
    worst = std::max(worst, (jets.u.col(i) - bdf.u.col(i)).cwiseAbs().maxCoeff());
  EXPECT_LT(worst, 60);  // N m: the error of order 4 at 1 ms
  EXPECT_GT(worst, 1);
}

void expect_agreement_with_the_array(const Posed& posed) {
  const Solution jets = by_jets(posed);
  const Solution array =
      solve(posed.problem, posed.start,
            ArrayOptions{.closure = ArrayClosure::decoupled, .order = 5, .step = 0.5e-3});
  double worst = 0;
  for (int i = 30; i <= jets.steps; ++i)
    worst = std::max(worst, (jets.u.col(i) - array.u.col(2 * i)).cwiseAbs().maxCoeff());
  EXPECT_LT(worst, 1e-4 * jets.u.cwiseAbs().maxCoeff());  // the error of the decoupled method
}

// Without damping in the drives rotors follow by algebra from two more derivatives.
TEST(Jets, undamped_drives) {
  const Posed e12 = pose(example_job(
      "e12_bdf", {"robot.links.upper.drive.damping=0", "robot.links.fore.drive.damping=0"}));
  expect_agreement_with_the_array(e12);
}

// Full matrices of stiffness and damping between the two drives.
TEST(Jets, coupled_drive_springs) {
  const Posed e12 = pose(
      example_job("e12_bdf", {"robot.couplings=[{drives: [upper, fore], stiffness: [[1e5, 2e4], "
                              "[2e4, 1e5]], damping: [[50, 10], [10, 50]]}]"}));
  expect_agreement_with_the_array(e12);
}

// A damped and an undamped drive whose springs are coupled, and a damper that is one for both.
TEST(Jets, half_damped_couplings) {
  for (const char* damping : {"[[50, 0], [0, 0]]", "[[50, 20], [20, 8]]"})
    expect_agreement_with_the_array(pose(example_job(
        "e12_bdf", {fmt::format("robot.couplings=[{{drives: [upper, fore], stiffness: [[1e5, 2e4], "
                                "[2e4, 1e5]], damping: {}}}]",
                                damping)})));
}

TEST(Jets, flat_problems_are_refused_with_a_way_out) {
  const Posed cars = pose(example_job("two_cars"));
  try {
    solve(cars.problem, cars.start, JetOptions{});
    FAIL();
  } catch (const ProblemError& error) {
    EXPECT_NE(std::string(error.what()).find("use decoupled"), std::string::npos) << error.what();
  }
}

// An error message, at once: with a centre of mass at 250 km the springs harden so much that their
// own motion took more steps than anybody waits for.
TEST(Jets, springs_that_harden_without_bound_are_named) {
  const Posed posed =
      pose(example_job("payload_friction", {"robot.links.upper.com=[250000, 0, 0]"}));
  const Solution s = solve(posed.problem, posed.start, JetOptions{});
  EXPECT_EQ(s.status, Status::not_converged);
  EXPECT_NE(s.message.find("the drive springs are so stiff under this load"), std::string::npos)
      << s.message;
}

}  // namespace
}  // namespace tauflex

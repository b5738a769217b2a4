// The method of jets: reference torques at all times, order, no rounding floor, its own estimate of
// the error, and the robots it is for.
#include "tauflex/solvers/jets.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "example_jobs.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/results/verification.hpp"
#include "tauflex/solvers/collocation.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

Solution by_jets(const PosedProblem& posed, double tolerance = 1e-9, double step = 1e-3) {
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
  const PosedProblem e12 = pose(example_job("e12"));
  const Solution s = by_jets(e12);
  const Table reference = published("e12_torque.csv");
  double worst = 0;
  int compared = 0;
  for (Eigen::Index row = 0; row < reference.values.rows(); ++row) {
    const double t = reference.values(row, 0);
    const auto i = static_cast<Eigen::Index>(std::lround(t / s.step));
    if (std::abs(static_cast<double>(i) * s.step - t) > 1e-9) continue;
    ++compared;
    for (int d = 0; d < 2; ++d)
      worst = std::max(worst, std::abs(s.u(d, i) - reference.values(row, 1 + d)));
  }
  EXPECT_GE(compared, 100);
  EXPECT_LT(worst, 1e-3);  // N m of 136 kN m; 5e-4 is what the reference is good to
  EXPECT_LT(s.max_constraint_residual, 1e-14);
}

TEST(Jets, order_nine) {
  const PosedProblem e1 = pose(example_job("e1_complete"));
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
  const PosedProblem e12 = pose(example_job("e12"));
  const Solution coarse = by_jets(e12, 1e-9, 2e-3), fine = by_jets(e12, 1e-9, 1e-5);
  double worst = 0;
  for (int i = 0; i <= coarse.steps; ++i)
    worst = std::max(worst, (coarse.u.col(i) - fine.u.col(200 * i)).cwiseAbs().maxCoeff());
  EXPECT_LT(worst, 1e-5);  // N m of 136 kN m
}

TEST(Jets, estimate_of_the_error) {
  for (const char* name : {"e1_simplified", "e1_complete", "e12"}) {
    const PosedProblem posed = pose(example_job(name));
    const Solution truth = by_jets(posed, 1e-12);
    for (const double tolerance : {1e-3, 1e-5}) {
      const Solution s = by_jets(posed, tolerance);
      const double error = (s.u - truth.u).cwiseAbs().maxCoeff();
      EXPECT_LT(s.torque_error_estimate, 10 * error) << name << " " << tolerance;
      EXPECT_GT(s.torque_error_estimate, error / 10) << name << " " << tolerance;
    }
  }
}

class JetRobots : public testing::TestWithParam<const char*> {};

TEST_P(JetRobots, torques_return_the_path) {
  const Job job = example_job(GetParam());
  const PosedProblem posed = pose(job);
  const Solution s = by_jets(posed);
  VerificationOptions options = job.verification;
  options.torque = Hold::smooth;
  const Verification proof = verify(posed.plant, posed.problem, s, options);
  // what is left is the table: degree 5 through samples of 1 ms
  if (proof.max_tool_error_m) EXPECT_LT(*proof.max_tool_error_m, 1e-7);
  if (proof.max_orientation_error_rad) EXPECT_LT(*proof.max_orientation_error_rad, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Examples, JetRobots,
                         testing::Values("e1_simplified", "moberg_8dof", "seven_axis",
                                         "wrist_coupling", "polishing", "payload_friction",
                                         "delta_robot_elastic", "four_bar", "rigid_2r"));

TEST(Jets, six_axis_elastic_returns_the_path) {
  const Job job = example_job("six_axis_elastic", {"task.path.duration=1"});
  const PosedProblem posed = pose(job);
  VerificationOptions options = job.verification;
  options.torque = Hold::smooth;
  const Verification proof = verify(posed.plant, posed.problem, by_jets(posed, 1e-6), options);
  EXPECT_LT(proof.max_tool_error_m.value(), 1e-7);
  EXPECT_LT(proof.max_orientation_error_rad.value(), 1e-7);
}

TEST(Jets, agree_with_differences_within_their_error) {
  const PosedProblem e12 = pose(example_job("e12"));
  const Solution jets = by_jets(e12),
                 bdf = solve(e12.problem, e12.start, BdfOptions{.order = 4, .step = 1e-3});
  double worst = 0;
  for (int i = 30; i <= bdf.steps; ++i)
    worst = std::max(worst, (jets.u.col(i) - bdf.u.col(i)).cwiseAbs().maxCoeff());
  EXPECT_LT(worst, 60);  // N m: the error of order 4 at 1 ms
  EXPECT_GT(worst, 1);
}

// Without damping in the drives rotors follow by algebra from two more derivatives.
TEST(Jets, undamped_drives) {
  const PosedProblem e12 = pose(example_job(
      "e12", {"robot.links.upper.drive.damping=0", "robot.links.fore.drive.damping=0"}));
  const Solution jets = by_jets(e12);
  const Solution array =
      solve(e12.problem, e12.start,
            ArrayOptions{.closure = ArrayClosure::decoupled, .order = 5, .step = 0.5e-3});
  double worst = 0;
  for (int i = 30; i <= jets.steps; ++i)
    worst = std::max(worst, (jets.u.col(i) - array.u.col(2 * i)).cwiseAbs().maxCoeff());
  EXPECT_LT(worst, 1e-4 * jets.u.cwiseAbs().maxCoeff());  // the error of the decoupled method
}

// Full matrices of stiffness and damping between the two drives.
TEST(Jets, coupled_drive_springs) {
  const PosedProblem e12 =
      pose(example_job("e12", {"robot.couplings=[{drives: [upper, fore], stiffness: [[1e5, 2e4], "
                               "[2e4, 1e5]], damping: [[50, 10], [10, 50]]}]"}));
  const Solution jets = by_jets(e12);
  const Solution array =
      solve(e12.problem, e12.start,
            ArrayOptions{.closure = ArrayClosure::decoupled, .order = 5, .step = 0.5e-3});
  double worst = 0;
  for (int i = 30; i <= jets.steps; ++i)
    worst = std::max(worst, (jets.u.col(i) - array.u.col(2 * i)).cwiseAbs().maxCoeff());
  EXPECT_LT(worst, 1e-4 * jets.u.cwiseAbs().maxCoeff());  // the error of the decoupled method
}

// A damped and an undamped drive whose springs are coupled: nobody integrates that here.
TEST(Jets, half_damped_couplings_are_refused) {
  const PosedProblem e12 =
      pose(example_job("e12", {"robot.couplings=[{drives: [upper, fore], stiffness: [[1e5, 2e4], "
                               "[2e4, 1e5]], damping: [[50, 0], [0, 0]]}]"}));
  EXPECT_THROW(solve(e12.problem, e12.start, JetOptions{}), ProblemError);
}

TEST(Jets, flat_problems_are_refused_with_a_way_out) {
  const PosedProblem cars = pose(example_job("two_cars"));
  try {
    solve(cars.problem, cars.start, JetOptions{});
    FAIL();
  } catch (const ProblemError& error) {
    EXPECT_NE(std::string(error.what()).find("use decoupled"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tauflex

// The method of jets and stable inversion through quaternions: those that the path determines, a
// rod that spins freely, orientations and floating bodies that are integrated.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "example_jobs.hpp"
#include "tauflex/problem/internal_jacobian.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/solvers/internal_steps.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

Job case_job(const std::string& name) {
  return read_job(TAUFLEX_SOURCE_DIR "/tests/cases/" + name + ".yaml");
}

Solution by_jets(const Posed& posed, double tolerance, double step) {
  const Solution s =
      solve(posed.problem, posed.start, JetOptions{.tolerance = tolerance, .step = step});
  EXPECT_EQ(s.status, Status::solved) << s.message;
  return s;
}

class BallJointRobots : public testing::TestWithParam<const char*> {};

// The default, with a proof that shares no solver.
TEST_P(BallJointRobots, are_solved_by_jets_and_proved) {
  const Job job = case_job(GetParam());
  const Posed posed = pose(job);
  EXPECT_TRUE(jets_apply(posed.problem, posed.start.q));
  VerificationOptions options = job.verification;
  options.torque = Hold::exact;
  const Solution s = by_jets(posed, 1e-8, 1e-3);
  const Verification proof = verify(posed.plant, posed.problem, s, options);
  EXPECT_EQ(proof.status, Status::solved) << proof.message;
  EXPECT_TRUE(proof.max_tool_error_m || proof.max_orientation_error_rad);
  EXPECT_LT(proof.max_tool_error_m.value_or(0), 1e-7);           // m; torques to 1e-8
  EXPECT_LT(proof.max_orientation_error_rad.value_or(0), 1e-7);  // rad
  EXPECT_LT(s.max_constraint_residual, 1e-14);                   // m: rounding
}

// Order: backward differences converge to jets, with the order that they have.
TEST_P(BallJointRobots, differences_converge_to_jets) {
  const Posed posed = pose(case_job(GetParam()));
  ASSERT_GT(posed.problem.robot().nq(), posed.problem.robot().nv());
  const double step = posed.problem.end() / 500;
  const Solution jets = by_jets(posed, 1e-9, step);
  const Vector peaks = jets.u.cwiseAbs().rowwise().maxCoeff();
  const auto miss = [&](int halves) {
    const Solution bdf =
        solve(posed.problem, posed.start, BdfOptions{.order = 2, .step = step / halves});
    EXPECT_EQ(bdf.status, Status::solved) << bdf.message;
    double worst = 0;
    for (Eigen::Index i = 30; i < jets.t.size(); ++i)  // past the corner where the path begins
      worst = std::max(
          worst,
          (jets.u.col(i) - bdf.u.col(halves * i)).cwiseAbs().cwiseQuotient(peaks).maxCoeff());
    return worst;
  };
  const double coarse = miss(1), fine = miss(2);
  EXPECT_LT(fine, 2e-3);  // of the peak: order 2 with 1000 steps
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.25) << coarse << " " << fine;
}

// Stated against true error, of each drive.
TEST_P(BallJointRobots, state_their_error) {
  const Posed posed = pose(case_job(GetParam()));
  const Solution truth = by_jets(posed, 1e-12, 1e-3);
  for (const double tolerance : {1e-5, 1e-8}) {
    const Solution s = by_jets(posed, tolerance, 1e-3);
    for (Eigen::Index i = 0; i < s.u.rows(); ++i) {
      const double error =
          (s.u.row(i) - truth.u.row(i)).cwiseAbs().maxCoeff() - truth.torque_errors[i];
      EXPECT_LT(error, 5 * s.torque_errors[i]) << tolerance << " drive " << i;
      EXPECT_LT(error, 3 * tolerance * truth.u.row(i).cwiseAbs().maxCoeff());  // asked for: 1
    }
  }
}

TEST_P(BallJointRobots, keep_quaternions_of_length_one) {
  const Posed posed = pose(case_job(GetParam()));
  const Solution s = by_jets(posed, 1e-8, 1e-3);
  const int at = posed.problem.robot().coordinates().quaternions[0].q;
  for (Eigen::Index i = 0; i < s.t.size(); ++i)
    EXPECT_NEAR(s.q.col(i).segment<4>(at).norm(), 1, 1e-15 * 4) << s.t[i];  // rounding
  // and their rates belong to them: central differences of the answer at any time
  ASSERT_TRUE(s.dense);
  Instant before, now, after;
  constexpr double h = 1e-5;
  for (const double share : {0.31, 0.57, 0.83}) {
    const double t = share * posed.problem.end();
    ASSERT_TRUE(s.dense->at(t - h, before) && s.dense->at(t, now) && s.dense->at(t + h, after));
    const Vector difference = (after.v - before.v) / (2 * h) - now.vdot;
    EXPECT_LT(difference.head(posed.problem.robot().tree_nv()).cwiseAbs().maxCoeff(),
              1e-6 * now.vdot.cwiseAbs().maxCoeff());  // rounding of v over 1e-5 s
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, BallJointRobots,
                         testing::Values("spatial_four_bar", "spinning_rod", "satellite_arm",
                                         "turntable_load", "ball_gantry"));

TEST(BallJoints, order_nine) {
  const Posed posed = pose(case_job("turntable_load"));
  JetMotion motion(posed.problem, posed.start);
  ASSERT_TRUE(motion.dynamics().turns());
  Instant now;
  long iterations = 0;
  const auto torques = [&](int steps) {
    EXPECT_TRUE(integrate(motion, steps, iterations));
    Vector u(9);
    for (int k = 0; k <= 8; ++k) {
      EXPECT_TRUE(motion.at(posed.problem.end() * k / 8, now));
      u[k] = now.u[0];
    }
    return u;
  };
  const Vector truth = torques(256);
  const double coarse = (torques(32) - truth).cwiseAbs().maxCoeff(),
               fine = (torques(80) - truth).cwiseAbs().maxCoeff();
  EXPECT_NEAR(std::log(coarse / fine) / std::log(80.0 / 32), 9, 1) << coarse << " " << fine;
}

// The rod turns by more than half a turn: its quaternion goes to the other side.
TEST(BallJoints, turn_further_than_half_a_turn) {
  for (const char* name : {"spinning_rod", "turntable_load"}) {
    const Posed posed = pose(case_job(name));
    const Solution s = by_jets(posed, 1e-8, 1e-3);
    const int at = posed.problem.robot().coordinates().quaternions[0].q;
    double least = 1, sign = 1;
    for (Eigen::Index i = 1; i < s.t.size(); ++i) {
      if (s.q.col(i).segment<4>(at).dot(s.q.col(i - 1).segment<4>(at)) < 0) sign = -sign;
      least = std::min(least, sign * s.q.col(i).segment<4>(at).dot(s.q.col(0).segment<4>(at)));
    }
    EXPECT_LT(least, -0.05) << name;  // cosine of half the angle
  }
}

TEST(BallJoints, are_for_jets_by_default) {
  for (const char* name : {"satellite_arm", "turntable_load", "ball_gantry"}) {
    const Record record = run(case_job(name));
    EXPECT_EQ(record.solution.method, "jets") << name;
    ASSERT_TRUE(record.verification) << record.solution.message;
    EXPECT_EQ(record.verification->status, Status::solved) << record.verification->message;
  }
}

// d(s'')/d(s, s') against central differences, away from rest and from the pose that orientations
// are measured from.
TEST(BallJoints, exact_jacobian) {
  for (const char* name : {"spatial_four_bar", "spinning_rod", "satellite_arm", "turntable_load",
                           "ball_gantry", "standing_load"}) {
    const Posed posed = pose(case_job(name));
    InternalDynamics dynamics(posed.problem);
    dynamics.choose(posed.start.q);
    const int p = dynamics.freedom();
    InternalMotion m = dynamics.motion();
    m.q = posed.start.q;
    const Vector from = m.chart * m.q.head(m.chart.cols());
    const Vector s = from + Vector::LinSpaced(p, 0.2, 0.3), rate = Vector::LinSpaced(p, -0.5, 0.7);
    const double t = posed.problem.path().duration() * 0.4;
    for (int k = 1; k <= 50; ++k)
      ASSERT_TRUE(dynamics.solve(t * k / 50, from + (s - from) * k / 50, rate, m)) << name;
    Matrix J(p, 2 * p);
    InternalJacobian(dynamics).exact(m, J);
    constexpr double step = 1e-5;
    for (int k = 0; k < 2 * p; ++k) {
      const auto moved = [&](double e) {
        Vector y(2 * p);
        y << s, rate;
        y[k] += e;
        InternalMotion other = m;
        EXPECT_TRUE(dynamics.solve(t, y.head(p), y.tail(p), other));
        return other.sddot;
      };
      const Vector difference = (moved(step) - moved(-step)) / (2 * step);
      EXPECT_LT((J.col(k) - difference).cwiseAbs().maxCoeff(), 1e-8 * J.cwiseAbs().maxCoeff())
          << name << " column " << k;  // central differences: step^2, and rounding / step
    }
  }
}

// A load that stands on a ball joint falls when torques begin with the path; those that begin
// before it keep it upright.
TEST(BallJoints, stable_inversion_keeps_a_load_upright) {
  Job job = case_job("standing_load");
  job.method = StableInversionOptions{};
  const Record record = run(job);
  ASSERT_EQ(record.solution.status, Status::solved) << record.solution.message;
  EXPECT_LT(record.solution.t[0], -1);  // s
  const int at = record.robot.coordinates().quaternions[0].q;
  EXPECT_GT(record.solution.q.row(at).minCoeff(), 0.9);  // cosine of half the angle of the load
  ASSERT_TRUE(record.verification);
  EXPECT_LT(record.verification->max_tool_error_m.value(), 1e-7);  // m; torques to 1e-8
}

}  // namespace
}  // namespace tauflex

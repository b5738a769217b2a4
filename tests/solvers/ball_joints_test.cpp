// The method of jets and stable inversion through quaternions: those that the path determines, a
// rod that spins freely, orientations and floating bodies that are integrated.
#include "solvers/jet_laws.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/internal_jacobian.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/solvers/internal_steps.hpp"

namespace tauflex {
namespace {

class BallJointRobots : public testing::TestWithParam<const char*> {};

TEST_P(BallJointRobots, are_proved) { expect_proof(case_job(GetParam())); }

TEST_P(BallJointRobots, differences_converge_to_jets) {
  const Posed posed = pose(case_job(GetParam()));
  ASSERT_GT(posed.problem.robot().nq(), posed.problem.robot().nv());
  expect_differences_to_converge(posed);
}

TEST_P(BallJointRobots, state_their_error) { expect_stated_errors(pose(case_job(GetParam()))); }

TEST_P(BallJointRobots, keep_quaternions_of_length_one) {
  const Posed posed = pose(case_job(GetParam()));
  const Solution s = solved_by_jets(posed, 1e-8, 1e-3);
  ASSERT_EQ(s.status, Status::solved);
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
    Vector step(posed.problem.robot().nv());
    velocity_of_rate<double>(posed.problem.robot(), now.q, (after.q - before.q) / (2 * h), step);
    EXPECT_LT((step - now.v).head(posed.problem.robot().tree_nv()).cwiseAbs().maxCoeff(),
              1e-6 * now.v.cwiseAbs().maxCoeff());  // the same of q
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
    const Solution s = solved_by_jets(posed, 1e-8, 1e-3);
    ASSERT_EQ(s.status, Status::solved) << name;
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
  for (const char* name :
       {"spinning_rod", "satellite_arm", "turntable_load", "ball_gantry", "standing_load"}) {
    const Posed posed = pose(case_job(name));
    InternalDynamics dynamics(posed.problem);
    dynamics.choose(posed.start.q);
    const int p = dynamics.freedom();
    ASSERT_GT(p, 0) << name;
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

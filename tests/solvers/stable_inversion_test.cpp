// Stable inversion: bounded torques of robots that are not minimum phase, proved from rest; the
// causal solution where there is one; order, cost of a short pre-actuation, exact Jacobians.
#include "tauflex/solvers/stable_inversion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "example_jobs.hpp"
#include "solvers/e12_reference.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/problem/internal_jacobian.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/solvers/boundary_problem.hpp"
#include "tauflex/solvers/collocation.hpp"

namespace tauflex {
namespace {

TEST(Gauss, integrates_polynomials) {
  for (const int stages : {2, 3, 4}) {
    const Collocation method = gauss(stages);
    for (int k = 0; k < 2 * stages; ++k) {
      double integral = 0;
      for (int j = 0; j < stages; ++j) integral += method.b[j] * std::pow(method.c[j], k);
      EXPECT_NEAR(integral, 1.0 / (k + 1), 1e-14) << stages << " " << k;
    }
  }
}

class ExactJacobian : public testing::TestWithParam<const char*> {};

// d(s'')/d(s, s') against central differences, away from rest.
TEST_P(ExactJacobian, agrees_with_differences) {
  const Posed posed = pose(example_job(GetParam()));
  InternalDynamics dynamics(posed.problem);
  dynamics.choose(posed.start.q);
  const int p = dynamics.freedom();
  ASSERT_GT(p, 0);
  InternalMotion m = dynamics.motion();
  m.q = posed.start.q;
  const Vector s = posed.start.q(dynamics.free_joints());
  const Vector rate = Vector::Constant(p, 0.2);
  const double t = posed.problem.path().duration() * 0.3;
  for (int k = 1; k <= 50; ++k) ASSERT_TRUE(dynamics.solve(t * k / 50, s, rate, m));
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
      return Vector(other.a(dynamics.free_joints()));
    };
    const Vector difference = (moved(step) - moved(-step)) / (2 * step);
    EXPECT_LT((J.col(k) - difference).cwiseAbs().maxCoeff(), 1e-7 * J.cwiseAbs().maxCoeff())
        << GetParam() << " column " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, ExactJacobian,
                         testing::Values("e12_bdf", "e12_nonminimum", "whip", "moberg_8dof",
                                         "six_axis_elastic"));

class BeginsBeforeThePath : public testing::TestWithParam<const char*> {};

TEST_P(BeginsBeforeThePath, and_is_proved_from_rest) {
  Job job = example_job(GetParam());
  job.verification.torque = Hold::exact;
  const Record record = run(job);
  ASSERT_EQ(record.solution.status, Status::solved) << record.solution.message;
  EXPECT_EQ(record.solution.method, "stable_inversion");
  EXPECT_LT(record.solution.t[0], -0.01);
  EXPECT_GT(record.solution.t[record.solution.t.size() - 1], job.task.path->duration());
  EXPECT_EQ(record.solution.v.col(0).cwiseAbs().maxCoeff(), 0);
  EXPECT_LT(record.solution.start_offset, 1e-7);
  ASSERT_TRUE(record.verification);
  EXPECT_EQ(record.verification->mode, VerificationMode::open_loop);
  EXPECT_LT(*record.verification->max_tool_error_m, 1e-6);
  ASSERT_TRUE(record.internal);
  EXPECT_GT(record.internal->growing, 0);
  EXPECT_GT(record.internal->decaying, 0);
}

INSTANTIATE_TEST_SUITE_P(Examples, BeginsBeforeThePath, testing::Values("e12_nonminimum", "whip"));

TEST(StableInversion, e12_with_a_light_hand) {
  const Record record = run(example_job("e12_nonminimum"), Until::solved);
  ASSERT_EQ(record.solution.status, Status::solved) << record.solution.message;
  EXPECT_NEAR(record.solution.u.row(0).cwiseAbs().maxCoeff(), 114e3, 0.05 * 114e3);
  EXPECT_NEAR(record.solution.u.row(1).cwiseAbs().maxCoeff(), 49e3, 0.05 * 49e3);
  double unstable = 0, stable = 0;  // zeros at the start; that of the drives is at -K/D
  for (const auto& zero : record.diagnosis.zeros) {
    unstable = std::max(unstable, zero.real());
    if (zero.real() > -1000) stable = std::min(stable, zero.real());
  }
  EXPECT_NEAR(unstable, 377.7, 1e-3 * 377.7);  // of the unloaded robot; 1e-3 asked for
  EXPECT_NEAR(stable, -317.7, 1e-3 * 317.7);
  EXPECT_EQ(first_loss_of_phase(record.diagnosis), 0);
  EXPECT_EQ(record.internal->growing, 1);
  EXPECT_EQ(record.internal->decaying, 1);
}

TEST(StableInversion, whip_has_three_unstable_zeros) {
  const Posed posed = pose(example_job("whip"));
  EXPECT_EQ(posed.diagnosis.phase.size(), 9u);
  for (const PhaseAtPoint& point : posed.diagnosis.phase) EXPECT_EQ(point.unstable, 3) << point.t;
}

TEST(StableInversion, minimum_phase_is_causal) {
  const Posed e12 = pose(example_job("e12_bdf"));
  const Solution s = solve(e12.problem, e12.start, StableInversionOptions{});
  ASSERT_EQ(s.status, Status::solved) << s.message;
  EXPECT_EQ(s.window.hold_before, 0);
  EXPECT_LT(distance_from_e12_reference(s.u, s.step), 1e-5 * 136205);
}

TEST(StableInversion, causal_methods_are_refused_with_advice) {
  for (const char* method : {"bdf", "jets", "variable_step"}) {
    const Job job = example_job("e12_nonminimum", {std::string("method.") + method + "={}"});
    const Record record = run(job);
    EXPECT_EQ(record.exit_code(), ExitCode::not_solvable) << method;
    for (const char* part : {"not minimum phase", "+378 per second", "stable_inversion",
                             "inside 0.15 m, the centre of percussion of link hand"})
      EXPECT_NE(record.solution.message.find(part), std::string::npos) << record.solution.message;
  }
}

TEST(StableInversion, a_path_out_of_reach_is_named) {
  const Posed posed = pose(example_job("e12_nonminimum", {"task.path.line.to=[2.5, 1.645]"}));
  const Solution s = solve(posed.problem, posed.start, StableInversionOptions{});
  EXPECT_EQ(s.status, Status::not_converged);
  EXPECT_NE(s.message.find("the robot cannot rest on its path: t = "), std::string::npos)
      << s.message;
  EXPECT_NE(s.message.find("cannot be reached; the robot stays "), std::string::npos) << s.message;
  EXPECT_EQ(s.message.find("Newton failed"), std::string::npos) << s.message;
}

// Led from infinitely slow to its path, Newton ends where it ends from the robot at rest.
TEST(StableInversion, from_slow_to_the_same_solution) {
  const Posed posed = pose(example_job("e12_nonminimum"));
  const InverseProblem problem = posed.problem.with_window(
      bounded_horizon(posed.problem, posed.start, StableInversionOptions{}).reported);
  InternalDynamics dynamics(problem);
  dynamics.choose(posed.start.q);
  const auto poses = quasi_static_points(problem, posed.start, 33);
  const Dichotomy left = dichotomy(dynamics, problem.begin(), posed.start, 10),
                  right = dichotomy(dynamics, problem.end(), poses.back().state, 10);
  EXPECT_EQ(left.unstable.rows(), 1);
  EXPECT_EQ(right.stable.rows(), 1);
  std::vector<double> mesh;
  for (int i = 0; i <= 120; ++i)
    mesh.push_back(problem.begin() + (problem.end() - problem.begin()) * i / 120);
  BoundaryProblem direct(dynamics, left, right, poses), led(dynamics, left, right, poses);
  direct.set_mesh(mesh);
  led.set_mesh(mesh);
  ASSERT_TRUE(direct.converge());
  ASSERT_TRUE(led.converge_from_slow());
  EXPECT_GT(led.evaluations(), direct.evaluations());
  EXPECT_GT(direct.nodes().row(0).maxCoeff() - direct.nodes().row(0).minCoeff(), 1e-2);
  EXPECT_LT((led.nodes() - direct.nodes()).cwiseAbs().maxCoeff(), 1e-9);
}

// What a shorter pre-actuation costs, measured by the proof and announced.
TEST(StableInversion, too_short_a_beginning_costs_tool_error) {
  Job job = example_job("e12_nonminimum", {"method.stable_inversion.pre=0.01"});
  const Record record = run(job);
  ASSERT_EQ(record.solution.status, Status::solved) << record.solution.message;
  EXPECT_NEAR(record.solution.t[0], -0.01, 1e-12);
  EXPECT_GT(record.solution.start_offset, 1e-6);
  EXPECT_GT(*record.verification->max_tool_error_m, 1e-6);
  bool said = false;
  for (const std::string& warning : record.warnings)
    said = said || warning.find("begin too late") != std::string::npos;
  EXPECT_TRUE(said);
}

// Torques do not depend on the mesh it starts from, and the estimate covers what they differ by.
TEST(StableInversion, estimate_of_the_error) {
  const Posed posed = pose(example_job("e12_nonminimum"));
  const Solution truth =
      solve(posed.problem, posed.start, StableInversionOptions{.tolerance = 1e-10});
  ASSERT_EQ(truth.status, Status::solved) << truth.message;
  for (const double tolerance : {1e-4, 1e-6}) {
    const Solution s = solve(posed.problem, posed.start,
                             StableInversionOptions{.tolerance = tolerance, .points = 80});
    ASSERT_EQ(s.status, Status::solved) << s.message;
    const double error = (s.u - truth.u).cwiseAbs().maxCoeff();
    EXPECT_LT(error, 3 * s.largest_torque_error()) << tolerance;
    EXPECT_LT(s.largest_torque_error(), tolerance * truth.u.cwiseAbs().maxCoeff());
  }
}

// Steps so short that rounding of positions is all there is to their accelerations were halved
// again and again: the torques got worse from 7e-11 of their peak to 2e-8, and then none was found.
TEST(StableInversion, meshes_end_where_rounding_begins) {
  const Posed posed = pose(read_job(TAUFLEX_SOURCE_DIR "/tests/cases/bounded_layers.yaml"));
  const StableInversionOptions options{.tolerance = 1e-12, .step = 1e-3};
  const Solution finest = solve(posed.problem, posed.start, options);
  ASSERT_EQ(finest.status, Status::solved) << finest.message;
  EXPECT_LT(finest.integrator_steps, 2000);
  const Solution fine =
      solve(posed.problem, posed.start, StableInversionOptions{.tolerance = 1e-10, .step = 1e-3});
  ASSERT_EQ(fine.u.cols(), finest.u.cols());
  for (Eigen::Index i = 0; i < fine.u.rows(); ++i) {
    const double peak = finest.u.row(i).cwiseAbs().maxCoeff();
    EXPECT_LT(finest.torque_errors[i], 1e-9 * peak);
    EXPECT_LT((fine.u - finest.u).row(i).cwiseAbs().maxCoeff(),
              3 * (fine.torque_errors[i] + finest.torque_errors[i]));
  }
}

TEST(InternalGrowth, e12_is_certified) {
  const Posed e12 = pose(example_job("e12_bdf"));
  const Solution s = solve(e12.problem, e12.start, JetOptions{});
  const auto growth = internal_growth(e12.problem, e12.start, s);
  ASSERT_TRUE(growth);
  EXPECT_EQ(growth->growing, 0);
  EXPECT_FALSE(growth->first_loss);
  EXPECT_LT(growth->largest, 10);
}

}  // namespace
}  // namespace tauflex

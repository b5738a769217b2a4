// E12 of [Moberg2009] against reference torques, by order of convergence and by both forms.
#include <gtest/gtest.h>

#include <cmath>

#include "example_jobs.hpp"
#include "solvers/e12_reference.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/solvers/bdf_formula.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

double torque_error(const Solution& solution, double from) {
  return distance_from_e12_reference(solution.u, solution.step, from);
}

Solution solved(const Posed& posed, int order, double step, BdfForm form = BdfForm::blockwise) {
  return solve(posed.problem, posed.start, BdfOptions{.order = order, .step = step, .form = form});
}

TEST(E12, a_grid_without_the_times_of_the_reference_is_no_agreement) {
  EXPECT_TRUE(std::isinf(distance_from_e12_reference(Matrix::Zero(2, 8), 0.3 / 7)));
}

TEST(E12, published_start_and_torques) {
  const Posed posed = pose(example_job("e12_bdf"));
  EXPECT_NEAR(posed.start.q[0], -0.01074042, 5e-9);  // printed digits of the reference
  EXPECT_NEAR(posed.start.q[1], 0.31140194, 5e-9);   // printed digits of the reference
  EXPECT_NEAR(posed.start.q[2], 0.00187289, 5e-9);   // printed digits of the reference
  const Solution solution = solved(posed, 4, 1e-3);
  ASSERT_EQ(solution.status, Status::solved) << solution.message;
  EXPECT_LT(torque_error(solution, 0.03), 60);         // N m; 28 measured, truncation of order 4
  EXPECT_LT(solution.max_constraint_residual, 1e-12);  // m; Newton ends at rounding
  EXPECT_NEAR(solution.u.row(0).cwiseAbs().maxCoeff(), 136205,
              60);  // N m; within the method's error
  EXPECT_NEAR(solution.u.row(1).cwiseAbs().maxCoeff(), 84542,
              60);  // N m; within the method's error
  EXPECT_EQ(solution.steps, 300);
  EXPECT_EQ(solution.newton_iterations, 600);  // golden: two per step
}

TEST(E12, order_of_convergence) {
  const Posed posed = pose(example_job("e12_bdf"));
  const double steps[4][3] = {
      {0.5e-3, 0.25e-3, 0.125e-3}, {1e-3, 0.5e-3, 0.25e-3}, {4e-3, 2e-3, 1e-3}, {4e-3, 2e-3, 1e-3}};
  for (int k = 1; k <= 4; ++k) {
    double error[3];
    for (int i = 0; i < 3; ++i) error[i] = torque_error(solved(posed, k, steps[k - 1][i]), 0.03);
    for (int i = 0; i < 2; ++i)
      EXPECT_NEAR(std::log2(error[i] / error[i + 1]), k, 0.15)
          << "order " << k;  // asked for; higher terms of the expansion
  }
}

// Rounding of q (1.1e-16 of 1.5 rad) passes two BDF derivatives to the joint torque (M up to 1200
// kg m^2), the spring (1e5 N m/rad) to the rotor angle, and two more derivatives (J_m 100 kg m^2)
// to u.
TEST(E12, monolithic_and_blockwise_agree) {
  const Posed posed = pose(example_job("e12_bdf"));
  const double h = 1e-3;
  for (int k = 1; k <= 6; ++k) {
    const Solution blockwise = solved(posed, k, h);
    const Solution monolithic = solved(posed, k, h, BdfForm::monolithic);
    ASSERT_EQ(monolithic.status, Status::solved) << monolithic.message;
    double s = 0;  // amplification of rounding by one derivative
    for (const double a : BdfFormula(k).a) s += std::abs(a) / h;
    const double rotor = 1.1e-16 * 1.5 * s * s * 1200 / 1e5, u = 100 * s * s * rotor;
    const Matrix dq = (blockwise.q - monolithic.q).cwiseAbs();
    // rad; 1e-15 left by Newton in each of 300 steps, integrated twice by the hand's own motion
    EXPECT_LT(dq.topRows(3).maxCoeff(), 1e-15 * 300 * 300 / 2) << k;
    EXPECT_LT(dq.bottomRows(2).maxCoeff(), rotor) << k;  // rad; the bound derived above
    EXPECT_LT((blockwise.u - monolithic.u).cwiseAbs().maxCoeff(), u) << k;  // N m; the same
    EXPECT_LT(monolithic.max_constraint_residual, 1e-12);  // m; Newton ends at rounding
  }
}

TEST(E12, full_drive_matrices_give_the_same_torques_in_both_forms) {
  const Job job = example_job(
      "e12_bdf",
      {"robot.couplings=[{drives: [upper, fore], stiffness: [[1e5, 2e4], [2e4, 8e4]], damping: "
       "[[50, 5], [5, 40]]}]"});
  const Posed posed = pose(job);
  const Solution plain = solved(pose(example_job("e12_bdf")), 3, 1e-3);
  const Solution blockwise = solved(posed, 3, 1e-3),
                 monolithic = solved(posed, 3, 1e-3, BdfForm::monolithic);
  ASSERT_EQ(blockwise.status, Status::solved) << blockwise.message;
  EXPECT_LT((blockwise.u - monolithic.u).cwiseAbs().maxCoeff(),
            10);                                                   // N m; rounding as above, k = 3
  EXPECT_GT((blockwise.u - plain.u).cwiseAbs().maxCoeff(), 1000);  // N m; the coupling is felt
}

TEST(E12, an_output_on_a_rotor_needs_the_monolithic_form) {
  const Job job =
      example_job("e12_bdf", {"task.outputs=[upper.rotor, fore.rotor]", "task.path.line.from=[0, 0.3]",
                          "task.path.line.to=[0.1, 0.5]"});
  const Posed posed = pose(job);
  const Solution solution = solve(posed.problem, posed.start, BdfOptions{.order = 3, .step = 1e-3});
  EXPECT_EQ(solution.status, Status::solved) << solution.message;
  EXPECT_EQ(solution.method, "bdf monolithic");
  EXPECT_LT(solution.max_constraint_residual, 1e-12);  // rad; Newton ends at rounding
  EXPECT_THROW(solve(posed.problem, posed.start, BdfOptions{.form = BdfForm::blockwise}),
               ProblemError);
}

TEST(E12, a_path_out_of_the_workspace_ends_with_time_and_equation) {
  const Job job = example_job("e12_bdf", {"task.path.line.to=[2.3, 1.0]"});
  const Posed posed = pose(job);
  const Solution solution = solved(posed, 3, 1e-3);
  EXPECT_EQ(solution.status, Status::not_converged);
  EXPECT_TRUE(solution.message.starts_with("t = ")) << solution.message;
  EXPECT_NE(solution.message.find("equation 'servo tool."), std::string::npos) << solution.message;
  EXPECT_NE(solution.message.find("leaves the workspace"), std::string::npos) << solution.message;
  EXPECT_EQ(solution.t.size(), solution.steps + 1);
  EXPECT_TRUE(solution.u.allFinite());
}

}  // namespace
}  // namespace tauflex

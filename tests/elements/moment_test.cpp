// Forward analysis under a moment, then the moment back from the angles alone: [Isobe2008] Fig.
// 8, 9. And the frame as the plant of a proof.
#include "example_jobs.hpp"
#include "tauflex/elements/frame_pose.hpp"
#include "tauflex/elements/robot_frame.hpp"
#include "tauflex/elements/torque_recovery.hpp"
#include "tauflex/results/free_run.hpp"
#include "tauflex/results/verification.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

struct Shares {
  double moment = 0, passive = 0;  // of the peak of the moment
};

// Largest errors of the recovered torques; rates by differences of the angles.
Shares from_angles(const std::string& example, double step) {
  const std::string text = std::to_string(step);
  const FreeRun run =
      simulate_job(example_job(example, {"verification.plant.step=" + text,
                                         "simulation.rate=" + std::to_string(1 / step)}),
                   {}, {});
  EXPECT_EQ(run.simulation.status, Status::solved) << run.simulation.message;
  const Matrix& q = run.simulation.q;
  const ElementFrame frame = robot_frame(run.plant, q.col(0));
  FrameState state(frame);
  TorqueRecovery recovery(frame, std::vector<double>(frame.joints.size(), 1));
  Vector travel, torques(frame.joints.size());
  Shares worst;
  const double peak = run.simulation.u.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 1; i + 1 < q.cols(); ++i) {
    const Vector v = (q.col(i + 1) - q.col(i - 1)) / (2 * step),
                 vdot = (q.col(i + 1) - 2 * q.col(i) + q.col(i - 1)) / (step * step);
    pose_of_joints(frame, q.col(i), v, vdot, state, travel);
    recovery.recover(state, travel, torques);
    worst.moment = std::max(worst.moment, std::abs(torques[0] - run.simulation.u(0, i)) / peak);
    worst.passive =
        std::max(worst.passive, torques.tail(torques.size() - 1).cwiseAbs().maxCoeff() / peak);
  }
  return worst;
}

// Published values: shares that are asked for, falling with the step.
TEST(Moment, comes_back_from_the_angles) {
  for (const auto& [example, step, most] :
       {std::tuple("isobe_moment", 0.01, 0.03), {"isobe_eight_joint", 0.005, 0.10}}) {
    const Shares coarse = from_angles(example, step), fine = from_angles(example, step / 2);
    EXPECT_LT(coarse.moment, most) << example;
    EXPECT_LT(coarse.passive, most) << example;
    EXPECT_LT(fine.moment, 0.7 * coarse.moment) << example;
    EXPECT_LT(fine.passive, 0.7 * coarse.passive) << example;
    EXPECT_GT(coarse.moment, 1e-4) << example;  // no identity
  }
}

// Law: the frame as a plant follows torques that jets found for the tree, and does not follow
// others.
TEST(FramePlant, proves_what_jets_found) {
  const Posed posed = pose(example_job("isobe_two_joint", {"method=jets"}));
  Solution solution = solve(posed.problem, posed.start, JetOptions{});
  VerificationOptions options{.torque = Hold::smooth};
  options.simulation.frame = FramePlantOptions{.step = 1e-3};
  const Verification proof = verify(posed.plant, posed.problem, solution, options);
  EXPECT_NE(proof.integrator.find("frame of finite elements"), std::string::npos);
  // rad of a quarter turn; truncation of 1 ms is below 1e-6
  EXPECT_LT(*proof.max_orientation_error_rad, 5e-6);
  solution.u *= 1.01;
  EXPECT_GT(*verify(posed.plant, posed.problem, solution, options).max_orientation_error_rad, 1e-3);
}

// Law: the same with elastic drives, springs and a closed loop of elastic drives.
TEST(FramePlant, has_elastic_drives) {
  for (const auto& [example, step, most] :
       {std::tuple("e12", 3e-4, 5e-5), {"delta_robot_elastic", 1e-3, 5e-5}}) {
    const Posed posed = pose(example_job(example));
    Solution solution = solve(posed.problem, posed.start, JetOptions{.step = step});
    VerificationOptions options{.torque = Hold::smooth};
    options.simulation.frame = FramePlantOptions{.step = step};
    const Verification proof = verify(posed.plant, posed.problem, solution, options);
    ASSERT_EQ(proof.status, Status::solved) << example << proof.message;
    EXPECT_LT(*proof.max_tool_error_m, most) << example;  // m: Newmark's error, of order 2
    EXPECT_LT(proof.energy_balance_error, 1e-3) << example;
    options.simulation.frame->step = step / 2;
    const double half = *verify(posed.plant, posed.problem, solution, options).max_tool_error_m;
    EXPECT_NEAR(*proof.max_tool_error_m / half, 4, 0.6) << example;
    solution.u *= 1.01;
    const Verification off = verify(posed.plant, posed.problem, solution, options);
    EXPECT_GT(*off.max_tool_error_m, 10 * most) << example << off.message;
  }
}

}  // namespace
}  // namespace tauflex

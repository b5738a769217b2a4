// The least torque of closed loops with elastic drives by the method of jets: series of the
// multipliers, and the laws of the method.
#include <fmt/format.h>

#include "solvers/jet_laws.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {
namespace {

// More drives than outputs. Drives with hardly any or no damping need one derivative more.
std::vector<Job> jobs() {
  const std::string crank = "robot.links.crank.drive=", coupler = "robot.links.coupler.drive=",
                    rocker = "robot.links.rocker.drive=",
                    damped = "{rotor_inertia: 2e-4, gear_ratio: 50, stiffness: 2000, damping: 2}",
                    other = "{rotor_inertia: 2e-4, gear_ratio: 40, stiffness: 1500, damping: 1}",
                    undamped = "{rotor_inertia: 2e-4, gear_ratio: 40, stiffness: 2000}",
                    rigid = "{rotor_inertia: 2e-4, gear_ratio: 40}";
  const std::string smooth =
      "task.path={line: {from: [-1], to: [-3]}, duration: 0.7, profile: polynomial13}";
  return {case_job("four_armed_delta"),
          example_job("four_bar", {crank + damped, rocker + other, smooth}),
          example_job("four_bar", {crank + damped, rocker + undamped, smooth}),
          example_job("four_bar", {crank + damped, rocker + rigid, smooth}),
          // a quaternion as well
          case_job("spatial_four_bar", {rocker + other}),
          // a force of the loop is an output, and drives still outnumber outputs
          example_job("four_bar", {crank + damped, rocker + other, coupler + other,
                                   "task.outputs=[crank, weld.x.force]",
                                   "task.path={line: {from: [-1, 0], to: [-3, 5]}, duration: 0.7, "
                                   "profile: polynomial13}"})};
}

TEST(LeastTorqueByJets, is_proved) {
  for (const Job& job : jobs()) {
    SCOPED_TRACE(job.name);
    expect_proof(job);
  }
}

TEST(LeastTorqueByJets, differences_converge_to_it) {
  for (const Job& job : jobs()) {
    SCOPED_TRACE(job.name);
    const Posed posed = pose(job);
    ASSERT_TRUE(posed.problem.is_redundant());
    expect_differences_to_converge(posed);
  }
}

TEST(LeastTorqueByJets, states_its_error) {
  for (const Job& job : jobs()) {
    SCOPED_TRACE(job.name);
    expect_stated_errors(pose(job));
  }
}

TEST(LeastTorqueByJets, is_the_default) {
  const Record record = run(case_job("four_armed_delta"));
  EXPECT_EQ(record.solution.method, "jets");
  ASSERT_TRUE(record.verification) << record.solution.message;
  EXPECT_LT(record.verification->max_tool_error_m.value(), 1e-8);  // m; torques to 1e-8
}

// Coefficients of load and multipliers against central differences of what is found at two times.
TEST(LeastTorqueByJets, series) {
  for (const Job& job : jobs()) {
    SCOPED_TRACE(job.name);
    const Posed posed = pose(job);
    InternalDynamics dynamics(posed.problem);
    InternalSeries series(dynamics);
    InternalMotion m = dynamics.motion();
    m.q = posed.start.q;
    const Vector none(0);
    const double t = 0.45 * posed.problem.end(), h = 1e-4;
    for (int k = 1; k <= 50; ++k) ASSERT_TRUE(dynamics.solve(t * k / 50, none, none, m));
    JointSeries now, before, after;
    series.joints(t, m, 2, now);
    ASSERT_TRUE(dynamics.solve(t - h, none, none, m));
    series.joints(t - h, m, 2, before);
    ASSERT_TRUE(dynamics.solve(t + h, none, none, m));
    series.joints(t + h, m, 2, after);
    for (const auto part : {&JointSeries::load, &JointSeries::lambda})
      for (const int k : {0, 1}) {
        const Vector slope = ((after.*part).col(k) - (before.*part).col(k)) / (2 * h) / (k + 1);
        EXPECT_LT((slope - (now.*part).col(k + 1)).cwiseAbs().maxCoeff(),
                  1e-5 * slope.cwiseAbs().maxCoeff())  // h^2 times third derivatives, 1/s^2
            << k;
      }
  }
}

// The robot with all its lengths multiplied.
RobotDescription resized(RobotDescription robot, double length) {
  for (Link& link : robot.links) {
    link.joint.X_PJ.p *= length;
    link.inertia.com *= length;
    link.inertia.about_com *= length * length;
  }
  for (FrameDescription& frame : robot.frames) frame.X_LF.p *= length;
  return robot;
}

// Law: whether jets apply does not depend on the unit of length, with gears of 1 and 100 side by
// side.
TEST(LeastTorqueByJets, applies_in_any_unit) {
  for (const double length : {1e-5, 1.0, 1e3}) {
    Job job = case_job(
        "four_armed_delta",
        {"robot.links.arm1.drive={rotor_inertia: 0.1, stiffness: 2e5, damping: 20}",
         "robot.links.arm3.drive={rotor_inertia: 2e-6, gear_ratio: 100, stiffness: 1500, damping: "
         "1.5}",
         fmt::format("task.path={{line: {{from: [0, 0, {0}], to: [{1}, 0, {0}]}}, duration: 0.5, "
                     "profile: polynomial11}}",
                     -0.6 * length, 0.1 * length),
         fmt::format("task.start.near={{arm1: 0.3, forearm1.ry: 1.5, arm2: 0.3, forearm2.ry: 1.5, "
                     "arm3: 0.3, forearm3.ry: 1.5, arm4: 0.3, forearm4.ry: 1.5, platform.z: {}}}",
                     -0.6 * length)});
    job.robot = resized(job.robot, length);
    const Posed posed = pose(job);
    ASSERT_TRUE(posed.problem.is_redundant());
    EXPECT_TRUE(jets_apply(posed.problem, posed.start.q)) << length;
  }
}

// Law: which joint is integrated does not depend on the unit of length.
TEST(InternalDynamics, integrates_the_same_joint_in_any_unit) {
  const Job job = case_job("slide_on_arm");
  std::vector<int> free;
  for (const double length : {1e-3, 1.0, 1e3}) {
    const InverseProblem problem(Robot(resized(job.robot, length)), job.task);
    InternalDynamics dynamics(problem);
    Vector q(2);
    q << -0.96, 0.1 * length;
    dynamics.choose(q);
    ASSERT_EQ(dynamics.free_joints().size(), 1u);
    if (free.empty()) free = dynamics.free_joints();
    EXPECT_EQ(dynamics.free_joints(), free) << length;
  }
}

}  // namespace
}  // namespace tauflex

// Inverse dynamics through a spherical joint: a gantry carries a load that hangs on a ball joint
// and turns freely. The quaternion goes through BDF, Newton and the proof.
#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {
namespace {

Job gantry(const std::string& drive) {
  return read_job(Node::read_text(R"(
tauflex: 1
robot:
  gravity: [0, 0, -9.81]
  links:
    - {name: bridge, joint: {parent: world, type: prismatic, axis: x}, drive: )" +
                                      drive + R"(, mass: 20}
    - {name: trolley, joint: {parent: bridge, type: prismatic, axis: y}, drive: )" +
                                      drive + R"(, mass: 10}
    - {name: load, joint: {parent: trolley, type: spherical}, mass: 5, com: [0.1, 0, -1], inertia: {xx: 0.3, yy: 0.2, zz: 0.4}}
  frames:
    hook: {link: load, at: [0, 0, -1.2]}
  springs:
    - {name: brake, frames: [trolley_side, hook], stiffness: 30, damping: 20, length: 1.3}
task:
  outputs: [bridge, trolley]
  path: {line: {from: [0, 0], to: [0.8, 0.5]}, duration: 1, profile: polynomial11}
verification: {torque: smooth}
)",
                                  "gantry.yaml"),
                  "gantry");
}

Job gantry_with_brake(const std::string& drive) {
  Job job = gantry(drive);
  job.robot.frames.push_back({"trolley_side", "trolley", {Matrix3::Identity(), {0.3, 0.1, 0}}, ""});
  job.plant = job.robot;
  return job;
}

TEST(Quaternions, BlockwiseAndMonolithicAgree) {
  for (const char* drive : {"{}", "{rotor_inertia: 2, stiffness: 4e4, damping: 100}"}) {
    const Posed posed = pose(gantry_with_brake(drive));
    ASSERT_EQ(posed.problem.robot().nq(), posed.problem.robot().nv() + 1);
    const BdfOptions options{.order = 3, .step = 0.005};
    BdfOptions whole = options;
    whole.form = BdfForm::monolithic;
    const Solution a = solve(posed.problem, posed.start, options),
                   b = solve(posed.problem, posed.start, whole);
    ASSERT_EQ(a.status, Status::solved) << a.message;
    ASSERT_EQ(b.status, Status::solved) << b.message;
    EXPECT_LT((a.q - b.q).cwiseAbs().maxCoeff(), 1e-10);
    EXPECT_LT((a.u - b.u).cwiseAbs().maxCoeff(), 1e-7 * a.u.cwiseAbs().maxCoeff());
    for (Eigen::Index i = 0; i < a.t.size(); ++i)
      EXPECT_NEAR(
          a.q.col(i).segment<4>(posed.problem.robot().coordinates().quaternions[0].q).norm(), 1,
          1e-14);
    // the load really turns about all axes
    const auto v = a.v.middleRows(posed.problem.robot().coordinates().quaternions[0].v, 3);
    for (int axis = 0; axis < 3; ++axis) EXPECT_GT(v.row(axis).cwiseAbs().maxCoeff(), 0.01);
  }
}

TEST(Quaternions, TheProofReturnsThePath) {
  for (const char* drive : {"{}", "{rotor_inertia: 2, stiffness: 4e4, damping: 100}"}) {
    const Record record = run(gantry_with_brake(drive));
    ASSERT_TRUE(record.verification) << record.solution.message;
    EXPECT_EQ(record.verification->status, Status::solved) << record.verification->message;
    EXPECT_LT(*record.verification->max_tool_error_m, 1e-6);  // m; BDF of order 4
    EXPECT_LT(record.verification->energy_balance_error, 1e-8);
  }
}

TEST(Quaternions, OrderOfConvergence) {
  const Posed posed = pose(gantry_with_brake("{}"));
  const auto torque = [&](int order, double step) {
    const Solution s = solve(posed.problem, posed.start, BdfOptions{.order = order, .step = step});
    EXPECT_EQ(s.status, Status::solved) << s.message;
    return Matrix(s.u(Eigen::all, Eigen::seq(0, Eigen::last, static_cast<int>(0.02 / step + 0.5))));
  };
  for (const int order : {1, 2, 3}) {
    const Matrix a = torque(order, 0.004), b = torque(order, 0.002), c = torque(order, 0.001);
    const auto tail = a.cols() - 5;  // past the corner of the path at its start
    const double ratio = (a - b).rightCols(tail).norm() / (b - c).rightCols(tail).norm();
    EXPECT_NEAR(std::log2(ratio), order, 0.25) << order;
  }
}

}  // namespace
}  // namespace tauflex

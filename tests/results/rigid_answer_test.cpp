// What rigid torques would do, beside the proof: against a computation that shares only rigid_twin,
// inverse dynamics and simulate with it.
#include "tauflex/results/rigid_answer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "example_jobs.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/model/rigid_twin.hpp"
#include "tauflex/planning/plan.hpp"
#include "tauflex/plant/simulate.hpp"
#include "tauflex/problem/inverse_kinematics.hpp"
#include "tauflex/results/record_json.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

// A six-axis arm with the lengths and masses of a UR5, elastic in its joints.
Job ur_like() { return read_job(TAUFLEX_SOURCE_DIR "/tests/results/jobs/ur_like.yaml"); }

Job job_of(const std::string& name) { return name == "ur_like" ? ur_like() : example_job(name); }

// The largest distance of the simulated tool from its path under rigid torques `step` apart,
// measured at as many times as the rigid run has.
double independent_rigid_error(const Job& job, double step, Eigen::Index times) {
  const Posed posed = plan(job);
  const InverseProblem& problem = posed.problem;
  const Robot& robot = problem.robot();
  const Vector& start = posed.start.q;
  const Robot twin = rigid_twin(robot, start);
  Task task = problem.task();
  task.near.clear();
  for (int i = 0; i < twin.nq(); ++i) {
    const std::string& name = twin.coordinates().names[i];
    task.near[name] = start[robot.coordinates().find(name)];
  }
  const Solution rigid = solve(InverseProblem(twin, task), ExactOptions{.step = step});
  EXPECT_EQ(rigid.status, Status::solved) << rigid.message;
  ForwardProblem forward(posed.plant, TorqueSignal(rigid.t, rigid.u, job.verification.torque));
  const auto parts = static_cast<Eigen::Index>(
      std::ceil(400 / static_cast<double>(times - 1) * (1 - 1e-9)));  // as a proof measures
  const Vector fine = Vector::LinSpaced(parts * (times - 1) + 1, problem.begin(), problem.end());
  const Simulation run =
      simulate(forward, start, Vector::Zero(robot.nv()), fine, job.verification.simulation);
  EXPECT_EQ(run.status, Status::solved) << run.message;
  MechanicsData data(robot);
  Vector y(problem.output_count()), wanted = y;
  double largest = 0;
  for (Eigen::Index i = 0; i < run.t.size(); ++i) {
    kinematics<double>(robot, data, run.q.col(i));
    output_values(robot, data, run.q.col(i), run.lambda.col(i), problem.outputs(), y);
    path_values<double>(problem.path(), run.t[i], wanted);
    largest = std::max(largest,
                       largest_error(problem.outputs(), Quantity::length, y, wanted).value_or(0));
  }
  return largest;
}

class RigidAnswers : public testing::TestWithParam<const char*> {};

TEST_P(RigidAnswers, AreThoseOfAnIndependentComputation) {
  const Job job = job_of(GetParam());
  const Record record = run(job);
  ASSERT_TRUE(record.rigid);
  ASSERT_TRUE(record.rigid->run) << record.rigid->left_out;
  const double wanted =
      independent_rigid_error(job, record.solution.step, record.rigid->run->t.size());
  EXPECT_GT(wanted, 100 * *record.verification->max_tool_error_m);
  EXPECT_NEAR(*record.rigid->run->max_tool_error_m, wanted,
              1e-6 * wanted);  // asked for; the run leaves 1e-7 in each step
}

INSTANTIATE_TEST_SUITE_P(Arms, RigidAnswers, testing::Values("e12", "six_axis_elastic", "ur_like"));

TEST(RigidAnswer, IsInTheRecord) {
  const Record record = run(example_job("e12"));
  const auto json = nlohmann::json::parse(record_json(record))["rigid"];
  EXPECT_EQ(json["max_tool_error_m"], *record.rigid->run->max_tool_error_m);
  EXPECT_TRUE(json["left_out"].is_null());
  EXPECT_EQ(json["mode"], "open_loop");
  EXPECT_EQ(json["peak_torque"].size(), 2u);
}

TEST(RigidAnswer, IsLeftOutWithAReasonWhereItMeansNothing) {
  EXPECT_FALSE(run(example_job("rigid_2r")).rigid);  // nothing is elastic
  EXPECT_FALSE(run(example_job("e12", {"rigid=off"})).rigid);
  EXPECT_FALSE(run(example_job("e12"), Until::solved).rigid);
  const auto why = [](const Job& job) {
    const Record record = run(job);
    EXPECT_TRUE(record.rigid && !record.rigid->run);
    return record.rigid ? record.rigid->left_out : "";
  };
  EXPECT_EQ(why(example_job("e12_linearized")), "the dynamics are linearised");
  EXPECT_EQ(why(example_job("e12", {"verification.mode=segments"})),
            "open loop, errors grow by a factor of 1e0 over this motion, so that no open-loop run "
            "can tell torques apart");
}

// With drives a thousand times as stiff, and the hand as well, the rigid answer becomes right.
TEST(RigidAnswer, BecomesRightWhereNothingGives) {
  const Record record = run(example_job("flexible_joint", {"robot.links.0.drive.stiffness=1e8"}));
  ASSERT_TRUE(record.rigid && record.rigid->run);
  EXPECT_LT(*record.rigid->run->max_orientation_error_rad,
            1e-4 * 0.0224);  // rad; what it was, and inversely as the stiffness
}

// PD on the motors holds the rigid answer near its path, where the torques alone lose it.
TEST(RigidAnswer, HasTheFeedbackOfTheJob) {
  const Record open = run(example_job("e12"));
  const Record fed = run(example_job("e12", {"verification.mode=feedback"}));
  ASSERT_TRUE(open.rigid->run && fed.rigid->run) << fed.rigid->left_out;
  EXPECT_EQ(fed.rigid->run->mode, VerificationMode::feedback);
  EXPECT_TRUE(fed.rigid->run->commanded);
  EXPECT_NE(*fed.rigid->run->max_tool_error_m, *open.rigid->run->max_tool_error_m);
}

}  // namespace
}  // namespace tauflex

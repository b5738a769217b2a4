// Industrial arms: springs in several directions, gears, redundancy.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/planning/least_torque_posture.hpp"
#include "tauflex/results/free_run.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/trajectory/rest_series.hpp"

namespace tauflex {
namespace {

class IndustrialArm : public testing::TestWithParam<const char*> {};

TEST_P(IndustrialArm, IsMinimumPhaseSolvedAndVerified) {
  const Record record = run(example_job(GetParam()));
  EXPECT_TRUE(record.diagnosis.minimum_phase);
  ASSERT_TRUE(record.verification) << record.solution.message;
  EXPECT_EQ(record.verification->status, Status::solved) << record.verification->message;
  EXPECT_LT(record.verification->max_tool_error_m.value_or(0), 1e-4);           // m; asked for
  EXPECT_LT(record.verification->max_orientation_error_rad.value_or(0), 1e-4);  // rad; asked for
}

TEST_P(IndustrialArm, MonolithicAndBlockwiseAgree) {
  const Posed posed = pose(example_job(GetParam()));
  const auto solved = [&](BdfForm form) {
    return solve(posed.problem, posed.start, BdfOptions{.order = 3, .step = 0.005, .form = form});
  };
  const Solution a = solved(BdfForm::blockwise), b = solved(BdfForm::monolithic);
  ASSERT_EQ(a.status, Status::solved) << a.message;
  ASSERT_EQ(b.status, Status::solved) << b.message;
  // rounding 1e-16 in q through K / (J_m h^3)
  EXPECT_LT((a.u - b.u).cwiseAbs().maxCoeff(), 1e-5 * a.u.cwiseAbs().maxCoeff());
}

INSTANTIATE_TEST_SUITE_P(Examples, IndustrialArm,
                         testing::Values("moberg_8dof", "six_axis_elastic", "seven_axis",
                                         "wrist_coupling", "payload_friction"));

TEST(SixAxis, HasEighteenDegreesOfFreedom) {
  const Robot robot(example_job("six_axis_elastic").robot);
  EXPECT_EQ(robot.nv(), 18);
  EXPECT_EQ(robot.rotors(), 6);
  EXPECT_GE(robot.coordinates().find("column.rx"), 0);
  EXPECT_EQ(robot.coordinates().find("axis2"), robot.coordinates().find("lower"));
}

// Drives that hardly give: the torques of the rigid robot.
TEST(Limits, StiffDrivesAreRigid) {
  Job stiff = example_job("wrist_coupling");
  stiff.robot.transmissions.clear();
  Job rigid = stiff;
  for (Link& link : stiff.robot.links) {
    link.drive->elastic->stiffness *= 1e6;
    link.drive->elastic->damping *= 1e6;
  }
  for (Link& link : rigid.robot.links) link.drive->elastic.reset();
  stiff.plant = stiff.robot;
  rigid.plant = rigid.robot;
  const Posed a = pose(stiff), b = pose(rigid);
  const Solution s = solve(a.problem, a.start, BdfOptions{.order = 4, .step = 0.002}),
                 r = solve(b.problem, b.start, ExactOptions{.step = 0.002});
  ASSERT_EQ(s.status, Status::solved) << s.message;
  ASSERT_EQ(r.status, Status::solved) << r.message;
  const auto tail = s.t.size() - 30;  // past the start, where BDF meets the corner of the path
  EXPECT_LT((s.u - r.u).rightCols(tail).cwiseAbs().maxCoeff(),
            1e-4 * r.u.cwiseAbs().maxCoeff());  // asked for
}

// n and J on the motor side are n^2 J on the joint side; torques scale by 1/n, angles by n.
TEST(Gears, RatioIsAChangeOfUnits) {
  const Job geared = example_job("payload_friction");
  Job direct = geared;
  for (Link& link : direct.robot.links) {
    const double n = link.drive->gear_ratio;
    link.drive->rotor_inertia *= n * n;
    link.drive->friction *= n * n;
    link.drive->coulomb *= n;
    link.drive->coulomb_speed /= n;
    link.drive->gear_ratio = 1;
  }
  direct.plant = direct.robot;
  const Posed a = pose(geared), b = pose(direct);
  const BdfOptions options{.order = 3, .step = 0.004};
  const Solution s = solve(a.problem, a.start, options), r = solve(b.problem, b.start, options);
  for (int d = 0; d < 2; ++d) {
    const double n = a.problem.robot().actuation().drives[static_cast<size_t>(d)].gear_ratio;
    EXPECT_LT((s.u.row(d) * n - r.u.row(d)).cwiseAbs().maxCoeff(),
              1e-8 * r.u.row(d).cwiseAbs().maxCoeff());  // rounding through h^-3
  }
}

TEST(Springs, InSeriesNeedAMassBetweenThem) {
  Job job = example_job("wrist_coupling");
  job.robot.links[1].springs.free[4] = true;  // about y, as the joint itself
  job.robot.links[1].springs.spring[4] = {.stiffness = 1e4};
  job.plant = job.robot;
  try {
    pose(job);
    FAIL();
  } catch (const ProblemError& error) {
    EXPECT_NE(
        std::string(error.what()).find("'bend.ry' and 'bend' can move without moving any mass"),
        std::string::npos)
        << error.what();
  }
}

// As tables of their makers give them: soft where lightly loaded, or softer when heavily loaded.
TEST(Springs, TablesAreSolvedAndVerified) {
  const std::string hardens = "[[0, 0], [0.001, 15], [0.002, 45], [0.004, 125], [0.008, 320]]",
                    softens = "[[-0.008, -90], [-0.002, -40], [0, 0], [0.001, 40], [0.01, 150]]";
  const auto drive = [](const char* link, const std::string& table) {
    return fmt::format(
        "robot.links.{}.drive={{rotor_inertia: 4e-4, gear_ratio: 120, damping: 30, table: {}}}",
        link, table);
  };
  const Job job =
      example_job("payload_friction", {drive("upper", hardens), drive("fore", softens)});
  const Record record = run(job);
  ASSERT_TRUE(record.verification) << record.solution.message;
  EXPECT_EQ(record.verification->status, Status::solved) << record.verification->message;
  EXPECT_LT(record.verification->max_tool_error_m.value_or(1), 1e-4);  // m; asked for
  EXPECT_LT(record.verification->energy_balance_error, 1e-6);
  const Posed posed = pose(job);
  const auto solved = [&](BdfForm form) {
    return solve(posed.problem, posed.start, BdfOptions{.order = 3, .step = 0.005, .form = form});
  };
  const Solution a = solved(BdfForm::blockwise), b = solved(BdfForm::monolithic);
  ASSERT_EQ(b.status, Status::solved) << b.message;
  EXPECT_LT((a.u - b.u).cwiseAbs().maxCoeff(), 1e-5 * a.u.cwiseAbs().maxCoeff());  // K / (J h^3)
}

TEST(Springs, TableOfALineIsALinearSpring) {
  const auto torques = [](const std::string& spring) {
    const Posed posed = pose(example_job(
        "payload_friction", {"robot.links.upper.drive={rotor_inertia: 4e-4, gear_ratio: "
                             "120, damping: 30, " +
                             spring + "}"}));
    return solve(posed.problem, posed.start, BdfOptions{.order = 3, .step = 0.004}).u;
  };
  const Matrix linear = torques("stiffness: 3e4"),
               table = torques("table: [[0, 0], [0.001, 30], [0.003, 90]]");
  EXPECT_LT((linear - table).cwiseAbs().maxCoeff(),
            1e-8 * linear.cwiseAbs().maxCoeff());  // rounding through h^-3
}

TEST(Drives, LimitsAreWatched) {
  const Record record = run(
      example_job("payload_friction", {"robot.links.upper.drive.limits={torque: 2, speed: 10}"}),
      Until::solved);
  ASSERT_EQ(record.warnings.size(), 2u);
  EXPECT_TRUE(record.warnings[0].starts_with("the torque of 'upper' reaches 3.784 N m at t = "))
      << record.warnings[0];
  EXPECT_TRUE(record.warnings[0].ends_with(" s, above its limit of 2")) << record.warnings[0];
  EXPECT_NE(record.warnings[1].find("the motor speed of 'upper' reaches"), std::string::npos);
}

TEST(SevenAxis, OneJointKeepsThePosture) {
  const Record record = run(example_job("seven_axis"));
  ASSERT_EQ(record.warnings.size(), 1u);
  EXPECT_EQ(record.warnings[0],
            "7 drives for 6 outputs: the posture is kept by holding 'link3' at 0.32332");
  ASSERT_EQ(record.diagnosis.self_motion.cols(), 1);
  EXPECT_NEAR(record.diagnosis.self_motion.col(0).norm(), 1, 1e-12);
  const int held = record.robot.coordinates().find("link3");
  const auto row = record.solution.q.row(held);
  EXPECT_LT(row.maxCoeff() - row.minCoeff(), 1e-12);
}

// The weight decides between the posture and the torque; the elastic arm profits too.
TEST(SevenAxis, LeastTorqueSavesTorque) {
  const Record held = run(example_job("seven_axis"), Until::solved);
  const Record moved = run(example_job("seven_axis", {"task.posture={least_torque: 0.1}"})),
               kept = run(example_job("seven_axis", {"task.posture={least_torque: 1e6}"}),
                          Until::solved);
  ASSERT_TRUE(moved.verification) << moved.solution.message;
  EXPECT_EQ(moved.verification->status, Status::solved) << moved.verification->message;
  EXPECT_LT(moved.verification->max_tool_error_m.value_or(1), 1e-4);           // m; asked for
  EXPECT_LT(moved.verification->max_orientation_error_rad.value_or(1), 1e-4);  // rad
  const double before = torque_squared(held.solution), after = torque_squared(moved.solution);
  EXPECT_LT(after, 0.97 * before);
  EXPECT_NEAR(torque_squared(kept.solution), before, 1e-3 * before);
  const int joint = moved.robot.coordinates().find("link3");
  EXPECT_GT((moved.solution.q.row(joint).array() - moved.solution.q(joint, 0)).abs().maxCoeff(),
            0.01);
  EXPECT_EQ(moved.solution.q.col(0), held.solution.q.col(0));  // the same start
  EXPECT_EQ(moved.solution.t.size(), held.solution.t.size());  // and the same step
  ASSERT_EQ(moved.warnings.size(), 1u);
  EXPECT_NE(moved.warnings[0].find("the posture of least torque moves 'link3' from 0.32332 to "),
            std::string::npos)
      << moved.warnings[0];
  RecordProperty("saved", fmt::format("{:.4g} of {:.4g}", before - after, before));
}

// A minimum: a step in any coefficient, either way, costs more. Seen through the torques of the
// rigid arm alone, with weight 0.
TEST(SevenAxis, LeastTorqueIsAMinimum) {
  Job job = example_job("seven_axis", {"task.posture={least_torque: 0}"});
  for (Link& link : job.robot.links) link.drive->elastic.reset();
  job.plant = job.robot;
  const Posed posed = plan(job);
  const auto cost = [&](int term, double step) {
    Task task = posed.problem.task();
    Matrix c = Matrix::Zero(7, term + 1);
    c(6, term) = step;
    // the same path with a little of one term more
    struct Sum final : OutputPath {
      std::shared_ptr<const OutputPath> a, b;
      int size() const override { return a->size(); }
      double duration() const override { return a->duration(); }
      void derivatives(double t, MatrixOut y) const override {
        Matrix other(y.rows(), y.cols());
        a->derivatives(t, y);
        b->derivatives(t, other);
        y += other;
      }
      std::vector<Corner> corners() const override { return a->corners(); }
    };
    const auto sum = std::make_shared<Sum>();
    sum->a = task.path;
    sum->b = std::make_shared<RestSeries>(Vector::Zero(7), c, task.path->duration());
    task.path = sum;
    const InverseProblem problem(posed.problem.robot(), task);
    return torque_squared(solve(problem, posed.start, ExactOptions{.step = 0.006}));
  };
  const double least = cost(0, 0);
  for (int term = 0; term < 5; ++term) {
    EXPECT_GT(cost(term, 1e-2), least) << term;
    EXPECT_GT(cost(term, -1e-2), least) << term;
  }
}

TEST(SevenAxis, LeastTorqueNeedsAPostureToChoose) {
  const auto message = [](const Job& job) -> std::string {
    try {
      plan(job);
    } catch (const ProblemError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(message(example_job("six_axis_elastic", {"task.posture={least_torque: 1}"}))
                .find("task.posture: there is no posture to choose: 6 drives for 6 outputs"),
            std::string::npos);
  EXPECT_EQ(message(example_job("seven_axis", {"task.posture={least_torque: 1}"})), "no error");
}

// Springs that bend are fixed while the curves are sought.
TEST(SevenAxis, LeastTorqueOfAnArmOnSprings) {
  Job job = example_job("seven_axis", {"task.posture={least_torque: 0.1}"});
  job.robot.links[1].springs.free[3] = true;
  job.robot.links[1].springs.spring[3] = {.stiffness = 2e5, .damping = 100};
  job.plant = job.robot;
  const Record moved = run(job, Until::solved);
  ASSERT_EQ(moved.solution.status, Status::solved) << moved.solution.message;
  job.task.least_torque.reset();
  const Record held = run(job, Until::solved);
  EXPECT_LT(torque_squared(moved.solution), 0.97 * torque_squared(held.solution));
}

// What is held is an output too, in free runs as well.
TEST(SevenAxis, FreeRunsHaveAColumnForEveryOutput) {
  const Job job = example_job("seven_axis");
  const FreeRun result = simulate_job(job, {.duration = 0.02});
  ASSERT_EQ(result.y.rows(), 7);
  const Table table = free_run_table(job, result);
  EXPECT_EQ(static_cast<size_t>(table.values.cols()), table.columns.size());
  EXPECT_GE(table.find("y.link3"), 0);
}

TEST(Springs, DoNotTakeTheRangeOfTheirJoint) {
  Job job = example_job("six_axis_elastic");
  const Robot robot(job.robot);
  EXPECT_EQ(robot.coordinates().highest[robot.coordinates().find("lower")], 1.5);
  EXPECT_EQ(robot.coordinates().highest[robot.coordinates().find("lower.rx")],
            std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace tauflex

// Industrial arms: springs in several directions, gears, poses, redundancy; in MuJoCo as well.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <Eigen/Geometry>
#include <cstring>
#include <memory>

#include "example_jobs.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/math/rotation_vector.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/planning/least_torque_posture.hpp"
#include "tauflex/problem/find_outputs.hpp"
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

// The tool turns the shortest way: at half of the smoothstep it has turned half of the angle.
TEST(Orientation, FollowsTheGeodesic) {
  const Job job = example_job("wrist_coupling");
  const Record record = run(job, Until::solved);
  MechanicsData data(record.robot);
  const Frame& tool = record.robot.frames()[static_cast<size_t>(record.robot.find_frame("tool"))];
  const auto rotation = [&](Eigen::Index i) -> Matrix3 {
    kinematics<double>(record.robot, data, record.solution.q.col(i));
    return data.R[static_cast<size_t>(tool.body)] * tool.X_BF.R;
  };
  const Matrix3 from = rotation_from_vector<double>({0, 0.4, 0}),
                to = rotation_from_vector<double>({0.9, 0.2, 0.5});
  const auto last = record.solution.t.size() - 1;
  EXPECT_LT((rotation(0) - from).norm(), 1e-9);
  EXPECT_LT((rotation(last) - to).norm(), 1e-9);
  const Matrix3 half =
      from * rotation_from_vector<double>(0.5 * rotation_vector(from.transpose() * to));
  EXPECT_LT((rotation(last / 2) - half).norm(), 1e-9);
}

// A circle with a turn on the way.
TEST(Orientation, TurnsOnACircle) {
  const Record record = run(example_job(
      "six_axis_elastic",
      {"task.path={circle: {from: [1.6, -0.3, 1.2, 0, 0.6, 0], center: [1.6, -0.1, 1.2], angle: 3, "
       "normal: [1, 0, 0], turn_to: [0, 0.6, 0.3]}, duration: 1, profile: polynomial11}"}));
  ASSERT_TRUE(record.verification) << record.solution.message;
  EXPECT_EQ(record.verification->status, Status::solved) << record.verification->message;
  const auto last = record.solution.t.size() - 1;
  EXPECT_NEAR(record.solution.y(1, last), -0.1 - 0.2 * std::cos(3.0), 1e-9);
  EXPECT_NEAR(record.solution.y(2, last), 1.2 - 0.2 * std::sin(3.0), 1e-9);
  const Matrix3 from = rotation_from_vector<double>({0, 0.6, 0}),
                to = rotation_from_vector<double>({0, 0.6, 0.3});
  EXPECT_LT(
      (Vector3(record.solution.y.col(last).tail<3>()) - rotation_vector(from.transpose() * to))
          .norm(),
      1e-9);
}

// Joint coordinates that are called rx, ry, rz are no orientation.
TEST(Orientation, IsNotWhatIsCalledAlike) {
  Job job = example_job("wrist_coupling");
  const Outputs outputs = find_outputs(Robot(job.robot), job.task);
  EXPECT_EQ(outputs.rows[1].name, "tool.ry");
  ASSERT_EQ(outputs.groups.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<OrientationOutput>(outputs.groups[0].rule));
  job.task.outputs = {"tool.rx", "tool.ry", "tool.rz"};
  job.task.orientations.clear();
  EXPECT_THROW(find_outputs(Robot(job.robot), job.task), InputError);
}

// A tool draws a line on a part while the table under it turns.
TEST(WorkObject, MayMove) {
  const Record record = run(read_job(Node::read_text(R"(
tauflex: 1
robot:
  links:
    - {name: table, joint: {parent: world, at: [0.6, 0, 0.2], type: revolute, axis: y}, mass: 5,
       com: [0.05, 0, 0], inertia: {yy: 0.3}, drive: {rotor_inertia: 0.01, stiffness: 4000, damping: 4}}
    - {name: upper, joint: {parent: world, type: revolute, axis: -y}, mass: 6, com: [0.25, 0, 0],
       inertia: {yy: 0.2}, drive: {rotor_inertia: 2e-4, gear_ratio: 80, stiffness: 2e4, damping: 20}}
    - {name: fore, joint: {parent: upper, at: [0.5, 0, 0], type: revolute, axis: -y}, mass: 4,
       com: [0.2, 0, 0], inertia: {yy: 0.1}, drive: {rotor_inertia: 2e-4, gear_ratio: 80, stiffness: 2e4, damping: 20}}
  frames:
    tool: {link: fore, at: [0.4, 0, 0]}
    part: {link: table, at: [0, 0, 0.1], rpy: [0, 0.2, 0]}
task:
  outputs: [tool.x, tool.z, table]
  frame: part
  path: {line: {from: [-0.05, 0.02, 0], to: [0.05, 0.02, 0.6]}, duration: 0.8, profile: polynomial11}
  start: {near: {upper: 1.2, fore: -1.5}}
verification: {tolerance: 1e-4, torque: smooth}
)",
                                                     "table.yaml"),
                                     "table"));
  ASSERT_TRUE(record.verification) << record.solution.message;
  EXPECT_EQ(record.verification->status, Status::solved) << record.verification->message;
  EXPECT_LT(record.verification->max_tool_error_m.value_or(1), 1e-4);  // m; asked for
  const Robot& robot = record.robot;
  MechanicsData data(robot);
  const auto last = record.solution.t.size() - 1;
  for (const auto i : {Eigen::Index(0), last / 2, last}) {
    const double turn = record.solution.q(robot.coordinates().find("table"), i);
    const double along = -0.05 + 0.1 * turn / 0.6;
    kinematics<double>(robot, data, record.solution.q.col(i));
    const Vector3 tool =
        frame_position(data, robot.frames()[static_cast<size_t>(robot.find_frame("tool"))]);
    const Vector3 expected =
        Vector3(0.6, 0, 0.2) +
        rotation_from_rpy({0, turn, 0}) *
            (Vector3(0, 0, 0.1) + rotation_from_rpy({0, 0.2, 0}) * Vector3(along, 0, 0.02));
    EXPECT_LT((tool - expected).norm(), 1e-9);
  }
  // and the exact method, with the acceleration of the part, gives the torques of rigid drives
  Job rigid = record.job;
  for (Link& link : rigid.robot.links) link.drive->elastic.reset();
  rigid.plant = rigid.robot;
  const Record exact = run(rigid);
  EXPECT_EQ(exact.solution.method, "exact");
  ASSERT_TRUE(exact.verification) << exact.solution.message;
  EXPECT_LT(exact.verification->max_tool_error_m.value_or(1), 1e-4);
}

// In a frame that is fixed to the world but turned and moved: the same motion in the world.
TEST(WorkObject, PathsAreMeantInItsFrame) {
  const Record in_world = run(example_job("rigid_2r"), Until::solved);
  Job job = example_job(
      "rigid_2r",
      {"task.frame=bench", "task.path={line: {from: [0.1, 0.2], to: [0.2, 0.1]}, duration: 1}"});
  job.robot.frames.push_back(
      {"bench", "world", {rotation_from_rpy({0, 0.3, 0}), Vector3(0.4, 0, 0.1)}, ""});
  job.plant = job.robot;
  const Record record = run(job);
  ASSERT_TRUE(record.verification);
  EXPECT_EQ(record.verification->status, Status::solved) << record.verification->message;
  MechanicsData data(record.robot);
  kinematics<double>(record.robot, data, record.solution.q.col(0));
  const Frame& tool = record.robot.frames()[static_cast<size_t>(record.robot.find_frame("tool"))];
  const Vector3 expected =
      rotation_from_rpy({0, 0.3, 0}) * Vector3(0.1, 0, 0.2) + Vector3(0.4, 0, 0.1);
  const Vector3 p = frame_position(data, tool);
  EXPECT_NEAR(p[0], expected[0], 1e-9);
  EXPECT_NEAR(p[2], expected[2], 1e-9);
}

// --- MuJoCo ---

std::string numbers(const Vector& x) {
  std::string text;
  for (const double number : x) text += fmt::format("{}{:.17g}", text.empty() ? "" : " ", number);
  return text;
}

std::string quaternion(const Matrix3& R) {
  const Eigen::Quaterniond r(R);
  return numbers(Eigen::Vector4d(r.w(), r.x(), r.y(), r.z()));
}

// Every body of a robot with one-axis joints as a MuJoCo body, rotors beside it, springs as
// tendons.
std::string mujoco_model(const Robot& robot) {
  const auto& bodies = robot.tree().bodies;
  const auto spring = [&](int dof) {
    for (const SpringEntry& e : robot.springs().joint)
      if (e.row == dof && e.column == dof) return e;
    return SpringEntry{dof, dof, 0, 0};
  };
  const std::function<std::string(int)> children = [&](int parent) {
    std::string text;
    for (size_t i = 0; i < bodies.size(); ++i) {
      const Body& body = bodies[i];
      if (body.parent != parent) continue;
      const Matrix3 I = body.inertia;
      // bodies between two directions have next to no mass
      const double mass = std::max(body.mass, 1e-8);
      const Vector3 d = I.diagonal().cwiseMax(1e-8);
      EXPECT_LT((I - Matrix3(I.diagonal().asDiagonal())).norm(), 1e-12);
      text += fmt::format(
          R"(<body pos="{}" quat="{}"><inertial pos="{}" mass="{:.17g}" diaginertia="{}"/>)",
          numbers(body.p_PB), quaternion(body.R_PB), numbers(body.com), mass, numbers(d));
      if (body.v_count == 1) {
        const SpringEntry s = spring(body.v_begin);
        text += fmt::format(
            R"(<joint name="j{}" type="{}" axis="0 0 1" stiffness="{:.17g}" damping="{:.17g}"/>)",
            body.v_begin, body.type == JointType::revolute ? "hinge" : "slide", s.stiffness,
            s.damping);
      }
      for (const Frame& frame : robot.frames())
        if (frame.body == static_cast<int>(i) && frame.name == "tool")
          text += fmt::format(R"(<site name="tool" pos="{}" quat="{}"/>)", numbers(frame.X_BF.p),
                              quaternion(frame.X_BF.R));
      text += children(static_cast<int>(i)) + "</body>";
    }
    return text;
  };
  std::string rotors, tendons;
  for (int k = 0; k < robot.rotors(); ++k) {
    const DriveLayout& drive = robot.actuation().elastic_drive(k);
    rotors += fmt::format(
        R"(<body><inertial pos="0 0 0" mass="1" diaginertia="{0:.17g} {0:.17g} {0:.17g}"/><joint name="j{1}" axis="0 0 1"/></body>)",
        drive.rotor_inertia, drive.rotor_v);
    tendons += fmt::format(
        R"(<fixed stiffness="{:.17g}" damping="{:.17g}"><joint joint="j{}" coef="{:.17g}"/><joint joint="j{}" coef="-1"/></fixed>)",
        robot.actuation().springs[static_cast<size_t>(k)].stiffness,
        robot.actuation().springs[static_cast<size_t>(k)].damping, drive.rotor_v,
        1 / drive.gear_ratio, drive.joint_v);
  }
  return fmt::format(
      R"(<mujoco><compiler angle="radian" balanceinertia="false" boundmass="0" boundinertia="0" inertiafromgeom="false" fusestatic="false"/>)"
      R"(<option gravity="{}" timestep="1e-4" integrator="RK4"><flag contact="disable" constraint="disable"/></option>)"
      R"(<worldbody>{}{}</worldbody><tendon>{}</tendon></mujoco>)",
      numbers(robot.gravity()), children(-1), rotors, tendons);
}

TEST(MuJoCo, SixAxisWithOurTorquesReturnsThePath) {
  const Record record = run(example_job("six_axis_elastic"), Until::solved);
  const Solution& s = record.solution;
  const Robot& robot = record.robot;
  const std::string xml = mujoco_model(robot);
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "arm.xml", static_cast<int>(xml.size()));
  std::memcpy(files->filedata[0], xml.data(), xml.size());
  char error[500] = "";
  const std::unique_ptr<mjModel, decltype(&mj_deleteModel)> model(
      mj_loadXML("arm.xml", files.get(), error, sizeof error), mj_deleteModel);
  mj_deleteVFS(files.get());
  ASSERT_NE(model, nullptr) << error;
  ASSERT_EQ(model->nv, robot.nv());
  const std::unique_ptr<mjData, decltype(&mj_deleteData)> data(mj_makeData(model.get()),
                                                               mj_deleteData);
  std::vector<int> dof;
  for (int k = 0; k < robot.nv(); ++k) {
    const int id = mj_name2id(model.get(), mjOBJ_JOINT, fmt::format("j{}", k).c_str());
    ASSERT_GE(id, 0);
    dof.push_back(model->jnt_dofadr[id]);
    data->qpos[dof.back()] = s.q(k, 0);
  }
  const TorqueSignal torque(s.t, s.u, Hold::smooth);
  Vector u(6), y(6);
  double worst = 0, worst_turn = 0;
  const Matrix3 R0 = rotation_from_vector<double>({0, 0.6, 0});
  for (int i = 0; i <= 10000; ++i) {
    const double t = i * model->opt.timestep;
    mj_forward(model.get(), data.get());
    path_values<double>(*record.job.task.path, t, y);
    worst = std::max(worst, (Vector3(data->site_xpos) - Vector3(y.head<3>())).norm());
    const Matrix3 R = Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(data->site_xmat);
    const Matrix3 wanted = R0 * rotation_from_vector<double>(Vector3(y.tail<3>()));
    worst_turn = std::max(worst_turn, rotation_vector(wanted.transpose() * R).norm());
    const double middle = t + 0.5 * model->opt.timestep;
    torque.value(middle, torque.interval(middle), u);
    for (int k = 0; k < 6; ++k)
      data->qfrc_applied[dof[static_cast<size_t>(robot.actuation().elastic_drive(k).rotor_v)]] =
          u[k];
    mj_step(model.get(), data.get());
  }
  EXPECT_LT(worst, 1e-4);       // m; asked for
  EXPECT_LT(worst_turn, 1e-4);  // rad
  EXPECT_GT(worst, 0);
  RecordProperty("tool_error_m", fmt::format("{:.3g}", worst));
}

}  // namespace
}  // namespace tauflex

// Consistent starts: equilibrium, branch, and the sentences for starts that do not exist.
#include "tauflex/equations/start.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/motion.hpp"
#include "tauflex/problem/postures.hpp"

namespace tauflex {
namespace {

Job case_job(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return read_job(TAUFLEX_SOURCE_DIR "/tests/cases/" + name + ".yaml", overrides);
}

std::string problem_sentence(const Job& job) {
  try {
    pose(job);
  } catch (const ProblemError& error) {
    return error.what();
  }
  return "";
}

std::string problem_sentence(const std::string& example,
                             const std::vector<std::string>& overrides) {
  return problem_sentence(example_job(example, overrides));
}

TEST(Start, is_an_equilibrium_with_gravity_sag) {
  const Posed posed = pose(example_job("e12_bdf"));
  const Robot& robot = posed.problem.robot();
  MechanicsData data(robot);
  const Vector zero = Vector::Zero(robot.nv());
  Vector r(robot.nv());
  motion_forces<double>(robot, data, posed.start.q, zero, zero, r);
  EXPECT_LT((r - input_matrix(robot) * posed.start.u).cwiseAbs().maxCoeff(),
            1e-8);                    // N m of 6000; rounding
  EXPECT_GT(posed.start.q[2], 1e-3);  // rad; the hand sags
}

// Law: forces in another unit, as another unit of time makes them, are in balance in the same pose.
// The equation of a quaternion's length has no unit of force.
TEST(Start, of_a_rod_between_ball_joints_is_the_same_in_all_units_of_force) {
  const auto at_rest = [](double force) {
    return pose(case_job("hanging_rod",
                         {fmt::format("robot.gravity=[0, 0, {}]", -9.81 * force),
                          fmt::format("robot.links.crank.drive.stiffness={}", 6261.08 * force),
                          fmt::format("robot.links.crank.drive.hardening=[{}]", 342461 * force)}))
        .start.q;
  };
  const Vector usual = at_rest(1);
  for (const double force : {1e-6, 1e-3, 1e3, 1e6})
    EXPECT_LT((at_rest(force) - usual).cwiseAbs().maxCoeff(), 1e-8) << force;  // rows to 1e-9
}

// A four-bar with a spring, all masses and the spring times `mass`: forces of the loop are a
// million times as large, the poses are the same.
TEST(Start, at_rest_on_a_loop_is_the_same_in_all_units_of_mass) {
  const auto at_end = [](double mass) {
    const Job job = read_job(Node::read_text(fmt::format(R"(
tauflex: 1
robot:
  gravity: [0, 0, 0]
  links:
    - {{name: crank, joint: {{parent: world, type: revolute, axis: y}}, drive: {{rotor_inertia: {0}, stiffness: {1}}}, mass: {0}, com: [-0.04323, 0, 0.2063], inertia: {{yy: {0}}}}}
    - {{name: coupler, joint: {{parent: crank, at: [0.0870519, 0, 0.344589], type: revolute, axis: y}}, spring: {{stiffness: {0}}}, mass: {0}, com: [-0.1357, 0, 0.01733], inertia: {{yy: {0}}}}}
    - {{name: rocker, joint: {{parent: world, at: [0.505273, 0, 0.0180431], type: revolute, axis: y}}, mass: {0}, com: [-0.04845, 0, -0.1072], inertia: {{yy: {0}}}}}
  frames:
    tip: {{link: coupler, at: [0.4375681, 0, 0.298668]}}
    pin: {{link: rocker, at: [0.019347, 0, 0.6252139]}}
  constraints:
    - {{name: loop, closure: {{frames: [tip, pin], locked: [x, z]}}}}
task:
  outputs: [crank]
  path: {{line: {{from: [0], to: [-0.3]}}, duration: 1, profile: polynomial11}}
)",
                                                         mass, 5e6 * mass),
                                             "loop.yaml"),
                             "loop");
    const Posed posed = pose(job);
    EXPECT_FALSE(posed.unsolvable) << *posed.unsolvable;
    return posed.points.back().state.q;
  };
  const Vector q = at_end(1);
  for (const double mass : {1e-6, 1e3, 1e6, 1e9})
    EXPECT_LT((at_end(mass) - q).norm(), 1e-9) << mass;  // rad; what counts as at rest
}

// The numbers of a text in another unit of length: those before an L are lengths, before LL areas.
std::string in_unit_of_length(const std::string& text, double unit) {
  std::string scaled;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find_first_not_of("-.0123456789", at);
    if (end == at || end == text.npos || text[end] != 'L') {
      scaled += text[at++];
      continue;
    }
    const bool is_area = text[end + 1] == 'L';
    scaled +=
        fmt::format("{}", *parse_number(text.substr(at, end - at)) * unit * (is_area ? unit : 1));
    at = end + (is_area ? 2 : 1);
  }
  return scaled;
}

// A rod between two ball joints hangs where gravity has no moment about it, however stiff the drive
// of the crank beside it is.
TEST(Start, a_rod_on_ball_joints_hangs_beside_a_stiff_spring) {
  const auto at_rest = [](const std::string& spring) {
    return pose(read_job(Node::read_text(fmt::format(R"(
tauflex: 1
robot:
  gravity: [0, 0, -9.81]
  links:
    - {{name: crank, joint: {{parent: world, type: revolute, axis: [-0.112356, 0.92349, 0.3668]}}, drive: {{rotor_inertia: 1.6e-7{}}}, mass: 0.5, com: [-0.0271, 0.0008, -0.0222], inertia: {{xx: 0.002218, yy: 0.002238, zz: 0.002901}}}}
    - {{name: coupler, joint: {{parent: crank, at: [-0.08487, -0.08417, 0.060726], rpy: [1.3856, -1.0363, 1.4446], type: spherical}}, mass: 0.3757, com: [-0.0296, 0.0175, 0.1483], inertia: {{xx: 0.002038, yy: 0.001763, zz: 0.001871}}}}
    - {{name: rocker, joint: {{parent: world, at: [-0.1949, -0.4008, -0.2834], type: revolute, axis: [-0.621153, 0.0316694, 0.783049]}}, mass: 0.5358, com: [0.1875, 0.0448, 0.1017], inertia: {{xx: 0.004444, yy: 0.004208, zz: 0.006823}}}}
  frames:
    end: {{link: coupler, at: [-0.0585, 0.0832, 0.4258]}}
    pin: {{link: rocker, at: [0.4889, 0.0996, 0.3754]}}
  constraints:
    - {{name: loop, closure: {{frames: [pin, end], locked: [x, y, z]}}}}
task:
  outputs: [crank]
  path: {{line: {{from: [0], to: [0.257911]}}, duration: 1, profile: polynomial13}}
  start: {{near: {{crank: 0, rocker: 0}}}}
)",
                                                     spring),
                                         "hanging_rod.yaml"),
                         "hanging_rod"))
        .start.q;
  };
  const Vector rigid = at_rest("");
  EXPECT_GT(rigid.segment(2, 3).norm(), 0.01);  // it turned to hang
  for (const double stiffness : {1e3, 1e6, 1e9, 1e12, 1e15}) {
    const Vector elastic = at_rest(fmt::format(", stiffness: {}", stiffness));
    EXPECT_LT((elastic.segment(1, 5) - rigid.segment(1, 5)).cwiseAbs().maxCoeff(),
              100 / stiffness + 1e-8)
        << stiffness;
  }
}

// Law: the same robot in another unit of length rests in the same pose. Its loop is closed in three
// lengths and an angle, forces and a moment; the load that hangs on the rocker may turn about the
// vertical, and is found where it is by the way that the search takes.
TEST(Start, at_rest_on_a_loop_is_the_same_in_all_units_of_length) {
  const auto at_rest = [](double unit) {
    return pose(read_job(Node::read_text(in_unit_of_length(R"(
tauflex: 1
robot:
  gravity: [7.87224L, -4.67316L, 3.525L]
  links:
    - {name: crank, joint: {parent: world, type: revolute, axis: [0.978395, -0.113704, -0.172668]}, drive: {rotor_inertia: 0.256061LL, stiffness: 4360.31LL}, mass: 1.44878, com: [0.037415L, 0.078131L, -0.019941L], inertia: {xx: 0.019849LL, yy: 0.018774LL, zz: 0.019193LL}}
    - {name: coupler, joint: {parent: crank, at: [0.0859787L, 0.195217L, -0.0119814L], rpy: [-0.93775, -0.80131, 0.76117], type: spherical}, mass: 0.681411, com: [0.31103L, 0.11442L, 0.1187L], inertia: {xx: 0.002623LL, yy: 0.002902LL, zz: 0.001915LL}}
    - {name: rocker, joint: {parent: world, at: [0.455718L, 0.316102L, 0.685502L], type: revolute, axis: [0.90711, 0.373424, 0.194182]}, mass: 0.34099, com: [-0.18403L, 0.25047L, -0.026632L], inertia: {xx: 0.001593LL, yy: 0.001398LL, zz: 0.001468LL}}
    - {name: load, joint: {parent: rocker, at: [-0.255025L, 0.508344L, -0.074108L], type: spherical}, mass: 0.878699, com: [0.67566L, -0.33019L, 0.15448L], inertia: {xx: 0.016409LL, yy: 0.011934LL, zz: 0.012994LL}}
  frames:
    end: {link: coupler, at: [0.80751703L, 0.17246561L, 0.3403781L], rpy: [-2.275229143, -0.390991871, 0.210413839]}
    pin: {link: rocker, at: [-0.255025L, 0.508344L, -0.074108L], rpy: [2.658912973, -0.7725523, 1.390466874]}
  constraints:
    - {name: loop, closure: {frames: [pin, end], locked: [x, y, z, rx]}}
task:
  outputs: [crank]
  path: {line: {from: [0], to: [-0.182117]}, duration: 0.421235, profile: polynomial9}
  start: {near: {crank: 0, rocker: 0}}
)",
                                                           unit),
                                         "loaded_loop.yaml"),
                         "loaded_loop"))
        .start.q;
  };
  const Vector usual = at_rest(1);
  for (const double unit : {1e-3, 0.1, 100.0})
    EXPECT_LT((at_rest(unit) - usual).cwiseAbs().maxCoeff(), 1e-8) << unit;  // rows to 1e-9
}

TEST(Start, near_picks_the_elbow) {
  const Posed up = pose(example_job("e12_bdf", {"task.start.near={upper: 0, fore: 0.3}"}));
  const Posed down = pose(example_job("e12_bdf", {"task.start.near={upper: 0.4, fore: -0.3}"}));
  EXPECT_GT(up.start.q[1], 0.1);
  EXPECT_LT(down.start.q[1], -0.1);
}

// What the tool of a six-axis arm errs by at the start, as a rotation; by how much joints leave
// their ranges.
struct StartFaults {
  double angle, excess;
};
StartFaults faults(const Posed& posed) {
  const Robot& robot = posed.problem.robot();
  MechanicsData data(robot);
  kinematics<double>(robot, data, posed.start.q);
  Vector y(posed.problem.output_count()), y_d(y);
  output_values(robot, data, posed.start.q, posed.start.lambda, posed.problem.outputs(), y);
  path_values<double>(posed.problem.path(), posed.problem.begin(), y_d);
  return {*largest_error(posed.problem.outputs(), Quantity::angle, y, y_d),
          range_excess(robot, posed.start.q)};
}

// From these Levenberg and Marquardt end half a turn off, or whole turns out of range.
TEST(Start, is_right_from_every_guess) {
  for (const char* near :
       {"{}", "{axis1: 1.88, axis2: 0.08, axis3: -0.28, axis4: -3.14, axis5: 0.51, axis6: 3.97}",
        "{axis1: 0.13, axis2: 0.72, axis3: -0.16, axis4: -3.92, axis5: 0.98, axis6: 0.98}"}) {
    const Posed posed =
        pose(example_job("six_axis_elastic", {std::string("task.start.near=") + near}));
    const StartFaults found = faults(posed);
    EXPECT_LT(found.angle, 1e-7) << near;  // rad; what counts as at rest
    EXPECT_EQ(found.excess, 0) << near;
    EXPECT_NE(posed.start.choice.find("of 8 postures"), std::string::npos) << posed.start.choice;
  }
}

TEST(Start, of_seven_axes_without_near) {
  const Posed posed = pose(example_job("seven_axis", {"task.start={}"}));
  EXPECT_LT(faults(posed).angle, 1e-7);  // rad; what counts as at rest
  EXPECT_EQ(faults(posed).excess, 0);
}

// from: start is where the tool is with the joints at start.near.
TEST(Start, of_a_path_that_starts_where_the_robot_is) {
  const Posed posed = pose(example_job(
      "six_axis_elastic", {"task.path.line.from=start", "task.path.line.to=[1.6, 0.5, 1.2, start]",
                           "task.start.near={axis1: -0.3, axis2: 0.3, axis3: 0.2, "
                           "axis4: 0.1, axis5: 0.4, axis6: -10 deg}"}));
  const Robot& robot = posed.problem.robot();
  MechanicsData data(robot);
  kinematics<double>(robot, data, posed.problem.near());
  const Frame& tool = robot.frames()[robot.find_frame("tool")];
  const Vector3 p = frame_position(data, tool);
  const Matrix3 R = frame_rotation(data, tool);
  kinematics<double>(robot, data, posed.start.q);
  EXPECT_LT((frame_position(data, tool) - p).norm(), 1e-8);  // m; what counts as at rest
  EXPECT_LT((frame_rotation(data, tool) - R).norm(), 1e-8);  // the same
  EXPECT_LT((posed.start.q - posed.problem.near()).head(robot.tree_nq()).cwiseAbs().maxCoeff(),
            0.01);  // rad; sag of the springs
}

// Joints of the loops of a delta robot that nobody named are within half a turn of 0.
TEST(Start, of_a_mechanism_without_near_is_not_wound_up) {
  const Posed posed = pose(example_job("delta_robot", {"task.start={}"}));
  EXPECT_LT(posed.start.q.cwiseAbs().maxCoeff(), 3.15);
}

TEST(Start, near_in_degrees_is_noticed) {
  try {
    pose(example_job("six_axis_elastic", {"task.start.near={axis2: -38}"}));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("'axis2' at -38 rad, outside its range -1.2 .. 1.5 rad: did you mean "
                        "degrees? write '-38 deg'"),
              std::string::npos)
        << error.what();
  }
  const Posed posed = pose(example_job("six_axis_elastic", {"task.start.near={axis2: 0.2 deg}"}));
  EXPECT_EQ(faults(posed).excess, 0);
}

TEST(Start, works_from_a_stretched_guess) {
  const Posed posed = pose(example_job("e12_bdf", {"task.start.near={}"}));
  EXPECT_EQ(posed.start.status, Status::solved);
}

TEST(Start, unreachable) {
  const std::string sentence = problem_sentence("e12_bdf", {"task.path.line.from=[2.6, 0.5]"});
  EXPECT_NE(sentence.find("e12_bdf.yaml:"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("tool.x = 2.6, tool.z = 0.5 cannot be reached"), std::string::npos)
      << sentence;
}

// The hook swings up to there, but does not stay.
TEST(Start, unreachable_at_rest) {
  const std::string sentence = problem_sentence(case_job(
      "ball_gantry", {"task.outputs=[hook.x, hook.z]",
                      "task.path={line: {from: [0, -0.5], to: [0.1, -0.5]}, duration: 1}"}));
  EXPECT_NE(sentence.find("hook.z = -0.5 cannot be reached at rest"), std::string::npos)
      << sentence;
}

// Rounding is all that turns the flap: every pose of it is an equilibrium.
TEST(Start, with_a_hinge_along_gravity) {
  const Posed posed = pose(case_job("vertical_hinge"));
  for (const double share : {0.1, 0.3, 0.5, 1.0}) {
    const RestState later = rest_state(posed.problem, share * posed.problem.end(), posed.start.q);
    EXPECT_EQ(later.status, Status::solved) << later.message;
  }
}

TEST(Start, singular) {
  const std::string sentence = problem_sentence(
      "rigid_2r", {"task.path={line: {from: [0.9, 0], to: [0.5, 0.2]}, duration: 1}"});
  EXPECT_NE(sentence.find("singular start at upper = "), std::string::npos) << sentence;
}

TEST(Problem, more_outputs_than_drives) {
  const std::string sentence = problem_sentence(
      "e12_bdf", {"task.outputs=[tool.x, tool.y, tool.z]",
                  "task.path={line: {from: [2, 0, 0], to: [1, 0, 1]}, duration: 1}"});
  EXPECT_NE(sentence.find("3 outputs but 2 drives; remove one of: tool.x, tool.y, tool.z"),
            std::string::npos)
      << sentence;
}

TEST(Problem, fewer_outputs_than_drives) {
  const Job job = example_job("e12_bdf", {"task.outputs=[tool.x]",
                                          "task.path={line: {from: [2], to: [1.5]}, duration: 1}"});
  const InverseProblem problem{Robot(job.robot), job.task};
  try {
    problem.require_determined();
    FAIL();
  } catch (const ProblemError& error) {
    EXPECT_NE(std::string(error.what()).find("1 output but 2 drives (upper, fore)"),
              std::string::npos)
        << error.what();
  }
  // posed as a job, one joint is held
  const Posed posed = pose(job);
  EXPECT_EQ(posed.problem.output_count(), 2);
  ASSERT_EQ(posed.notes.size(), 1u);
  EXPECT_TRUE(posed.notes[0].starts_with("2 drives for 1 output: the posture is kept by holding '"))
      << posed.notes[0];
}

TEST(Problem, a_payload_is_carried) {
  const Posed bare = pose(example_job("e12_bdf"));
  const Posed loaded =
      pose(example_job("e12_bdf", {"task.payload={link: hand, mass: 50, com: [0.2, 0, 0]}"}));
  EXPECT_NEAR(loaded.problem.robot().tree().bodies[2].mass, 250, 1e-12);    // kg; rounding
  EXPECT_GT(std::abs(loaded.start.u[0]), std::abs(bare.start.u[0]) + 900);  // N m; 50 kg at 2.1 m
}

}  // namespace
}  // namespace tauflex

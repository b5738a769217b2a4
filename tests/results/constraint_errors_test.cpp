// What a person can get wrong about loops, contacts and forces: a sentence with place and remedy.
#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/trajectory/line.hpp"
#include "tauflex/trajectory/sine.hpp"

namespace tauflex {
namespace {

std::string refusal(const Job& job) {
  try {
    return run(job).solution.message;
  } catch (const InputError& error) {
    return error.what();
  }
}

const char* two_links = R"(
tauflex: 1
robot:
  gravity: [0, 0, -9.81]
  links:
    - {name: upper, joint: {parent: world, type: revolute, axis: -y}, drive: {}, mass: 1, com: [0.2, 0, 0], inertia: {yy: 0.1}}
    - {name: fore, joint: {parent: upper, at: [0.5, 0, 0], type: revolute, axis: -y}, drive: {}, mass: 1, com: [0.2, 0, 0], inertia: {yy: 0.1}}
  frames: {tool: {link: fore, at: [0.5, 0, 0]}}
  constraints: [CONSTRAINTS]
task:
  outputs: [OUTPUTS]
  path: {line: {from: [FROM], to: [TO]}, duration: 1}
  start: {near: {upper: 0.6, fore: -1.2}}
)";

Job two_link_job(const std::string& constraints, const std::string& outputs,
                 const std::string& from, const std::string& to) {
  std::string text = two_links;
  for (const auto& [key, value] : {std::pair<std::string, std::string>{"CONSTRAINTS", constraints},
                                   {"OUTPUTS", outputs},
                                   {"FROM", from},
                                   {"TO", to}})
    text.replace(text.find(key), key.size(), value);
  return read_job(Node::read_text(text, "job.yaml"), "job");
}

TEST(ConstraintErrors, ALoopThatCannotClose) {
  EXPECT_EQ(
      refusal(two_link_job("{name: far, plane: {frame: tool, point: [3, 0, 0], normal: x}}",
                           "tool.z, far.force", "0.1, 0", "0.2, 0")),
      "job.yaml:9: robot.constraints.far: constraint 'far' cannot be closed: it stays 2 open");
}

TEST(ConstraintErrors, ContradictingConstraints) {
  EXPECT_EQ(
      refusal(two_link_job("{name: low, plane: {frame: tool, normal: z}}, {name: high, plane: "
                           "{frame: tool, point: [0, 0, 0.1], normal: z}}",
                           "tool.x, low.force", "0.7, 0", "0.6, 0")),
      "robot: constraints low and high contradict each other: each can be satisfied alone, "
      "together they stay 0.0707 open");
}

TEST(ConstraintErrors, AnOutputThatAConstraintFixes) {
  EXPECT_EQ(refusal(two_link_job("{name: table, plane: {frame: tool, normal: z}}", "tool.x, tool.z",
                                 "0.7, 0", "0.6, 0.1")),
            "job.yaml:11: task.outputs: output 'tool.z' is fixed by constraint table; it cannot be "
            "moved, take another output or its force");
}

TEST(ConstraintErrors, MoreForceOutputsThanConstraints) {
  EXPECT_EQ(
      refusal(two_link_job("{name: table, plane: {frame: tool, normal: z}}",
                           "table.force, wall.force", "0, 0", "1, 1")),
      "job.yaml:11: task.outputs: 2 force outputs (table.force, wall.force), but the robot has 1 "
      "constraint row");
  EXPECT_EQ(refusal(two_link_job("{name: table, plane: {frame: tool, normal: z}}",
                                 "tool.x, tabel.force", "0.7, 0", "0.6, 1")),
            "job.yaml:11: task.outputs: 'tabel.force' is neither a position (frame.x, .y, .z) nor "
            "an angle "
            "(frame.yaw, link.absolute) nor a "
            "joint nor a rotor nor the force of a constraint; did you mean 'table.force'?");
}

TEST(ConstraintErrors, AForceThatOtherRowsShare) {
  EXPECT_EQ(
      refusal(two_link_job("{name: table, closure: {frames: [world, tool], locked: [y, z]}}",
                           "tool.x, table.y.force", "0.7, 0", "0.6, 1")),
      "job.yaml:11: task.outputs: 'table.y.force' is not determined: other constraints hold the "
      "robot in the same direction");
}

TEST(ConstraintErrors, PathsOfConstraintsMustBeSmoothAndStartAtRest) {
  Job job = example_job("anthropomorphic_absolute");
  const Vector from = Eigen::Vector2d(0.7, 0.5), to = Eigen::Vector2d(0.2, 0.8);
  job.robot.constraints.back().path = std::make_shared<LinePath>(from, to, 1.0, 1);
  job.plant = job.robot;
  EXPECT_NE(refusal(job).find("the 1st derivative of 'drive.x' jumps at t = 0 s"),
            std::string::npos)
      << refusal(job);
  const Vector swing = Eigen::Vector2d(0.1, 0.0);
  job.robot.constraints.back().path = std::make_shared<SinePath>(from, swing, 1.0, 0.0, 1.0);
  job.plant = job.robot;
  EXPECT_EQ(refusal(job), "");  // exact: it may move from the first moment on
  job.method = BdfOptions{};
  EXPECT_NE(refusal(job).find("constraint 'drive.x' already moves at the start"), std::string::npos)
      << refusal(job);
}

TEST(ConstraintErrors, Files) {
  const auto message = [](const std::string& constraints) {
    try {
      pose(two_link_job(constraints, "tool.x, tool.z", "0.7, 0", "0.6, 0"));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message("{name: rod, distance: {frames: [tool, elbow], length: 1}}"),
            "job.yaml:9: robot.constraints.rod: 'elbow' is neither a frame nor a link");
  EXPECT_EQ(message("{name: rod, distance: {frames: [tool, fore], length: 1}}"),
            "job.yaml:9: robot.constraints.rod: frames 'tool' and 'fore' are on the same link and "
            "cannot move against each other");
  EXPECT_EQ(
      message("{name: rod, distance: {frames: [tool, world], length: -1}}"),
      "job.yaml:9: robot.constraints.rod: length must be greater than 0, got -1; a closure of "
      "x, y, z holds two points together");
  EXPECT_EQ(
      message("{name: rod, distance: {frames: [tool, world], length: 1}, path: {sine: {center: "
              "1, amplitude: 0.1, frequency: 1}}}"),
      "job.yaml:9: robot.constraints.rod.distance.length: cannot be given together with a path, "
      "which replaces it");
  EXPECT_EQ(
      message("{name: loop, closure: {frames: [tool, world], locked: [z, x]}}"),
      "job.yaml:9: robot.constraints.loop.closure.locked.1: directions stand in the order x, y, "
      "z, rx, ry, rz");
  EXPECT_EQ(message("{name: loop}"),
            "job.yaml:9: robot.constraints.loop: expected exactly one of closure, distance, plane, "
            "sphere, line, circle, polynomial, relation, got none");
  EXPECT_EQ(message("{name: sum, relation: {joints: {uper: 1}, value: 0}}"),
            "job.yaml:9: robot.constraints.sum: 'uper' is not a joint; did you mean 'upper'?");
  EXPECT_EQ(message("{name: a.b, relation: {joints: {upper: 1}, value: 0}}"),
            "job.yaml:9: robot.constraints.a.b: 'a.b' cannot be the name of a constraint: a word "
            "without dots, commas, semicolons, double quotes, spaces, tabs and line ends");
}

}  // namespace
}  // namespace tauflex

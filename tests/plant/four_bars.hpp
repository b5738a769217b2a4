// N four-bars in a row, mechanism A02 of the IFToMM benchmark library: 2 N + 1 rods of 1 m and 1
// kg. Twice in every turn all rods lie on one line, and the constraints lose rank N times over.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "tauflex/model/robot_file.hpp"
#include "tauflex/plant/simulate.hpp"

namespace tauflex {

inline Robot robot_of_text(const std::string& text) {
  return Robot(read_robot(Node::read_text(text, "test.yaml")));
}

// Cranks hang on the world, each coupler on the crank to its left; loops are closed on its right.
inline Robot four_bars_as_tree(int N, const std::string& spring = "") {
  const std::string rod = "mass: 1, inertia: {zz: 0.08333333333333333}";
  std::string links, frames, constraints;
  for (int k = 0; k <= N; ++k) {
    links += fmt::format(
        "  - {{name: crank{0}, joint: {{parent: world, at: [{0}, 0, 0], type: revolute, axis: z}}, "
        "{1}, com: [0, 0.5, 0]{2}}}\n",
        k, rod, spring);
    frames += fmt::format("  b{0}: {{link: crank{0}, at: [0, 1, 0]}}\n", k);
  }
  for (int k = 1; k <= N; ++k) {
    links += fmt::format(
        "  - {{name: coupler{0}, joint: {{parent: crank{1}, at: [0, 1, 0], type: revolute, axis: "
        "z}}, {2}, com: [0.5, 0, 0]}}\n",
        k, k - 1, rod);
    frames += fmt::format("  end{0}: {{link: coupler{0}, at: [1, 0, 0]}}\n", k);
    constraints += fmt::format(
        "  - {{name: loop{0}, closure: {{frames: [b{0}, end{0}], locked: [x, y]}}}}\n", k);
  }
  return robot_of_text("gravity: [0, -9.81, 0]\nlinks:\n" + links + "frames:\n" + frames +
                       "constraints:\n" + constraints);
}

// Three coordinates for each rod, and a closure for each joint.
inline Robot four_bars_in_absolute_coordinates(int N) {
  const std::string rod =
      "joint: {parent: world, type: [x, y, rz]}, mass: 1, inertia: {zz: 0.08333333333333333}";
  const std::string closure =
      "  - {{name: {0}{2}, closure: {{frames: [{1}, {0}{2}], locked: [x, y]}}}}\n";
  std::string links, frames, constraints;
  for (int k = 0; k <= N; ++k) {
    links += fmt::format("  - {{name: crank{}, {}}}\n", k, rod);
    frames += fmt::format(
        "  pin{0}: {{link: crank{0}, at: [0, -0.5, 0]}}\n  b{0}: {{link: crank{0}, at: [0, 0.5, "
        "0]}}\n  ground{0}: {{link: world, at: [{0}, 0, 0]}}\n",
        k);
    constraints += fmt::format(fmt::runtime(closure), "pin", fmt::format("ground{}", k), k);
  }
  for (int k = 1; k <= N; ++k) {
    links += fmt::format("  - {{name: coupler{}, {}}}\n", k, rod);
    frames += fmt::format(
        "  left{0}: {{link: coupler{0}, at: [-0.5, 0, 0]}}\n  right{0}: {{link: coupler{0}, at: "
        "[0.5, 0, 0]}}\n",
        k);
    constraints += fmt::format(fmt::runtime(closure), "left", fmt::format("b{}", k - 1), k) +
                   fmt::format(fmt::runtime(closure), "right", fmt::format("b{}", k), k);
  }
  return robot_of_text("gravity: [0, -9.81, 0]\nlinks:\n" + links + "frames:\n" + frames +
                       "constraints:\n" + constraints);
}

// From the upright position, where every B moves with `speed` (m/s) along x.
inline Simulation turn(const Robot& robot, int N, double speed, const Vector& times,
                       const SimulationOptions& options) {
  Vector q = robot.coordinates().neutral, v = Vector::Zero(robot.nv());
  if (robot.nv() == 2 * N + 1) {
    v.head(N + 1).setConstant(-speed);
    v.tail(N).setConstant(speed);
  } else {
    for (int k = 0; k <= N; ++k) {
      q.segment<3>(3 * k) << k, 0.5, 0;
      v.segment<3>(3 * k) << speed / 2, 0, -speed;
    }
    for (int k = 1; k <= N; ++k) {
      q.segment<3>(3 * (N + k)) << k - 0.5, 1, 0;
      v[3 * (N + k)] = speed;
    }
  }
  ForwardProblem problem(robot, TorqueSignal(times.head(1), Matrix::Zero(0, 1), Hold::smooth));
  return simulate(problem, q, v, times, options);
}

}  // namespace tauflex

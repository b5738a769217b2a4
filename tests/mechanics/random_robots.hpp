// Random robots for the law suites: the same seed is the same robot on every machine.
#pragma once

#include "math/random.hpp"
#include "tauflex/model/robot_description.hpp"

namespace tauflex {

struct RandomRobotOptions {
  int links = 8;
  bool branches = true;  // else a chain
  bool fixed_links = true;
  bool drives = true;   // on some joints: rigid or elastic, geared, with friction
  bool springs = true;  // on some joints, with rest positions
  bool couplings = true;
  bool quaternions = false;  // compound, spherical and floating joints among the others  // full
                             // stiffness and damping matrices, also between branches
  bool beams = false;  // every second link bends, all ways or in one plane, in one or two segments
};

// Revolute and prismatic joints about skew axes, poses at/rpy, zero offsets, full inertia tensors,
// any gravity; links in any order; the frames "tool" on a link and "bench" on the world.
RobotDescription random_robot(unsigned seed, const RandomRobotOptions& options = {});

// Beams of a robot bend by a tenth of what q says: far beyond small deflections all the same.
Vector with_small_deflections(const RobotDescription& robot, const Vector& q);

// A serial chain of revolute joints about x, y, z, x, ... with offsets: what benchmarks measure.
RobotDescription benchmark_chain(int joints);

}  // namespace tauflex

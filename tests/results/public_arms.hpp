// Arms as they are sold, for tests: tests/results/arms, lengths and joint ranges as published, each
// with its source. The centre of mass of a link is half-way to the next joint, its inertia that of
// a ball. Drives are made up.
#pragma once

#include <string>
#include <vector>

namespace tauflex {

// A joint after Craig: Rot x alpha, Trans x a, Trans z d, then it turns about z or moves along z.
struct ArmAxis {
  // 'R' turns, 'P' moves
  char type;
  double a, alpha, d;
  // Added to the coordinate.
  double zero;
  double mass;
  // N m/rad or N/m of its drive
  double stiffness;
  double lowest = 0, highest = 0;
};

struct SerialArm {
  std::string name;
  std::vector<ArmAxis> axes;
  // Of the tool, along the last axis.
  double tool_z;
  // Where its path begins and ends, and in how many seconds.
  std::string outputs, from, to;
  double duration;
};

// Six and seven axes, SCARA and gantries.
std::vector<SerialArm> serial_arms();

// Files of an arm: the robot and the job.
std::string urdf_text(const SerialArm& arm);
std::string elastic_text(const SerialArm& arm);
std::string robot_text(const SerialArm& arm);
std::string task_text(const SerialArm& arm);

// Whole jobs of robots with loops or two arms.
struct NamedJob {
  std::string name, text;
};
std::vector<NamedJob> parallel_robots();

}  // namespace tauflex

// How many component modes the beams of a job keep, and what that leaves out.       theory (B.12)
#pragma once

#include <string>
#include <vector>

#include "tauflex/model/robot_description.hpp"
#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

// A beam that keeps some of its component modes.
struct KeptModes {
  std::string link;
  int kept = 0, all = 0;
  // rad/s: of the first mode that is left out, 0: none is; and up to where the path has
  // accelerations.
  double left_out_from = 0, path_frequency = 0;
  // Estimated: part of the inertia forces of a segment that is lost at the path's frequency.
  double missed = 0;
};

// `modes: auto` becomes a number. Returns all beams that are reduced.
std::vector<KeptModes> choose_modes(RobotDescription& robot, const OutputPath& path);

}  // namespace tauflex

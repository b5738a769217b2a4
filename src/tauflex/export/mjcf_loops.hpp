// Constraints and springs between frames, as MuJoCo's equality constraints and tendons.
#pragma once

#include <map>
#include <string>

#include "tauflex/export/exported_motion.hpp"
#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

struct MjcfLoops {
  // Elements of <tendon> and <equality>.
  std::string tendons, equalities;
  // Link (-1: the world) -> sites on it.
  std::map<int, std::string> sites;
};

// `start`: after kinematics() at the start of the motion. `step`: s; softness of the constraints
// follows from it. Throws InputError for what MJCF cannot say.
MjcfLoops mjcf_loops(const ExportedMotion& motion, const MechanicsData& start, double step);

// Where a frame is: on a link, -1 for the world, in its axes. `name`: of a frame, a link, "world".
struct MjcfPlace {
  int link;
  Pose X_LF;
};
MjcfPlace mjcf_place(const Robot& robot, const std::string& name);
// A link as it stands at the start, in the world.
Pose mjcf_pose(const Robot& robot, const MechanicsData& start, int link);

// "1 0 0"
std::string mjcf_numbers(const Vector& x);
std::string mjcf_quaternion(const Matrix3& R);
// For attributes.
std::string mjcf_text(const std::string& text);
// A coordinate as a sum of MuJoCo's joints: that of an elastic drive is motor and gear together.
std::string mjcf_terms(const Robot& robot, const std::string& coordinate, double coefficient);

[[noreturn]] void cannot_be_mjcf(const std::string& what, const std::string& why);

}  // namespace tauflex

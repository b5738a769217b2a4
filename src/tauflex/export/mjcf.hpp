// A robot as a MuJoCo model (MJCF) that stands at the start of a motion: a run of it under the same
// torques repeats the proof in an engine that shares nothing with ours.
//   elastic drive: two joints on one axis, the motor seen at the joint, a = q_m / n, with armature
//   n^2 J, and the gear spring, d = q - a, with stiffness and damping; rigid drive: armature n^2 J
//   springs at joints: stiffness; between links: tendons; loops: equality constraints
// Bodies are written as they stand at the start and joints count from there (`ref`), so that
// MuJoCo's reference pose is the start and every loop is closed in it.
#pragma once

#include <string>

#include "tauflex/export/exported_motion.hpp"

namespace tauflex {

struct MjcfModel {
  std::string xml;
  // s, of the integration.
  double step = 0;
};

// The frames that the model has a site for, under their names: those with a name.
std::vector<std::string> mjcf_frames(const Robot& robot);

// Throws InputError for what MJCF cannot say: beams, springs that harden or are coupled, dry
// friction, transmissions that couple axes, surfaces, moving constraints.
MjcfModel mjcf_model(const ExportedMotion& motion);

}  // namespace tauflex

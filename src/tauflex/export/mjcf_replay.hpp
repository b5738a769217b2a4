// A motion to be repeated in MuJoCo: the model, its torques step by step, and a script that runs
// it.
#pragma once

#include <map>
#include <string>

#include "tauflex/export/exported_motion.hpp"

namespace tauflex {

// One row per step of the model: t, the torques in the middle of the step, u.<drive>, and where the
// frames of mjcf_frames() are at its beginning, p.<frame>.x .. z.
Table replay_table(const ExportedMotion& motion, double step);

// A robot without named frames gets one that every motion of its last link moves, <link>_probe, at
// (1, 1, 1) m.
ExportedMotion with_probe(ExportedMotion motion);

// <name>.xml, <name>_torques.csv and replay.py. Throws InputError as mjcf_model().
std::map<std::string, std::string> mjcf_files(const ExportedMotion& motion);

}  // namespace tauflex

// What a controller is fed with: a reference of position and velocity and a torque for every drive,
// on its side of the gear and in its units.
//   motor: q_m, v_m, u                joint: q_m / n, v_m / n, n u
// For a transmission that couples axes T stands for 1 / n: T q_m, T v_m, T^-T u.      theory (M.12)
#pragma once

#include "tauflex/export/export_options.hpp"
#include "tauflex/export/exported_motion.hpp"

namespace tauflex {

struct ControllerTable {
  std::vector<std::string> drives;
  // One row per time.
  Vector t;  // s
  Matrix position, velocity, torque;
  // Per drive: "rad", "deg", "m"; "rad/s" ..; "N m", "N", "%".
  std::vector<std::string> position_units, velocity_units, torque_units;
  // "motor" or "joint".
  std::string side;

  // Columns t, position.<drive>, velocity.<drive>, torque.<drive>. Torques of motors in N m are
  // called u.<drive> as in every table that tauflex reads.
  Table table() const;
  // Sentences with the units.
  std::vector<std::string> notes() const;
};

// `rows`: the motion's table at the times that are wanted. Throws InputError where a unit needs a
// limit that a drive does not have.
ControllerTable controller_table(const ExportedMotion& motion, const Table& rows,
                                 const ExportOptions& options);

}  // namespace tauflex

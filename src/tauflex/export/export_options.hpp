// How a motion goes to other programs: in which format, at which rate, in which units.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tauflex/base/fields.hpp"

namespace tauflex {

enum class ExportFormat { csv, npz, mat, ros, c, mjcf, fmu };

constexpr std::string_view name(ExportFormat format) {
  constexpr std::string_view names[] = {"csv", "npz", "mat", "ros", "c", "mjcf", "fmu"};
  return names[static_cast<int>(format)];
}

struct ExportOptions {
  ExportFormat to = ExportFormat::csv;
  // Samples per second; none: the rows of the result, 1000 for a unit for co-simulation.
  std::optional<double> rate;
  // Where positions, velocities and torques of a drive are counted: at its motor, or behind its
  // gear, as if the motor stood at the joint. Left out: at the motor; for ROS at the joint.
  enum class Side { usual, motor, joint } side = Side::usual;
  enum class Angles { rad, deg } angles = Angles::rad;
  // In SI units or in per cent of each drive's limit.
  enum class Torques { si, percent } torques = Torques::si;

  // s, of a unit for co-simulation: how long ahead the path is known; none: as long as it takes.
  std::optional<double> preview;

  bool at_joint() const {
    return side == Side::joint || (side == Side::usual && to == ExportFormat::ros);
  }

  std::vector<Field> fields();
  // Throws InputError naming the field and the rule, and for units that a format does not have.
  void check() const;
};

}  // namespace tauflex

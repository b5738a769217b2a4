#include "tauflex/export/controller_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "tauflex/base/text.hpp"
#include "tauflex/math/lu.hpp"
#include "tauflex/model/motor_references.hpp"

namespace tauflex {

namespace {

// Joint-side position of every drive's motor per motor position: 1 / n, for coupled axes T.
Matrix motors_to_joints(const Robot& robot) {
  const Actuation& actuation = robot.actuation();
  Matrix G = Matrix::Zero(actuation.count(), actuation.count());
  for (int d = 0; d < actuation.count(); ++d)
    if (actuation.drives[d].rotor_q < 0) G(d, d) = 1 / actuation.drives[d].gear_ratio;
  for (const Gear& gear : actuation.gears)
    G(actuation.elastic[gear.spring], actuation.elastic[gear.rotor]) = gear.ratio;
  return G;
}

// Units, and numbers in them: rows are drives.
void set_units(const Robot& robot, const ExportOptions& options, ControllerTable& table) {
  constexpr double degree = std::numbers::pi / 180;
  for (int d = 0; d < robot.actuation().count(); ++d) {
    const DriveLayout& drive = robot.actuation().drives[d];
    const bool turns =
        options.at_joint() ? robot.coordinates().is_angle[drive.joint_q] : drive.motor_turns;
    const bool degrees = turns && options.angles == ExportOptions::Angles::deg;
    if (degrees) {
      table.position.row(d) /= degree;
      table.velocity.row(d) /= degree;
    }
    const std::string unit = degrees ? "deg" : turns ? "rad" : "m";
    table.position_units.push_back(unit);
    table.velocity_units.push_back(unit + "/s");
    if (options.torques == ExportOptions::Torques::si) {
      table.torque_units.emplace_back(turns ? "N m" : "N");
      continue;
    }
    if (!std::isfinite(drive.limits.torque))
      throw InputError(
          fmt::format("export: drive '{}' has no torque limit that a per cent could be of; give "
                      "drive: {{limits: {{torque: ..}}}}, or torques in SI units",
                      table.drives[d]));
    table.torque_units.emplace_back("%");
    table.torque.row(d) *= 100 / drive.limits.torque;
  }
}

std::string unit_note(const char* what, const std::vector<std::string>& drives,
                      const std::vector<std::string>& units) {
  std::string text = fmt::format("{}: ", what);
  for (size_t d = 0; d < drives.size(); ++d)
    text += fmt::format("{}{} in {}", d ? ", " : "", drives[d], units[d]);
  return text;
}

}  // namespace

ControllerTable controller_table(const ExportedMotion& motion, const Table& rows,
                                 const ExportOptions& options) {
  const Robot& robot = motion.robot;
  if (robot.actuation().count() == 0)
    throw InputError(fmt::format("{}: the robot has no drives", motion.name));
  ControllerTable table;
  table.drives = robot.actuation().names;
  table.t = rows.values.col(rows.find("t"));
  table.side = options.at_joint() ? "joint" : "motor";
  table.position = table.velocity = Matrix(robot.actuation().count(), table.t.size());
  motor_positions(robot, motion.rows(rows, "q.", robot.coordinates().names), table.position);
  motor_velocities(robot, motion.rows(rows, "v.", robot.coordinates().velocity_names),
                   table.velocity);
  table.torque = motion.rows(rows, "u.", table.drives);
  const Matrix at_motors = table.torque;
  if (options.at_joint()) {
    const Matrix G = motors_to_joints(robot);
    table.position = (G * table.position).eval();
    table.velocity = (G * table.velocity).eval();
    // Per cent are those of the motors' limits on either side.
    if (options.torques == ExportOptions::Torques::si)
      table.torque = Lu(G.transpose()).solve(at_motors);
  }
  set_units(robot, options, table);
  for (Matrix* part : {&table.position, &table.velocity, &table.torque}) part->transposeInPlace();
  return table;
}

Table ControllerTable::table() const {
  const auto n = position.cols();
  const bool si = side == "motor" && index_of("%", torque_units) < 0;
  Table result{{"t"}, Matrix(t.size(), 1 + 3 * n)};
  for (const std::string& drive : drives) result.columns.push_back("position." + drive);
  for (const std::string& drive : drives) result.columns.push_back("velocity." + drive);
  for (const std::string& drive : drives) result.columns.push_back((si ? "u." : "torque.") + drive);
  result.values << t, position, velocity, torque;
  return result;
}

std::vector<std::string> ControllerTable::notes() const {
  return {side == "motor" ? "positions, velocities and torques at the motors"
                          : "positions, velocities and torques behind the gears, as if the motors "
                            "stood at the joints",
          unit_note("positions", drives, position_units),
          unit_note("velocities", drives, velocity_units),
          unit_note("torques", drives, torque_units)};
}

}  // namespace tauflex

#include "tauflex/export/export_options.hpp"

namespace tauflex {

std::vector<Field> ExportOptions::fields() {
  using namespace describe;
  return {
      choice("to", to,
             {ExportFormat::csv, ExportFormat::npz, ExportFormat::mat, ExportFormat::ros,
              ExportFormat::c, ExportFormat::mjcf},
             "format: table, NumPy, MATLAB, ROS JointTrajectory, C arrays, MuJoCo model"),
      number("rate", rate, above(0), "1/s", "samples per second").if_left_out("rows of the result"),
      choice("side", side, {{"usual", Side::usual}, {"motor", Side::motor}, {"joint", Side::joint}},
             "where a drive's position, velocity and torque are counted: at its motor, or behind "
             "its gear; usual: motor, for ros joint"),
      choice("angles", angles, {{"rad", Angles::rad}, {"deg", Angles::deg}}, "unit of angles"),
      choice("torques", torques, {{"SI", Torques::si}, {"percent", Torques::percent}},
             "N m and N, or per cent of each drive's torque limit")};
}

void ExportOptions::check() const {
  check_fields("export", ExportOptions(*this).fields());
  const bool other_units = angles != Angles::rad || torques != Torques::si;
  if (to == ExportFormat::ros && other_units)
    throw InputError("export: messages of ROS are in rad, m, N m and N; leave out angles, torques");
  if (to == ExportFormat::mjcf && (other_units || side != Side::usual || rate))
    throw InputError(
        "export: a MuJoCo model has its own step, rad, m, N m and N; leave out rate, side, angles "
        "and torques");
}

}  // namespace tauflex

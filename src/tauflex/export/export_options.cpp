#include "tauflex/export/export_options.hpp"

namespace tauflex {

std::vector<Field> ExportOptions::fields() {
  using namespace describe;
  return {
      choice("to", to,
             {ExportFormat::csv, ExportFormat::npz, ExportFormat::mat, ExportFormat::ros,
              ExportFormat::c, ExportFormat::mjcf, ExportFormat::fmu},
             "format: table, NumPy, MATLAB, ROS JointTrajectory, C arrays, MuJoCo model, FMU 2.0"),
      number("rate", rate, above(0), "1/s", "samples per second").if_left_out("rows of the result"),
      choice("side", side, {{"usual", Side::usual}, {"motor", Side::motor}, {"joint", Side::joint}},
             "where a drive's position, velocity and torque are counted: at its motor, or behind "
             "its gear; usual: motor, for ros joint"),
      choice("angles", angles, {{"rad", Angles::rad}, {"deg", Angles::deg}}, "unit of angles"),
      choice("torques", torques, {{"SI", Torques::si}, {"percent", Torques::percent}},
             "N m and N, or per cent of each drive's torque limit"),
      number("preview", preview, at_least(0), "s", "of an FMU: how long ahead its path is known")
          .if_left_out("as long as a robot that is not minimum phase needs")};
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
  if (to == ExportFormat::fmu && (other_units || side != Side::usual))
    throw InputError(
        "export: the variables of an FMU are in rad, m, N m and N, at motors and at joints; leave "
        "out side, angles and torques");
  if (to != ExportFormat::fmu && preview) throw InputError("export: preview is for an FMU only");
}

}  // namespace tauflex

#include "tauflex/export/export_files.hpp"

#include "tauflex/export/binary_tables.hpp"
#include "tauflex/export/controller_files.hpp"
#include "tauflex/export/fmu.hpp"
#include "tauflex/export/mjcf_replay.hpp"

namespace tauflex {

namespace {

// References and torques first, then all columns of the motion in SI units.
Table with_motion(const ControllerTable& controller, const Table& rows) {
  Table table = controller.table();
  for (int c = 0; c < std::ssize(rows.columns); ++c) {
    if (table.find(rows.columns[c]) >= 0) continue;
    table.columns.push_back(rows.columns[c]);
    table.values.conservativeResize(Eigen::NoChange, table.values.cols() + 1);
    table.values.rightCols(1) = rows.values.col(c);
  }
  return table;
}

}  // namespace

std::map<std::string, std::string> export_files(const ExportedMotion& motion,
                                                const ExportOptions& options) {
  options.check();
  if (options.to == ExportFormat::mjcf) return mjcf_files(motion);
  if (options.to == ExportFormat::fmu) return fmu_files(motion, options);
  const Table rows = options.rate ? at_rate(motion.table, *options.rate) : motion.table;
  const ControllerTable controller = controller_table(motion, rows, options);
  switch (options.to) {
    case ExportFormat::npz:
      return {{motion.name + ".npz", npz(with_motion(controller, rows), controller.notes())}};
    case ExportFormat::mat:
      return {{motion.name + ".mat", mat(with_motion(controller, rows), controller.notes())}};
    case ExportFormat::ros:
      return {{motion.name + ".yaml", ros_trajectory(controller)}};
    case ExportFormat::c:
      return c_arrays(controller, motion.name, options.rate.value_or(0));
    case ExportFormat::csv:
    case ExportFormat::mjcf:
    case ExportFormat::fmu:
      break;
  }
  return {{motion.name + ".csv", controller_csv(controller)}};
}

}  // namespace tauflex

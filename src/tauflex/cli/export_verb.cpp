#include <fmt/format.h>

#include "tauflex/cli/terminal.hpp"
#include "tauflex/cli/verbs.hpp"
#include "tauflex/export/export_files.hpp"
#include "tauflex/results/write_files.hpp"

namespace tauflex {

namespace fs = std::filesystem;

ExitCode export_verb(const Arguments& arguments) {
  arguments.exported.check();
  const fs::path result = arguments.results[0];
  const ExportedMotion motion = read_result(result);
  const auto files = export_files(motion, arguments.exported);
  constexpr double noticeable = 1e-6;  // of the largest torque
  const bool between_rows = arguments.exported.rate || arguments.exported.to == ExportFormat::mjcf;
  if (const double error = interpolation_error(motion.table); between_rows && error > noticeable)
    fmt::print(stderr,
               "warning: the rows of trajectory.csv are far apart: torques between them are off by "
               "up to {:.1e} of the largest; run with --rate for closer rows\n",
               error);
  const fs::path folder = arguments.out.empty() ? result / "export" : fs::path(arguments.out);
  begin_writing();
  write_derived(result, folder, files);
  for (const auto& [name, content] : files)
    fmt::print(stderr, "written to {}\n", (folder / name).string());
  return ExitCode::success;
}

}  // namespace tauflex

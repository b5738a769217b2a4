#include <fmt/format.h>

#include "tauflex/base/text_file.hpp"
#include "tauflex/cli/terminal.hpp"
#include "tauflex/cli/verbs.hpp"
#include "tauflex/export/export_files.hpp"

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
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder)) throw InputError(folder.string() + ": cannot be made a folder");
  begin_writing();
  for (const auto& [name, content] : files) write_text_file(folder / name, content);
  for (const auto& [name, content] : files)
    fmt::print(stderr, "written to {}\n", (folder / name).string());
  return ExitCode::success;
}

}  // namespace tauflex

#include "tauflex/jobs/moved_job.hpp"

#include "tauflex/base/yaml_text.hpp"

namespace tauflex {

namespace fs = std::filesystem;

std::string moved_job(const Node& job, const fs::path& folder) {
  Node moved = job.copy();
  for (const char* key : {"robot.urdf", "task.path.samples.file", "simulation.torques"}) {
    const auto file = job.find_path(key);
    if (!file || !file->is_text()) continue;
    const fs::path name = file->text();
    if (name.is_absolute() || file->folder() == folder) continue;
    std::error_code error;
    // The folder need not exist yet.
    const fs::path relative =
        fs::relative(fs::absolute(file->folder() / name, error),
                     fs::absolute(folder.empty() ? "." : folder, error), error);
    if (error || relative.empty()) continue;  // whoever reads the file says what is wrong with it
    std::string quoted = "'";
    for (const char c : relative.generic_string()) quoted += c == '\'' ? "''" : std::string(1, c);
    moved.set(key + ("=" + quoted) + "'");
  }
  return yaml_text(moved);
}

}  // namespace tauflex

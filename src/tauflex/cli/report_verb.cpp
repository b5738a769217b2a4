#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "tauflex/cli/terminal.hpp"
#include "tauflex/cli/verbs.hpp"
#include "tauflex/report/html_report.hpp"
#include "tauflex/report/result_page.hpp"

namespace tauflex {

ExitCode report_verb(const Arguments& arguments) {
  if (!has_page_program())
    throw UsageError("this program was built without npm, and has no page for several results");
  std::vector<std::string> scenes;
  for (const std::string& folder : arguments.results) scenes.push_back(scene_of_result(folder));
  const std::filesystem::path out =
      arguments.out.empty() ? std::filesystem::path(arguments.results[0]) / "compared.html"
                            : std::filesystem::path(arguments.out);
  begin_writing();
  std::ofstream file(out, std::ios::binary);
  file << html_report(scenes);
  file.close();
  if (!file) throw InputError(out.string() + ": cannot be written");
  fmt::print(stderr, "written to {}\n", out.string());
  return ExitCode::success;
}

}  // namespace tauflex

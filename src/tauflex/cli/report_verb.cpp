#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tauflex/cli/terminal.hpp"
#include "tauflex/cli/verbs.hpp"
#include "tauflex/report/html_report.hpp"

namespace tauflex {

namespace {

namespace fs = std::filesystem;

// scene.json of a folder, named after the folder: results of one job differ by that.
std::string scene_of(const fs::path& folder) {
  const fs::path path = folder / "scene.json";
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw InputError(
        fmt::format("{}: there is no scene.json: not the folder of a result", folder.string()));
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("scene") || !json.contains("job"))
    throw InputError(path.string() + ": is not a scene that tauflex wrote");
  const fs::path whole = fs::absolute(folder).lexically_normal();
  const fs::path name = whole.has_filename() ? whole.filename() : whole.parent_path().filename();
  json["job"] = name.string();
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

ExitCode report_verb(const Arguments& arguments) {
  if (!has_page_program())
    throw UsageError("this program was built without npm, and has no page for several results");
  std::vector<std::string> scenes;
  for (const std::string& folder : arguments.results) scenes.push_back(scene_of(folder));
  const fs::path out = arguments.out.empty() ? fs::path(arguments.results[0]) / "compared.html"
                                             : fs::path(arguments.out);
  begin_writing();
  std::ofstream file(out, std::ios::binary);
  file << html_report(scenes);
  file.close();
  if (!file) throw InputError(out.string() + ": cannot be written");
  fmt::print(stderr, "written to {}\n", out.string());
  return ExitCode::success;
}

}  // namespace tauflex

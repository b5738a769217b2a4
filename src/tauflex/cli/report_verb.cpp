#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text_file.hpp"
#include "tauflex/cli/terminal.hpp"
#include "tauflex/cli/verbs.hpp"
#include "tauflex/report/html_report.hpp"
#include "tauflex/report/result_page.hpp"
#include "tauflex/results/write_files.hpp"

namespace tauflex {

namespace {

namespace fs = std::filesystem;

// Whether a file is a page that this program, or an earlier version of it, has written.
bool is_page(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(2000, ' ');
  file.read(head.data(), std::ssize(head));
  return head.starts_with("<!DOCTYPE html>") &&
         head.find("<title>tauflex</title>") != std::string::npos;
}

}  // namespace

ExitCode report_verb(const Arguments& arguments) {
  if (!has_page_program())
    throw UsageError("this program was built without npm, and has no page for several results");
  std::vector<std::string> scenes;
  for (const std::string& folder : arguments.results) scenes.push_back(scene_of_result(folder));
  const fs::path first = arguments.results[0];
  const fs::path out = arguments.out.empty() ? first / "compared.html" : fs::path(arguments.out);
  begin_writing();
  if (arguments.out.empty()) {
    write_derived(first, first, {{"compared.html", html_report(scenes)}});
  } else {
    if (fs::exists(out) && !is_page(out))
      throw InputError(out.string() +
                       ": lies there and is not a page of tauflex; move it, or "
                       "choose another file with -o");
    write_text_file(out, html_report(scenes));
  }
  fmt::print(stderr, "written to {}\n", out.string());
  return ExitCode::success;
}

}  // namespace tauflex

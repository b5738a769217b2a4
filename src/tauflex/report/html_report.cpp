#include "tauflex/report/html_report.hpp"

#include <fmt/format.h>

#include "tauflex/report/page_program.hpp"
#include "tauflex/report/result_page.hpp"

namespace tauflex {

namespace {

// JSON in a page: only "<" could end the element that holds it.
std::string embedded(const std::string& json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

}  // namespace

bool has_page_program() { return !page_program().script.empty(); }

std::string html_report(const std::vector<std::string>& scenes) {
  const PageProgram& program = page_program();
  // The policy knows our script and our style by their hashes, and forbids everything else.
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '{}'; "
      "style-src '{}'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>tauflex</title>\n<style>{}</style>\n</head>\n<body>\n",
      program.script_hash, program.style_hash, program.style);
  for (const std::string& scene : scenes)
    html += "<script type=\"application/json\">" + embedded(scene) + "</script>\n";
  return html + "<script>" + program.script + "</script>\n</body>\n</html>\n";
}

std::string html_report(const Record& record) {
  return has_page_program() ? html_report(std::vector{scene_json(result_page(record))})
                            : plain_report(record);
}

}  // namespace tauflex

#include "tauflex/report/chart_style.hpp"

#include <fmt/format.h>

#include <array>

namespace tauflex {

namespace {

// Okabe and Ito's palette, which stays distinct for all common kinds of colour blindness.
constexpr std::array light = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                              "#e69f00", "#56b4e9", "#1f2328"};
static_assert(light.size() == colour_count);
constexpr std::array dashes = {"", "8 4", "2 4", "10 4 2 4"};
static_assert(dashes.size() == dash_count);

constexpr int font_size = 13;  // px

}  // namespace

double text_width(std::string_view text) {
  const auto is_one_of = [](char c, std::string_view set) { return set.find(c) < set.size(); };
  double em = 0;
  for (const char c : text) {
    if ((c & 0xC0) == 0x80) continue;  // inside a character
    const bool wide = is_one_of(c, "mwMW@%") || static_cast<unsigned char>(c) >= 0xE3;  // CJK
    em += wide                                  ? 1.0
          : is_one_of(c, " .,:;'|!()[]/ijlIft") ? 0.38
          : is_one_of(c, "0123456789")          ? 0.65
                                                : 0.61;
  }
  return em * font_size;
}

std::string chart_css() {
  std::string css = fmt::format(
      ".chart text{{font:{}px system-ui,-apple-system,\"Segoe UI\",Roboto,Helvetica,Arial,"
      "sans-serif;fill:#424a53}}\n",
      font_size);
  css +=
      ".chart .tick{text-anchor:middle}.chart .end{text-anchor:end}\n"
      ".chart path{fill:none;stroke-linejoin:round;stroke-linecap:round}\n"
      ".chart .grid{stroke:#e3e6ea}.chart .zero{stroke:#9aa2ab}\n"
      ".chart .line{stroke-width:2}.chart .thin{stroke-width:1.3}\n"
      ".chart .band{stroke-width:7;opacity:.35}\n"
      ".chart .limb{stroke-width:6;opacity:.28}\n"
      ".chart .level{stroke:#b42318;stroke-dasharray:5 4;stroke-width:1.3}\n"
      ".chart .level-name{fill:#b42318}.chart .mark{stroke:#fff;stroke-width:1.5}\n";
  for (size_t i = 0; i < light.size(); ++i)
    css += fmt::format(".chart .c{0}{{stroke:{1}}}.chart .f{0}{{fill:{1}}}\n", i, light[i]);
  for (size_t i = 1; i < dashes.size(); ++i)
    css += fmt::format(".chart .d{}{{stroke-dasharray:{}}}\n", i, dashes[i]);
  return css;
}

}  // namespace tauflex

// Colours, dashes, fonts and widths of charts.
#pragma once

#include <string>
#include <string_view>

namespace tauflex {

constexpr int colour_count = 7;
constexpr int dash_count = 4;

// Width in px of a text before anyone has drawn it, for a wide sans-serif font.
double text_width(std::string_view text);

// For what holds charts.
std::string chart_css();

}  // namespace tauflex

#include "tauflex/report/plain_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "tauflex/base/text.hpp"

namespace tauflex {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

// The character that starts at text[i] and its length in bytes; length 0 when it is broken.
struct Character {
  std::uint32_t code = 0;
  size_t length = 0;
};
Character character(std::string_view text, size_t i) {
  const auto byte = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(i);
  if (first < 0x80) return {first, 1};
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || i + length > text.size()) return {};
  std::uint32_t code = first & (0xFFu >> (length + 1));
  for (size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i + k) & 0x3Fu);
  }
  constexpr std::uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < lowest[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, length};
}

bool is_harmful(std::uint32_t c) {
  const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029;
  const bool direction = c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
                         (c >= 0x2066 && c <= 0x2069) || c == 0x61C;
  const bool no_character = (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
  return control || direction || no_character;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string safe;
  for (size_t i = 0; i < text.size();) {
    const Character c = character(text, i);
    if (c.code == '\n' || c.code == '\t' || c.code == '\r')
      safe += ' ';
    else if (c.length == 0 || is_harmful(c.code))
      safe += replacement;
    else
      safe += text.substr(i, c.length);
    i += std::max<size_t>(c.length, 1);
  }
  return safe;
}

std::string escape(std::string_view text) {
  std::string safe;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string shortened(const std::string& text, size_t most) {
  size_t length = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((text[i] & 0xC0) == 0x80) continue;
    if (length++ == most - 1) return text.substr(0, i) + "…";
  }
  return text;
}

std::string number(double value, int digits) {
  std::string text = fmt::format("{:.{}g}", value, digits);
  const double size = std::abs(value);
  // Digits beyond the asked ones are zeros: "84500", not "8.45e4".
  if (size >= 1e-4 && size < 1e7) return fmt::format("{}", parse_number(text).value_or(value));
  if (const auto e = text.find('e'); e != std::string::npos) {
    size_t digit = e + 2;  // after the sign
    while (digit + 1 < text.size() && text[digit] == '0') text.erase(digit, 1);
    if (text[e + 1] == '+') text.erase(e + 1, 1);
  }
  return text;
}

std::string size_text(double value, Quantity quantity, int digits) {
  const char* base = unit_of(quantity);
  const double size = std::abs(value);
  // Millimetres as long as one can picture them, then smaller and larger units.
  if (size == 0) return fmt::format("0 m{}", base);
  if (!(size < 1)) return fmt::format("{} {}", number(value, digits), base);
  if (size >= 1e-6) return fmt::format("{} m{}", number(1e3 * value, digits), base);
  if (size >= 1e-9) return fmt::format("{} µ{}", number(1e6 * value, digits), base);
  return fmt::format("{} n{}", number(1e9 * value, digits), base);
}

std::string error_text(double value, double tolerance, Quantity quantity) {
  const auto rounded = [&](int digits) {
    return parse_number(fmt::format("{:.{}g}", value, digits)).value_or(value);
  };
  if (std::abs(value) < 1e-9 && tolerance >= 1e-9) return fmt::format("< 1 n{}", unit_of(quantity));
  int digits = 2;
  while (digits < 15 && (rounded(digits) > tolerance) != (value > tolerance)) ++digits;
  return size_text(value, quantity, digits);
}

}  // namespace tauflex

#include "tauflex/base/units.hpp"

#include <algorithm>
#include <numbers>
#include <sstream>
#include <vector>

#include "tauflex/base/text.hpp"

namespace tauflex {

namespace {

struct Unit {
  // Without spaces.
  const char* text;
  const char* si;
  double factor;
};

constexpr double degree = std::numbers::pi / 180;

constexpr Unit units[] = {
    {"m", "m", 1},
    {"mm", "m", 1e-3},
    {"cm", "m", 1e-2},
    {"um", "m", 1e-6},
    {"rad", "rad", 1},
    {"mrad", "rad", 1e-3},
    {"deg", "rad", degree},
    {"kg", "kg", 1},
    {"g", "kg", 1e-3},
    {"t", "kg", 1e3},
    {"s", "s", 1},
    {"ms", "s", 1e-3},
    {"us", "s", 1e-6},
    {"min", "s", 60},
    {"N", "N", 1},
    {"kN", "N", 1e3},
    {"mN", "N", 1e-3},
    {"Nm", "N m", 1},
    {"kNm", "N m", 1e3},
    {"mNm", "N m", 1e-3},
    {"Nm/s", "N m/s", 1},
    {"N/s", "N/s", 1},
    {"kgm^2", "kg m^2", 1},
    {"kgcm^2", "kg m^2", 1e-4},
    {"gcm^2", "kg m^2", 1e-7},
    {"Nm/rad", "N m/rad", 1},
    {"kNm/rad", "N m/rad", 1e3},
    {"Nm/deg", "N m/rad", 1 / degree},
    {"N/m", "N/m", 1},
    {"N/mm", "N/m", 1e3},
    {"Nms/rad", "N m s/rad", 1},
    {"Ns/m", "N s/m", 1},
    {"rad/s", "rad/s", 1},
    {"deg/s", "rad/s", degree},
    {"rpm", "rad/s", 2 * std::numbers::pi / 60},
    {"m/s", "m/s", 1},
    {"mm/s", "m/s", 1e-3},
    {"m/s^2", "m/s^2", 1},
    {"rad/s^2", "rad/s^2", 1},
    {"deg/s^2", "rad/s^2", degree},
    {"1/s", "1/s", 1},
    {"Hz", "1/s", 1},
    {"kHz", "1/s", 1e3},
};

}  // namespace

std::optional<NumberWithUnit> parse_number_with_unit(std::string_view text) {
  // The longest beginning that is a number; what follows is the unit: "1e3 mm", "5kg".
  for (size_t length = text.size(); length-- > 1;) {
    const auto end = text.substr(0, length).find_last_not_of(' ');
    if (end == std::string_view::npos) continue;
    const auto number = parse_number(text.substr(0, end + 1));
    if (!number) continue;
    std::string unit(text.substr(length));
    std::erase(unit, ' ');
    for (const Unit& known : units)
      if (unit == known.text) return NumberWithUnit{*number * known.factor, known.si};
    return std::nullopt;
  }
  return std::nullopt;
}

std::string known_units(std::string_view si) {
  std::vector<std::string> names;
  for (const Unit& known : units)
    if (si == known.si) names.emplace_back(known.text);
  return join(names);
}

bool begins_with_number(const std::string& text) {
  const auto end = text.find_first_not_of("+-.0123456789");
  return end != text.npos && end > 0 && parse_number(text.substr(0, end)) &&
         text.find_first_of("0123456789.,", end) == text.npos;
}

std::string wrong_unit(const NumberWithUnit& given, const std::string& units) {
  std::vector<std::string> known;
  std::stringstream words(units);
  for (std::string unit; std::getline(words, unit, '|');) {
    if (unit == given.si) return "";
    known.push_back(known_units(unit));
  }
  return units.empty() ? "expected a number without a unit"
                       : "expected a number, or one in " + join(known, " or ");
}

}  // namespace tauflex

// Numbers with a unit, as people write them: "30 deg", "250 mm", "5 kg". Everything is computed in
// SI units and radians, which need not be written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tauflex {

struct NumberWithUnit {
  // In `si`.
  double value;
  // "rad", "m", "N m"
  std::string si;
};

// None where the text is not a number and one of the known units behind it.
std::optional<NumberWithUnit> parse_number_with_unit(std::string_view text);

// What may be written for an SI unit: "m, mm, cm, um"; empty when no other unit is known.
std::string known_units(std::string_view si);

// "5 lb", not "1,5" or "1e999"
bool begins_with_number(const std::string& text);

// Why a number with a unit does not belong where one of `units` ("m|rad") is expected; empty when
// it does.
std::string wrong_unit(const NumberWithUnit& given, const std::string& units);

}  // namespace tauflex

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

}  // namespace tauflex

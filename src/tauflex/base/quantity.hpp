// What a number measures, and its unit.
#pragma once

namespace tauflex {

enum class Quantity { length, angle, force };

inline const char* unit_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::length:
      return "m";
    case Quantity::angle:
      return "rad";
    case Quantity::force:
      return "N";
  }
  return "";
}

}  // namespace tauflex

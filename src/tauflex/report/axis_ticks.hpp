// Ticks of an axis: where they stand and what is written beside them.
#pragma once

#include <string>
#include <vector>

namespace tauflex {

struct Tick {
  double value;
  std::string text;
};

// Multiples of 1, 2 or 5 times a power of ten inside [low, high], about `count` of them.
std::vector<double> nice_ticks(double low, double high, int count);

// The same, with as many decimals as the step between them has.
std::vector<Tick> linear_ticks(double low, double high, int count);

// Of a logarithmic axis from 10^low to 10^high, about `count` of them: "100 nm", "1 mm", "10 m" for
// the unit "m". The value of a tick is its power of ten.
std::vector<Tick> decade_ticks(int low, int high, const std::string& unit, int count);

}  // namespace tauflex

// Whether beams buckle under what they carry.                                       theory (B.13)
#pragma once

#include <optional>
#include <string>

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

struct Buckling {
  // The link with the weakest beam.
  std::string link;
  // The share of its load at which it buckles, below 1.
  double carried = 0;
};

// Of a robot at rest at q whose motors are locked; none while all beams are stable. Robots on
// constraints, which may hold a beam that gravity would bend, are not judged.
std::optional<Buckling> buckling(const Robot& robot, MechanicsData& data, const VectorRef& q);

}  // namespace tauflex

// Whether beams carry what stands on them.                                          theory (B.13)
#pragma once

#include <optional>
#include <string>

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

struct Buckling {
  // Of the beam that gives most.
  std::string link;
  // Part of the load under which it would just stand.
  double carried = 0;
};

// Of a robot at rest at q whose motors are locked; none while all beams are stable. Robots on
// constraints, which may hold a beam that gravity would bend, are not judged.
std::optional<Buckling> buckling(const Robot& robot, MechanicsData& data, const VectorRef& q);

}  // namespace tauflex

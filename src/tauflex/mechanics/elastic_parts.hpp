// The parts of a robot that give, each with its stiffness: gears, springs, beams by the way they
// give. Their energies say in words what a motion stretches.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

struct ElasticPart {
  // "gear of axis2", "bending of upper"
  std::string name;
  // Has several modes of its own: its first, its second, ...
  bool is_distributed = false;
  // nv x nv: a motion x stretches it by an energy of x^T stiffness x / 2
  Matrix stiffness;
};

// At the pose of the last kinematics(). A stiffness between two parts counts half for each.
std::vector<ElasticPart> elastic_parts(const Robot& robot, MechanicsData& data, const VectorRef& q);

// The part that leaves the small deflections of its model most, if one does: by more than 0.1 rad.
struct LargeDeflection {
  std::string link;
  double slope = 0;  // rad, within one segment
  // Segments with which it would not.
  int segments = 0;
};
std::optional<LargeDeflection> large_deflection(const Robot& robot, const VectorRef& q);

}  // namespace tauflex

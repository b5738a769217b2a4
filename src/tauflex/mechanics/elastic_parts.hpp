// The elastic parts of a robot, each with its stiffness: gears, springs, beams by their kinds of
// deformation. Their shares of the elastic energy describe a mode in words.
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

// The beam with the largest slope above 0.1 rad, where its model of small deflections ends; none
// when all are below.
struct LargeDeflection {
  std::string link;
  double slope = 0;  // rad, within one segment
  // So many segments would keep it below.
  int segments = 0;
};
std::optional<LargeDeflection> large_deflection(const Robot& robot, const VectorRef& q);

}  // namespace tauflex

// What the links of a robot look like: as its file draws them, else as shapes made from where its
// joints, frames and centres of mass are, from masses and inertias. Nothing is computed from it.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "tauflex/model/robot.hpp"
#include "tauflex/report/mesh_triangles.hpp"

namespace tauflex {

// A round bar between two points of a link that may get thinner.
struct Limb {
  Vector3 from, to;
  // m, at both ends
  double radius = 0, end_radius = 0;
};

// What a shape stands for; it has the colour of it.
enum class ShapeRole {
  body,
  // A joint that a drive moves, one that only a spring holds, one that is free.
  driven_joint,
  spring_joint,
  free_joint,
};

struct Shape {
  std::variant<Box, Cylinder, Sphere, Limb, Triangles> solid;
  // In the link frame.
  Pose X_LS = {};
  ShapeRole role = ShapeRole::body;
};

// m: about how long the longest link is; 1 where none has a length.
double link_size(const Robot& robot);

// One list per link. `size`: link_size().
std::vector<std::vector<Shape>> link_shapes(const Robot& robot, double size);

}  // namespace tauflex

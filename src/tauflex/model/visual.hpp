// What a link looks like: for pictures only, nothing is computed from it.
#pragma once

#include <filesystem>
#include <variant>

#include "tauflex/math/rotations.hpp"

namespace tauflex {

struct Box {
  // m, along x, y, z
  Vector3 size = Vector3::Ones();
};

struct Cylinder {
  double radius = 0;  // m
  // m, along z; the origin is its centre
  double length = 0;
};

struct Sphere {
  double radius = 0;  // m
};

struct Mesh {
  std::filesystem::path path;  // an STL file
  // File units to m.
  Vector3 scale = Vector3::Ones();
};

struct Visual {
  std::variant<Box, Cylinder, Sphere, Mesh> shape;
  // In the link frame.
  Pose X_LV = {};
};

}  // namespace tauflex

// What a link looks like: for pictures only, nothing is computed from it.
#pragma once

#include <filesystem>
#include <variant>

#include "tauflex/math/rotations.hpp"

namespace tauflex {

struct Box {
  Vector3 size = Vector3::Ones();  // m, along x, y, z
};

struct Cylinder {
  double radius = 0;  // m
  double length = 0;  // m, along z; the origin is its centre
};

struct Sphere {
  double radius = 0;  // m
};

struct Mesh {
  std::filesystem::path path;       // an STL file
  Vector3 scale = Vector3::Ones();  // file units to m
};

struct Visual {
  std::variant<Box, Cylinder, Sphere, Mesh> shape;
  Pose X_LV = {};  // in the link frame
};

}  // namespace tauflex

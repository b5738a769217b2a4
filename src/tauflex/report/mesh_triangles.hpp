// Triangles of a mesh file, few enough for a page.
#pragma once

#include <array>
#include <vector>

#include "tauflex/model/visual.hpp"

namespace tauflex {

struct Triangles {
  std::vector<Vector3> points;  // m
  std::vector<std::array<int, 3>> corners;
};

// An STL (binary or text), OBJ or COLLADA file. More than `most` triangles are made fewer: points
// that lie close together become one. Throws InputError when it cannot be read.
Triangles read_triangles(const Mesh& mesh, size_t most = 6000);

}  // namespace tauflex

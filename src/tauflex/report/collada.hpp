// Triangles of a COLLADA file (.dae), placed as its scene places them, in m.
#pragma once

#include <string>
#include <vector>

#include "tauflex/math/rotations.hpp"

namespace tauflex {

// Three corners for each triangle. Reads <triangles>, <polylist> and <polygons> of the geometries
// that nodes of the scene show; colours, skins and animations are left out. Empty where there is
// nothing to draw.
std::vector<Vector3> collada_corners(const std::string& text);

}  // namespace tauflex

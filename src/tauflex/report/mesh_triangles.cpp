#include "tauflex/report/mesh_triangles.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include "tauflex/base/errors.hpp"
#include "tauflex/report/collada.hpp"

namespace tauflex {

namespace {

using Corners = std::vector<Vector3>;  // three for each triangle

// 80 bytes of heading, the number of triangles, then 50 bytes each: normal, three points, two more.
bool is_binary(const std::string& bytes, uint32_t& count) {
  if (bytes.size() < 84) return false;
  std::memcpy(&count, bytes.data() + 80, 4);
  return bytes.size() == 84 + 50 * static_cast<size_t>(count);
}

Corners binary_corners(const std::string& bytes, uint32_t count) {
  Corners corners;
  corners.reserve(3 * static_cast<size_t>(count));
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k < 3; ++k) {
      float p[3];
      std::memcpy(p, bytes.data() + 84 + 50 * i + 12 + 12 * k, sizeof p);
      corners.emplace_back(p[0], p[1], p[2]);
    }
  return corners;
}

Corners text_corners(const std::string& text) {
  Corners corners;
  std::istringstream words(text);
  words.imbue(std::locale::classic());
  std::string word;
  while (words >> word) {
    Vector3 p;
    if (word == "vertex" && words >> p[0] >> p[1] >> p[2]) corners.push_back(p);
  }
  return corners;
}

// v x y z, then f with indices from 1, or from the last back; "3/1/2" is point 3.
Corners obj_corners(const std::string& text) {
  Corners points, corners;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    words.imbue(std::locale::classic());
    std::string kind, word;
    words >> kind;
    Vector3 p;
    if (kind == "v" && words >> p[0] >> p[1] >> p[2]) points.push_back(p);
    if (kind != "f") continue;
    std::vector<size_t> face;
    while (words >> word) {
      const long i = std::atol(word.c_str());
      const long k = i < 0 ? std::ssize(points) + i : i - 1;
      if (k >= 0 && k < std::ssize(points)) face.push_back(static_cast<size_t>(k));
    }
    for (size_t k = 1; k + 1 < face.size(); ++k)
      corners.insert(corners.end(), {points[face[0]], points[face[k]], points[face[k + 1]]});
  }
  return corners;
}

// Points in one cell of a grid are one point; triangles that shrink to a line are left out.
Triangles joined(const Corners& corners, const Vector3& low, double cell) {
  Triangles mesh;
  std::map<std::array<long, 3>, int> known;
  const auto index = [&](const Vector3& p) {
    std::array<long, 3> at{};
    for (size_t k = 0; k < 3; ++k) at[k] = std::lround((p[k] - low[k]) / cell);
    const auto [entry, is_new] = known.emplace(at, static_cast<int>(mesh.points.size()));
    if (is_new) mesh.points.push_back(p);
    return entry->second;
  };
  for (size_t i = 0; i + 2 < corners.size(); i += 3) {
    const std::array<int, 3> c = {index(corners[i]), index(corners[i + 1]), index(corners[i + 2])};
    if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0]) mesh.corners.push_back(c);
  }
  return mesh;
}

Corners corners_of(const std::string& bytes, std::string ending) {
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (ending == ".obj") return obj_corners(bytes);
  if (ending == ".dae") return collada_corners(bytes);
  uint32_t count = 0;
  return is_binary(bytes, count) ? binary_corners(bytes, count) : text_corners(bytes);
}

}  // namespace

Triangles read_triangles(const Mesh& mesh, size_t most) {
  std::ifstream file(mesh.path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Corners corners = corners_of(bytes, mesh.path.extension().string());
  Vector3 low = Vector3::Constant(INFINITY), high = -low;
  for (Vector3& p : corners) {
    p = p.cwiseProduct(mesh.scale);
    if (!(p.cwiseAbs().maxCoeff() < 1e30))
      throw InputError(mesh.path.string() + ": a point is not finite");
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  if (corners.size() < 3) throw InputError(mesh.path.string() + ": no triangles in it");
  const double size = std::max((high - low).maxCoeff(), 1e-12);
  Triangles result = joined(corners, low, 1e-6 * size);
  for (double cell = size / 200; result.corners.size() > most; cell *= 1.3)
    result = joined(corners, low, cell);
  return result;
}

}  // namespace tauflex

#include "tauflex/trajectory/point_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauflex/base/text.hpp"
#include "tauflex/math/rotation_vector.hpp"

namespace tauflex {

using Names = std::vector<std::string>;

Vector3 read_orientation(const Node& node) {
  if (node.is_text() && node.text() == "start")
    return Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
  if (!node.is_map()) return node.in("rad").numbers(3);
  node.allow({"rotation_vector", "rpy", "quaternion"});
  if (node.size() != 1) node.fail("expected one of rotation_vector, rpy and quaternion");
  const Node given = node.at(node.keys().front());
  if (node.has("rotation_vector")) return given.in("rad").numbers(3);
  if (node.has("rpy")) return rotation_vector(rotation_from_rpy(given.in("rad").numbers(3)));
  const Vector q = given.numbers(4);
  if (std::abs(q.norm() - 1) > 1e-3)
    given.fail(fmt::format("a quaternion [w, x, y, z] has length 1, this one {:.6g}", q.norm()));
  return rotation_vector(Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().matrix());
}

namespace {

// In which units the values of an output may stand, from its name.
std::string units_of(const std::string& output) {
  const std::string component = output.substr(output.rfind('.') + 1);
  if (component == output) return "rad|m";
  if (component == "x" || component == "y" || component == "z") return "m";
  if (component == "rx" || component == "ry" || component == "rz") return "rad";
  return component == "force" ? "N|N m" : "rad|m";
}

// Whether the three rows from here on are an orientation.
bool is_orientation(const Names& outputs, size_t row) {
  return row + 2 < outputs.size() && outputs[row].ends_with(".rx") &&
         outputs[row + 2].ends_with(".rz");
}

Vector read_list(const Node& node, const Names& outputs) {
  const int rows = static_cast<int>(outputs.size());
  Vector point(rows);
  int row = 0, item = 0;
  for (; node.is_list() && item < node.size() && row < rows; ++item) {
    const Node value = node[item];
    const bool is_word = value.is_text() && value.text() == "start";
    if ((value.is_map() || is_word) && is_orientation(outputs, row)) {
      point.segment<3>(row) = read_orientation(value);
      row += 3;
    } else {
      point[row] = value.in(units_of(outputs[row])).number();
      ++row;
    }
  }
  if (node.is_list() && (row != rows || item != node.size()))
    node.fail(fmt::format("the task has {} ({}), so a point has {}, got {}",
                          counted(outputs.size(), "output"), join(outputs),
                          counted(outputs.size(), "number"), node.size()));
  if (!node.is_list()) return node.numbers(rows);  // says why
  return point;
}

Vector read_map(const Node& node, const Names& outputs) {
  Vector point(outputs.size());
  Names known;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string whole = outputs[i].substr(0, outputs[i].rfind('.')) + ".orientation";
    if (is_orientation(outputs, i) && node.has(whole)) {
      point.segment<3>(static_cast<Eigen::Index>(i)) = read_orientation(node.at(whole));
      known.push_back(whole);
      i += 2;
    } else {
      known.push_back(outputs[i]);
    }
  }
  for (const auto& key : node.keys())
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      const std::string hint = did_you_mean(key, known);
      node.at(key).fail(fmt::format("unknown output '{}'{}", key,
                                    hint.empty() ? "; outputs here: " + join(known) : hint));
    }
  for (size_t i = 0; i < outputs.size(); ++i)
    if (std::find(known.begin(), known.end(), outputs[i]) != known.end())
      point[i] = node.at(outputs[i]).in(units_of(outputs[i])).number();
  return point;
}

}  // namespace

Vector read_raw_point(const Node& node, const Names& outputs) {
  if (outputs.size() == 1 && node.is_text())
    return Vector::Constant(1, node.in(units_of(outputs[0])).number());
  return node.is_map() ? read_map(node, outputs) : read_list(node, outputs);
}

}  // namespace tauflex

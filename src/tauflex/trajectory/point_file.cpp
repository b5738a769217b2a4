#include "tauflex/trajectory/point_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tauflex/base/text.hpp"
#include "tauflex/math/rotation_vector.hpp"

namespace tauflex {

using Names = std::vector<std::string>;

namespace {

// Degrees that stand without their unit are more than a turn as soon as they are more than 6.3.
Vector3 read_angles(const Node& node) {
  const Vector3 angles = node.in("rad").numbers(3);
  Eigen::Index most = 0;
  if (angles.cwiseAbs().maxCoeff(&most) > 2 * std::numbers::pi + 1e-6)
    node.fail(
        fmt::format("{0:.6g} rad is more than a turn: did you mean degrees? write '{0:.6g} deg'",
                    angles[most]));
  return angles;
}

}  // namespace

Vector3 read_orientation(const Node& node) {
  if (!node.is_map()) return node.in("rad").numbers(3);
  node.allow({"rotation_vector", "rpy", "quaternion"});
  if (node.size() != 1) node.fail("expected one of rotation_vector, rpy and quaternion");
  const Node given = node.at(node.keys().front());
  if (node.has("rotation_vector")) return read_angles(given);
  if (node.has("rpy")) return rotation_vector(rotation_from_rpy(read_angles(given)));
  const Vector q = given.numbers(4);
  if (std::abs(q.norm() - 1) > 1e-3)
    given.fail(fmt::format("a quaternion [w, x, y, z] has length 1, this one {:.6g}", q.norm()));
  return rotation_vector(Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().matrix());
}

namespace {

bool is_start(const Node& node) { return node.is_text() && node.text() == "start"; }

// The turn of the z axis from two numbers, or to a direction: three numbers, or x, y, z, -x, -y,
// -z.
Vector read_axis(const Node& node) {
  if (node.is_list() && node.size() == 2) return node.in("rad").numbers(2);
  Vector3 d = Vector3::Zero();
  if (node.is_text()) {
    const std::string word = node.text();
    const auto axis = word.empty() ? std::string::npos : std::string("xyz").find(word.back());
    if (axis == std::string::npos || word.size() > 2 || (word.size() == 2 && word[0] != '-'))
      node.fail(fmt::format("expected a direction: x, y, z, -x, -y, -z or three numbers, got '{}'",
                            shown(word)));
    d[static_cast<Eigen::Index>(axis)] = word.size() == 2 ? -1 : 1;
  } else {
    d = node.numbers(3);
  }
  if (!(d.norm() > 0)) node.fail("a direction must not be zero");
  return turn_to_direction(d.normalized()).head(2);
}

// Whether an item of a point stands for all rows of an orientation or axis.
bool says_all(const Node& value, const OutputParts& parts) {
  if (!value.is_text() || is_start(value)) return true;
  const std::string word = value.text();
  return parts.rows.size() == 2 && !word.empty() && std::string("xyz").find(word.back()) < 3;
}

Vector read_list(const Node& node, const Names& outputs) {
  const int rows = static_cast<int>(outputs.size());
  Vector point(rows);
  int row = 0, item = 0;
  for (; node.is_list() && item < node.size() && row < rows; ++item) {
    const Node value = node[item];
    const OutputParts* parts = parts_from(outputs, row);
    if (parts && says_all(value, *parts)) {
      const Vector all = read_parts(value, *parts);
      point.segment(row, all.size()) = all;
      row += static_cast<int>(all.size());
    } else {
      point[row] = value.in(units_of_output(outputs[row])).number();
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
    const OutputParts* parts = parts_from(outputs, i);
    const std::string whole = parts ? split_output_name(outputs[i]).with(parts->whole) : "";
    if (parts && node.has(whole)) {
      const Vector all = read_parts(node.at(whole), *parts);
      point.segment(static_cast<Eigen::Index>(i), all.size()) = all;
      known.push_back(whole);
      i += all.size() - 1;
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
      point[i] = node.at(outputs[i]).in(units_of_output(outputs[i])).number();
  return point;
}

}  // namespace

Vector read_parts(const Node& node, const OutputParts& parts) {
  if (is_start(node))
    return Vector::Constant(std::ssize(parts.rows), std::numeric_limits<double>::quiet_NaN());
  return parts.rows.size() == 3 ? Vector(read_orientation(node)) : read_axis(node);
}

Vector read_raw_point(const Node& node, const Names& outputs) {
  if (outputs.size() == 1 && node.is_text())
    return Vector::Constant(1, node.in(units_of_output(outputs[0])).number());
  return node.is_map() ? read_map(node, outputs) : read_list(node, outputs);
}

}  // namespace tauflex

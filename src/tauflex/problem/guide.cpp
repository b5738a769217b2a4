#include "tauflex/problem/guide.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "tauflex/model/geometry_file.hpp"

namespace tauflex {

namespace {

// x and z, made perpendicular by changing z; y to the left.
Matrix3 axes_from(const Vector3& x, const Vector3& z) {
  Matrix3 R;
  R.col(0) = x.normalized();
  R.col(2) = (z - R.col(0) * R.col(0).dot(z)).normalized();
  R.col(1) = R.col(2).cross(R.col(0));
  return R;
}

Guide read_line_guide(const Node& node) {
  const Node line = node.at("line");
  line.allow({"from", "to"});
  const Vector3 from = line.at("from").in("m").numbers(3), to = line.at("to").in("m").numbers(3);
  if (!((to - from).norm() > 0)) line.fail("from and to are the same point: no direction");
  const auto given = node.find("up");
  const Vector3 up = given ? read_axis(*given) : Vector3(0, 0, 1);
  if (!(up.cross(to - from).norm() > 1e-9 * up.norm() * (to - from).norm()))
    (given ? *given : line)
        .fail("'up' must not lie along the line; give another one, such as up: x");
  return {{axes_from(to - from, up), from}, std::nullopt};
}

Guide read_circle_guide(const Node& node) {
  if (node.has("up")) node.at("up").fail("belongs to a line; a circle has its normal");
  const Node circle = node.at("circle");
  circle.allow({"from", "center", "normal"});
  const Vector3 from = circle.at("from").in("m").numbers(3),
                center = circle.at("center").in("m").numbers(3),
                normal = read_axis(circle.at("normal"));
  const double radius = (from - center).norm(), along = normal.normalized().dot(from - center);
  if (!(radius > 0)) circle.fail("from and center are the same point: a circle of radius 0");
  if (std::abs(along) > 1e-9 * radius)
    circle.fail(fmt::format(
        "from - center must be perpendicular to normal, but reaches {:.6g} along it", along));
  return {{axes_from(from - center, normal), center}, radius};
}

}  // namespace

Guide read_guide(const Node& node) {
  node.allow({"line", "circle", "up"});
  if (node.has("line") == node.has("circle")) node.fail("expected one of line and circle");
  return node.has("line") ? read_line_guide(node) : read_circle_guide(node);
}

}  // namespace tauflex

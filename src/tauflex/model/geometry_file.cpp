#include "tauflex/model/geometry_file.hpp"

#include <fmt/format.h>

#include <map>

#include "tauflex/base/text.hpp"
#include "tauflex/model/directions.hpp"

namespace tauflex {

Pose read_pose(const Node& node) {
  Pose pose;
  if (const auto at = node.find("at")) pose.p = at->in("m").numbers(3);
  if (const auto rpy = node.find("rpy")) pose.R = rotation_from_rpy(rpy->in("rad").numbers(3));
  return pose;
}

Vector3 read_axis(const Node& node) {
  if (node.is_list()) {
    const Vector3 axis = node.numbers(3);
    if (axis.norm() < 1e-12) node.fail("an axis must not be zero");
    return axis.normalized();
  }
  const std::map<std::string, Vector3> axes = {{"x", {1, 0, 0}},   {"y", {0, 1, 0}},
                                               {"z", {0, 0, 1}},   {"-x", {-1, 0, 0}},
                                               {"-y", {0, -1, 0}}, {"-z", {0, 0, -1}}};
  const auto found = axes.find(node.text());
  if (found == axes.end())
    node.fail("expected x, y, z, -x, -y, -z or three numbers, got '" + node.text() + "'");
  return found->second;
}

std::array<bool, 6> read_directions(const Node& node) {
  const std::vector<std::string> names(direction_names.begin(), direction_names.end());
  std::array<bool, 6> chosen = {};
  if (!node.is_list() || node.size() == 0) node.fail("expected a list of " + join(names));
  int last = -1;
  for (int i = 0; i < node.size(); ++i) {
    const int index = index_of(node[i].text(), names);
    if (index < 0)
      node[i].fail(
          fmt::format("'{}' is not a direction; there are {}", node[i].text(), join(names)));
    if (index <= last) node[i].fail("directions stand in the order " + join(names));
    chosen[index] = true;
    last = index;
  }
  return chosen;
}

}  // namespace tauflex

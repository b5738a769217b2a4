#include "tauflex/model/robot_kind.hpp"

#include <algorithm>

namespace tauflex {

bool has_elastic_drives(const Robot& robot) { return robot.rotors() > 0; }

bool has_orientations(const Robot& robot) { return !robot.coordinates().quaternions.empty(); }

bool has_beams(const Robot& robot) { return !robot.tree().beams.empty(); }

bool has_mass(const Robot& robot) {
  const auto& links = robot.description().links;
  return std::any_of(links.begin(), links.end(), [](const Link& link) {
    return link.inertia.mass != 0 || !link.inertia.about_com.isZero(0) || link.beam;
  });
}

std::vector<bool> held_by_springs(const Robot& robot) {
  std::vector<bool> held(robot.tree_nv(), false);
  for (const SpringEntry& spring : robot.springs().joint)
    if (spring.row == spring.column && spring.stiffness > 0) held[spring.row] = true;
  return held;
}

}  // namespace tauflex

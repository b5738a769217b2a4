#include "tauflex/model/finer_twin.hpp"

namespace tauflex {

std::optional<Robot> finer_twin(const Robot& robot) {
  RobotDescription finer = robot.description();
  bool bends = false;
  for (Link& link : finer.links) {
    if (!link.beam) continue;
    bends = true;
    link.beam->elements *= 2;
    link.beam->modes.reset();
  }
  if (!bends) return std::nullopt;
  const Robot twin(finer);
  std::vector<int> kept;
  for (int i = 0; i < twin.constraint_count(); ++i)
    for (const ConstraintRow& row : robot.constraints())
      if (row.name == twin.constraints()[i].name) kept.push_back(i);
  return twin.with_constraint_rows(kept);
}

}  // namespace tauflex

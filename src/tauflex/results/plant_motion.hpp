// A plant whose coordinates are others than those of the robot: with springs where the robot is
// rigid, or without. Outputs and drives are the same; what moves between them is told in the
// robot's coordinates, as far as the plant has them.
#pragma once

#include <optional>
#include <vector>

#include "tauflex/mechanics/drive_train.hpp"
#include "tauflex/problem/inverse_problem.hpp"

namespace tauflex {

class PlantMotion {
 public:
  // Throws InputError when the plant does not have the drives and outputs of the problem, and
  // ProblemError when it cannot stand at the start of the task.
  PlantMotion(const Robot& plant, const InverseProblem& problem);

  // The coordinates are those of the robot.
  bool is_alike() const { return !on_plant_; }
  // The outputs, measured at the plant.
  const Outputs& outputs() const { return on_plant_ ? on_plant_->outputs() : problem_.outputs(); }
  // Of the plant at rest at the start of the task; where it is not alike.
  const Vector& start() const { return start_; }
  // Coordinates that the plant does not have are 0, rotors move with their joints.
  void to_robot(const VectorRef& q, const VectorRef& v, VectorOut robot_q, VectorOut robot_v) const;

 private:
  const InverseProblem& problem_;
  std::optional<InverseProblem> on_plant_;
  std::optional<DriveTrain> drives_;
  Vector start_;
  // The plant's coordinate for each of the robot's; -1: it has none.
  std::vector<int> q_, v_;
};

}  // namespace tauflex

#include "tauflex/results/plant_motion.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/equations/consistent_start.hpp"
#include "tauflex/equations/start.hpp"

namespace tauflex {

PlantMotion::PlantMotion(const Robot& plant, const InverseProblem& problem) : problem_(problem) {
  const Robot& robot = problem.robot();
  if (plant.coordinates().names == robot.coordinates().names &&
      plant.constraint_count() == robot.constraint_count())
    return;
  const auto& drives = robot.actuation().names;
  if (plant.actuation().names != drives)
    throw InputError(fmt::format(
        "verification.plant: the torques are for the drives {}, but the plant has {}", join(drives),
        plant.actuation().names.empty() ? "none" : join(plant.actuation().names)));
  on_plant_.emplace(plant, problem.task());
  start_ = consistent_start(*on_plant_).q;
  drives_.emplace(robot);
  for (const std::string& name : robot.coordinates().names)
    q_.push_back(plant.coordinates().find(name));
  for (const std::string& name : robot.coordinates().velocity_names)
    v_.push_back(plant.coordinates().find_velocity(name));
}

void PlantMotion::to_robot(const VectorRef& q, const VectorRef& v, VectorOut robot_q,
                           VectorOut robot_v) const {
  if (is_alike()) {
    robot_q = q;
    robot_v = v;
    return;
  }
  Vector all_q = problem_.robot().coordinates().neutral, all_v = Vector::Zero(robot_v.size());
  const auto copy = [&] {
    for (size_t i = 0; i < q_.size(); ++i)
      if (q_[i] >= 0) all_q[static_cast<Eigen::Index>(i)] = q[q_[i]];
    for (size_t i = 0; i < v_.size(); ++i)
      if (v_[i] >= 0) all_v[static_cast<Eigen::Index>(i)] = v[v_[i]];
  };
  copy();
  drives_->set_unstretched(all_q, all_v);
  copy();
  robot_q = all_q;
  robot_v = all_v;
}

}  // namespace tauflex

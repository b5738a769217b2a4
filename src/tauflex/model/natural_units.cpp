#include "tauflex/model/natural_units.hpp"

#include <algorithm>

namespace tauflex {

double robot_size(const Robot& robot) {
  const std::vector<Body>& bodies = robot.tree().bodies;
  Vector origin(std::ssize(bodies));
  double size = 0;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    // where the tree is fixed to the world says nothing about its size
    origin[i] = body.parent < 0 ? 0 : origin[body.parent] + body.p_PB.norm();
    if (body.beam >= 0) origin[i] += robot.tree().beams[body.beam].length;
    size = std::max(size, origin[i] + body.com.norm());
  }
  for (const Frame& frame : robot.frames())
    if (frame.body >= 0) size = std::max(size, origin[frame.body] + frame.X_BF.p.norm());
  return size > 0 ? size : 1;
}

Vector velocity_units(const Robot& robot) {
  const double size = robot_size(robot);
  Vector units = Vector::Ones(robot.nv());
  for (int k = 0; k < robot.nv(); ++k) {
    const int q = robot.coordinates().of_velocity[k];
    if (q >= 0 && !robot.coordinates().is_angle[q]) units[k] = size;
  }
  return units;
}

Vector weight_units(const Robot& robot) {
  const std::vector<Body>& bodies = robot.tree().bodies;
  Vector carried(std::ssize(bodies)), weights = Vector::Zero(robot.nv());
  for (size_t i = 0; i < bodies.size(); ++i) carried[i] = bodies[i].mass;
  for (size_t i = bodies.size(); i-- > 0;)
    if (bodies[i].parent >= 0) carried[bodies[i].parent] += carried[i];
  for (size_t i = 0; i < bodies.size(); ++i)
    weights.segment(bodies[i].v_begin, bodies[i].v_count)
        .setConstant(carried[i] * robot.gravity().norm() * robot_size(robot));
  return weights.cwiseQuotient(velocity_units(robot));
}

Vector constraint_units(const Robot& robot) {
  const double size = robot_size(robot);
  Vector units = Vector::Ones(robot.constraint_count());
  for (int i = 0; i < robot.constraint_count(); ++i)
    if (!robot.constraints()[i].is_angle) units[i] = size;
  return units;
}

}  // namespace tauflex

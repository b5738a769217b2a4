// A URDF file as MuJoCo reads it.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <string>
#include <vector>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

class MujocoUrdf {
 public:
  // Throws std::runtime_error with MuJoCo's message.
  explicit MujocoUrdf(std::string text);

  int nv() const { return model_->nv; }
  // The velocity of a joint that turns about or moves along one axis; throws when there is none.
  int velocity(const std::string& joint) const;
  double damping(int velocity) const { return model_->dof_damping[velocity]; }
  // Of the joints, in the axes of the bodies that they move; one column each.
  Matrix axes() const;
  // The coordinates of the pose in the file.
  Vector reference() const;
  // Of M(q) vdot + h(q, v), in MuJoCo's order.
  Vector torques(const Vector& q, const Vector& v, const Vector& vdot);

 private:
  std::unique_ptr<mjModel, void (*)(mjModel*)> model_;
  std::unique_ptr<mjData, void (*)(mjData*)> data_;
};

}  // namespace tauflex

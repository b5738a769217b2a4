// A tauflex robot as a MuJoCo model: the oracle of the tests and the peer of the benchmarks.
// Poses, axes, inertias, rigid drives (armature, damping) and uncoupled joint springs are carried
// over; the rotors of elastic drives are not.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <vector>

#include "tauflex/model/robot.hpp"

namespace tauflex {

class MujocoRobot {
 public:
  explicit MujocoRobot(const Robot& robot);

  mjModel* model() { return model_.get(); }
  mjData* data() { return data_.get(); }
  void set(const Vector& q, const Vector& v, const Vector& vdot);  // tree coordinates come first

  Vector inverse_dynamics();  // M vdot + h of the rigid bodies alone, as tauflex's function
  Vector joint_torques();     // with armatures, springs, friction
  Matrix mass_matrix();       // with armatures
  Vector accelerations(const Vector& tau);  // under tau, springs and friction

 private:
  struct Delete {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  std::unique_ptr<mjModel, Delete> model_;
  std::unique_ptr<mjData, Delete> data_;
  std::vector<int> dof_;  // of MuJoCo, per tree velocity of tauflex
  Vector zero_;           // offsets of the joints
};

}  // namespace tauflex

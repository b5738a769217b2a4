// Rotors and motor torques of a motion whose joints are known, step by step: the stretch of the
// drive springs follows from what the joints ask for,
//   K d + D d' + beyond(d) = load,   d' and d'' by backward differences       theory (P.2), (N.9)
// and rotors from the joints and the stretch. Only the stretch is differentiated, not the joints.
#pragma once

#include <optional>

#include "tauflex/mechanics/drive_train.hpp"
#include "tauflex/mechanics/mechanics_data.hpp"
#include "tauflex/problem/dense_solution.hpp"
#include "tauflex/solvers/bdf_formula.hpp"

namespace tauflex {

class DriveSteps {
 public:
  // Steps of h.
  DriveSteps(const Robot& robot, double h);

  // Of the joints, tree_nv: what drives give there. To be written before take().
  Vector& torques() { return mechanics_.tau; }
  // Step i, the first of which is at rest: rotors and torques of the motors from the motion of the
  // joints in `now`. False when the stretch of the springs is not found, or no finite torque.
  bool take(int i, Instant& now);

 private:
  bool find_stretch(int i);

  const Robot& robot_;
  double h_;
  DriveTrain train_;
  MechanicsData mechanics_;
  std::optional<BdfHistory> d_, d_rate_;
  std::optional<SpringEquations> springs_;
  Vector stretch_, rate_, acceleration_, right_;
};

}  // namespace tauflex

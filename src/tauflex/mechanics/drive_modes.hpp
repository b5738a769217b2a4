// Modes of the drive springs: stretches that stiffness and damping do not couple.
//   d = F z,  F^T K F = 1,  F^T D F = diag(lag)                                      theory (M.13)
//   lag z' + z + F^T beyond(F z) = F^T load
// lag is the time constant of a mode, D/K for a drive of its own. Modes without lag follow the load
// at once: springs without damping, and whatever a singular damping matrix leaves undamped.
#pragma once

#include "tauflex/mechanics/drive_train.hpp"

namespace tauflex {

struct DriveModes {
  explicit DriveModes(const DriveTrain& train) : DriveModes(train.stiffness(), train.damping()) {}
  DriveModes(const Matrix& K, const Matrix& D);

  Eigen::Index size() const { return lag.size(); }
  // The modes exist when the stiffness matrix is regular.
  bool exist() const { return shapes.allFinite() && lag.allFinite(); }
  // How many of the first modes have a lag shorter than `time`.
  int shorter_than(double time) const;

  // F: springs x modes.
  Matrix shapes;
  // F^-1
  Matrix inverse;
  // s, rising
  Vector lag;
};

}  // namespace tauflex

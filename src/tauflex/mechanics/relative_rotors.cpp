#include "tauflex/mechanics/relative_rotors.hpp"

#include <cmath>

namespace tauflex {

RelativeRotors::RelativeRotors(const Robot& robot) : nq_(robot.nq()), nv_(robot.nv()) {
  const int n = robot.rotors();
  W_ = Matrix::Zero(n, n);
  for (int k = 0; k < n; ++k) {
    const DriveLayout& drive = robot.actuation().elastic_drive(k);
    rotors_.push_back({drive.joint_q, drive.joint_v, drive.rotor_q, drive.rotor_v});
    W_.col(k) = robot.actuation().rotor_angles(Vector::Unit(n, k));
  }
}

void RelativeRotors::add_joints(double sign, VectorOut q, VectorOut v) const {
  for (int m = 0; m < count(); ++m)
    for (int k = 0; k < count(); ++k) {
      if (W_(m, k) == 0) continue;
      q[rotors_[m].rotor_q] += sign * W_(m, k) * q[rotors_[k].joint_q];
      v[rotors_[m].rotor_v] += sign * W_(m, k) * v[rotors_[k].joint_v];
    }
}

void RelativeRotors::leave_stretch_only(VectorOut q, VectorOut v) const {
  for (const Rotor& rotor : rotors_) q[rotor.joint_q] = v[rotor.joint_v] = 0;
}

void RelativeRotors::make_rates_relative(const VectorRef& x, VectorOut xdot) const {
  make_relative(xdot.head(nq_), xdot.segment(nq_, nv_));
  for (const Rotor& rotor : rotors_) xdot[rotor.rotor_q] = x[nq_ + rotor.rotor_v];
}

// With x = L s for angles x and relative ones s: L^-1 J L.
void RelativeRotors::make_relative(MatrixOut J) const {
  for (int m = 0; m < count(); ++m)
    for (int k = 0; k < count(); ++k) {
      if (W_(m, k) == 0) continue;
      J.col(rotors_[k].joint_q) += W_(m, k) * J.col(rotors_[m].rotor_q);
      J.col(nq_ + rotors_[k].joint_v) += W_(m, k) * J.col(nq_ + rotors_[m].rotor_v);
    }
  for (int m = 0; m < count(); ++m)
    for (int k = 0; k < count(); ++k) {
      if (W_(m, k) == 0) continue;
      J.row(rotors_[m].rotor_q) -= W_(m, k) * J.row(rotors_[k].joint_q);
      J.row(nq_ + rotors_[m].rotor_v) -= W_(m, k) * J.row(nq_ + rotors_[k].joint_v);
    }
}

double RelativeRotors::size(int k, const VectorRef& q) const {
  double angle = q[rotors_[k].rotor_q];
  for (int j = 0; j < count(); ++j) angle += W_(k, j) * q[rotors_[j].joint_q];
  return 2 * std::max(W_.row(k).cwiseAbs().sum(), std::abs(angle));
}

}  // namespace tauflex

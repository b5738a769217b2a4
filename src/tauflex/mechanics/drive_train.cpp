#include "tauflex/mechanics/drive_train.hpp"

#include "tauflex/math/jet.hpp"
#include "tauflex/math/newton.hpp"
#include "tauflex/mechanics/spring_laws.hpp"

namespace tauflex {

DriveTrain::DriveTrain(const Robot& robot) {
  const int n = robot.rotors();
  K_ = D_ = gears_ = Matrix::Zero(n, n);
  for (int k = 0; k < n; ++k) {
    const DriveLayout& drive = robot.actuation().elastic_drive(k);
    springs_.push_back({drive.joint_q, drive.joint_v, drive.rotor_q, drive.rotor_v, {}});
  }
  for (const HardeningEntry& e : robot.actuation().hardening) {
    springs_[e.row].law = e.law;
    is_linear_ = false;
  }
  for (const SpringEntry& e : robot.actuation().springs) {
    K_(e.row, e.column) = e.stiffness;
    D_(e.row, e.column) = e.damping;
  }
  for (const Gear& gear : robot.actuation().gears) gears_(gear.spring, gear.rotor) = gear.ratio;
  gears_lu_.compute(gears_);
  ends_ = turns_ = Vector::Zero(n);
}

void DriveTrain::loads(const VectorRef& tau, VectorOut load) const {
  for (int k = 0; k < size(); ++k) load[k] = tau[springs_[k].joint_v];
}

void DriveTrain::set_loads(const VectorRef& load, VectorOut tau) const {
  for (int k = 0; k < size(); ++k) tau[springs_[k].joint_v] = load[k];
}

void DriveTrain::stretch(const VectorRef& q, VectorOut d) const {
  for (int k = 0; k < size(); ++k) turns_[k] = q[springs_[k].rotor_q];
  d.noalias() = gears_ * turns_;
  for (int k = 0; k < size(); ++k) d[k] -= q[springs_[k].joint_q];
}

void DriveTrain::set_rotor_positions(const VectorRef& stretch, VectorOut q) const {
  for (int k = 0; k < size(); ++k) ends_[k] = stretch[k] + q[springs_[k].joint_q];
  gears_lu_.solve(ends_, turns_);
  for (int k = 0; k < size(); ++k) q[springs_[k].rotor_q] = turns_[k];
}

void DriveTrain::set_rotor_rates(const VectorRef& stretch_rate, VectorOut v) const {
  for (int k = 0; k < size(); ++k) ends_[k] = stretch_rate[k] + v[springs_[k].joint_v];
  gears_lu_.solve(ends_, turns_);
  for (int k = 0; k < size(); ++k) v[springs_[k].rotor_v] = turns_[k];
}

void DriveTrain::set_unstretched(VectorOut q, VectorOut v) const {
  const Vector zero = Vector::Zero(size());
  set_rotor_positions(zero, q);
  set_rotor_rates(zero, v);
}

double DriveTrain::beyond(int spring, double d) const {
  const auto& law = springs_[spring].law;
  return law ? hardening_torque(*law, d) : 0;
}

double DriveTrain::beyond_slope(int spring, double d) const {
  const auto& law = springs_[spring].law;
  return law ? hardening_stiffness(*law, d) : 0;
}

double DriveTrain::beyond_coefficient(int spring, const MatrixRef& d, int k) const {
  const auto& law = springs_[spring].law;
  if (!law) return 0;
  Jet x = Jet::zero(std::max(k, 1));
  for (int j = 0; j <= k; ++j) x[j] = d(spring, j);
  return hardening_torque(*law, x).coefficient(k);
}

SpringEquations::SpringEquations(const DriveTrain& train, Matrix A, Matrix B, Matrix W)
    : train_(train), A_(std::move(A)), B_(std::move(B)), W_(std::move(W)), J_(A_), slopes_(B_) {
  linear_.compute(A_);
  r_ = step_ = Vector::Zero(A_.rows());
  zero_ = d_ = beyond_ = Vector::Zero(B_.rows());
}

SpringEquations::SpringEquations(const DriveTrain& train, const Matrix& A)
    : SpringEquations(train, A, Matrix::Identity(A.rows(), A.rows()),
                      Matrix::Identity(A.rows(), A.rows())) {}

void SpringEquations::residual(const VectorRef& c, const VectorRef& b, const VectorRef& x) {
  d_ = c;
  d_.noalias() += B_ * x;
  for (Eigen::Index i = 0; i < d_.size(); ++i)
    beyond_[i] = train_.beyond(static_cast<int>(i % train_.size()), d_[i]);
  r_ = -b;
  r_.noalias() += A_ * x;
  r_.noalias() += W_ * beyond_;
}

bool SpringEquations::solve(const VectorRef& c, const VectorRef& b, VectorOut x) {
  linear_.solve(b, x);
  if (train_.is_linear() || r_.size() == 0) return true;
  residual(c, b, x);
  const auto correct = [&](const NewtonState&) {
    for (Eigen::Index i = 0; i < d_.size(); ++i)
      slopes_.row(i) = train_.beyond_slope(static_cast<int>(i % train_.size()), d_[i]) * B_.row(i);
    J_ = A_;
    J_.noalias() += W_ * slopes_;
    tangent_.compute(J_);
    tangent_.solve(r_, step_);
    const double before = r_.squaredNorm();
    const double size = (B_ * step_).cwiseAbs().maxCoeff() / (1e-3 + d_.cwiseAbs().maxCoeff());
    x -= step_;
    residual(c, b, x);
    // at the size of rounding the residual need not fall
    for (int cut = 0; cut < 30 && size > 1e-9 && r_.squaredNorm() > before; ++cut) {
      step_ *= 0.5;
      x += step_;
      residual(c, b, x);
    }
    return size;
  };
  return newton({.tolerance = 1e-18, .max_iterations = 100}, correct).converged;
}

std::optional<Vector> stretch_at_rest(const DriveTrain& train, const VectorRef& load) {
  Vector d = Vector::Zero(train.size());
  if (!SpringEquations(train, train.stiffness()).solve(load, d)) return std::nullopt;
  return d;
}

const char* const no_stretch =
    "no stretch of the drive springs was found that gives the torques that the joints need; are "
    "their stiffness and hardening right?";

}  // namespace tauflex

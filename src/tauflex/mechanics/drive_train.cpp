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
  for (int k = 0; k < n; ++k) (D_.row(k).isZero(0) ? undamped_ : damped_).push_back(k);
  ends_ = turns_ = Vector::Zero(n);
}

bool DriveTrain::couples_damped_and_undamped() const {
  for (const int k : undamped_)
    if (!D_.col(k).isZero(0) || !K_(damped_, k).isZero(0) || !K_(k, damped_).isZero(0)) return true;
  return false;
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

SpringEquations::SpringEquations(const DriveTrain& train, std::vector<int> springs, Matrix A,
                                 Matrix B)
    : train_(train), springs_(std::move(springs)), A_(std::move(A)), B_(std::move(B)), J_(A_) {
  linear_.compute(A_);
  zero_ = d_ = r_ = step_ = Vector::Zero(A_.rows());
}

SpringEquations::SpringEquations(const DriveTrain& train, std::vector<int> springs, Matrix A)
    : SpringEquations(train, std::move(springs), A, Matrix::Identity(A.rows(), A.cols())) {}

void SpringEquations::residual(const VectorRef& c, const VectorRef& b, const VectorRef& x) {
  d_ = c;
  d_.noalias() += B_ * x;
  r_ = -b;
  r_.noalias() += A_ * x;
  for (Eigen::Index i = 0; i < r_.size(); ++i) r_[i] += train_.beyond(springs_[i], d_[i]);
}

bool SpringEquations::solve(const VectorRef& c, const VectorRef& b, VectorOut x) {
  linear_.solve(b, x);
  if (train_.is_linear()) return true;
  residual(c, b, x);
  const auto correct = [&](const NewtonState&) {
    for (Eigen::Index i = 0; i < r_.size(); ++i)
      J_.row(i) = A_.row(i) + train_.beyond_slope(springs_[i], d_[i]) * B_.row(i);
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

namespace {

std::vector<int> all_springs(int count) {
  std::vector<int> all(count);
  for (int k = 0; k < count; ++k) all[k] = k;
  return all;
}

}  // namespace

Vector stretch_at_rest(const DriveTrain& train, const VectorRef& load) {
  Vector d = Vector::Zero(train.size());
  SpringEquations(train, all_springs(train.size()), train.stiffness()).solve(load, d);
  return d;
}

StretchSeries::StretchSeries(const DriveTrain& train)
    : train_(train),
      algebra_(train, train.undamped(), train.stiffness()(train.undamped(), train.undamped())),
      torque_(train.size()),
      right_(train.size()),
      solved_(train.size()) {
  D_lu_.compute(Matrix(train.damping()(train.damped(), train.damped())));
}

bool StretchSeries::compute(const Matrix& load, const VectorRef& d, Matrix& out) {
  const std::vector<int>&damped = train_.damped(), &undamped = train_.undamped();
  const auto orders = load.cols(), n = std::ssize(damped), m = std::ssize(undamped);
  out.setZero(train_.size(), orders + 1);
  for (Eigen::Index i = 0; i < n; ++i) out(damped[i], 0) = d[i];
  // undamped, order 0: K d + beyond(d) = load
  if (m > 0) {
    for (Eigen::Index i = 0; i < m; ++i) right_[i] = load(undamped[i], 0);
    if (!algebra_.solve(right_.head(m), solved_.head(m))) return false;
    for (Eigen::Index i = 0; i < m; ++i) out(undamped[i], 0) = solved_[i];
  }
  for (Eigen::Index k = 0; k < orders; ++k) {
    // damped: (k + 1) D d_(k+1) = load_k - K d_k - beyond_k
    if (n > 0) {
      torque_.noalias() = train_.stiffness() * out.col(k);
      for (Eigen::Index i = 0; i < n; ++i) {
        const int spring = damped[i];
        const double beyond = train_.beyond_coefficient(spring, out, static_cast<int>(k));
        right_[i] = (load(spring, k) - torque_[spring] - beyond) / static_cast<double>(k + 1);
      }
      D_lu_.solve(right_.head(n), solved_.head(n));
      for (Eigen::Index i = 0; i < n; ++i) out(damped[i], k + 1) = solved_[i];
    }
    // undamped: K d_(k+1) + beyond_(k+1) = load_(k+1)
    if (m > 0 && k + 1 < orders) {
      for (Eigen::Index i = 0; i < m; ++i)
        right_[i] = load(undamped[i], k + 1) -
                    train_.beyond_coefficient(undamped[i], out, static_cast<int>(k + 1));
      algebra_.tangent().solve(right_.head(m), solved_.head(m));
      for (Eigen::Index i = 0; i < m; ++i) out(undamped[i], k + 1) = solved_[i];
    }
  }
  return true;
}

}  // namespace tauflex

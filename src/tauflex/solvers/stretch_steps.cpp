#include "tauflex/solvers/stretch_steps.hpp"

#include "tauflex/base/errors.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/solvers/collocation.hpp"

namespace tauflex {

namespace {

// Steps of so many lags and more: the mode follows the load, as integrated it would divide rounding
// by the square of its lag.
constexpr double lags_of_following = 24;

}  // namespace

StretchSteps::StretchSteps(const DriveTrain& drives, double step, const std::string& where)
    : drives_(drives),
      modes_(drives),
      h_(step),
      weights_(modes_.size(), radau_stages),
      load_(drives.size(), degree_ + 1),
      stage_(drives.size()),
      modal_(modes_.size()) {
  state_.following = modes_.shorter_than(step / lags_of_following);
  if (!drives.is_linear() && modes_.size() > 0 && modes_.lag.maxCoeff() > 0)
    throw ProblemError(where +
                       ": steps with a preview do not apply to drive springs that harden and are "
                       "damped; leave out their damping, or their hardening");
  state_.z = Vector::Zero(modes_.size());
  state_.more_load = Matrix::Zero(drives.size(), degree_ - 2);
  next_ = other_ = state_;
  const Collocation& method = radau5();
  const double length = step / parts_;
  const Matrix one = Matrix::Identity(radau_stages, radau_stages);
  for (Eigen::Index k = 0; k < modes_.size(); ++k)
    weights_.row(k) = solve_linear((modes_.lag[k] * one + length * method.A).transpose(),
                                   length * method.A.row(radau_stages - 1).transpose())
                          .transpose();
}

void StretchSteps::rest(const VectorRef& load) {
  state_.z.noalias() = modes_.shapes.transpose() * load;
  state_.more_load.setZero();
}

const StretchState& StretchSteps::step(const Matrix& from, const Matrix& to) {
  next_ = state_;
  if (modes_.size() == 0) return next_;
  // Hermite's polynomial: the first three coefficients, then what is missing at x = 1
  const double h = h_;
  load_.col(0) = from.col(0);
  load_.col(1) = h * from.col(1);
  load_.col(2) = h * h * from.col(2);
  for (Eigen::Index i = 0; i < load_.rows(); ++i) {
    const double value = to(i, 0) - load_(i, 0) - load_(i, 1) - load_(i, 2);
    const double slope = h * to(i, 1) - load_(i, 1) - 2 * load_(i, 2);
    const double bend = 2 * h * h * to(i, 2) - 2 * load_(i, 2);
    load_(i, 3) = 10 * value - 4 * slope + bend / 2;
    load_(i, 4) = -15 * value + 7 * slope - bend;
    load_(i, 5) = 6 * value - 3 * slope + bend / 2;
  }
  // coefficients 3 to 5 at x = 1, in seconds
  const double h3 = h * h * h;
  next_.more_load.col(0) = (load_.col(3) + 4 * load_.col(4) + 10 * load_.col(5)) / h3;
  next_.more_load.col(1) = (load_.col(4) + 5 * load_.col(5)) / (h3 * h);
  next_.more_load.col(2) = load_.col(5) / (h3 * h * h);
  const Collocation& method = radau5();
  for (int part = 0; part < parts_ && next_.following < modes_.size(); ++part) {
    modal_.setZero();  // change of z
    for (int j = 0; j < radau_stages; ++j) {
      const double x = (part + method.c[j]) / parts_;
      stage_ = load_.col(degree_);
      for (int k = degree_ - 1; k >= 0; --k) stage_ = stage_ * x + load_.col(k);
      for (Eigen::Index i = next_.following; i < modes_.size(); ++i)
        modal_[i] += weights_(i, j) * (modes_.shapes.col(i).dot(stage_) - next_.z[i]);
    }
    next_.z += modal_;
  }
  return next_;
}

const StretchState& StretchSteps::state_under(const VectorRef& difference) {
  other_.z = state_.z;
  other_.z.noalias() += modes_.shapes.transpose() * difference;
  other_.more_load = state_.more_load;
  return other_;
}

}  // namespace tauflex

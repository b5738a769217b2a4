#include "tauflex/solvers/stretch_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauflex/math/decompositions.hpp"
#include "tauflex/mechanics/spring_laws.hpp"
#include "tauflex/solvers/collocation.hpp"

namespace tauflex {

namespace {

constexpr int stages = 5;
constexpr int known = 5;  // derivatives of d at the ends of a part, from 0 on
// K/D times the length of a part: derivatives at its ends carry that power of rounding
constexpr double stiffest = 8;
constexpr int most_parts = 4096;

}  // namespace

StretchMotion::StretchMotion(InternalDynamics& dynamics, double tolerance)
    : dynamics_(dynamics),
      tolerance_(tolerance),
      K_(dynamics.stiffness()(dynamics.damped(), dynamics.damped())),
      D_(dynamics.damping()(dynamics.damped(), dynamics.damped())) {
  if (K_.size() > 0) fastest_ = solve_linear(D_, K_).cwiseAbs().rowwise().sum().maxCoeff();
}

void StretchMotion::clear(const VectorRef& d) {
  steps_.clear();
  d_ = d;
  size_ = d.size() > 0 ? d.cwiseAbs().maxCoeff() : 0;
  parts_ = 1;
  form_part_ = -1;
}

bool StretchMotion::append(double h, NewtonForm load) {
  const int least = static_cast<int>(std::ceil(fastest_ * h / stiffest));
  int parts = std::clamp(std::max(parts_, least), 1, most_parts);
  Matrix coarse, fine;
  if (!integrate(h, parts, load, coarse)) return false;
  double difference = 0, last = std::numeric_limits<double>::infinity();
  while (true) {
    if (!integrate(h, 2 * parts, load, fine)) return false;
    size_ = std::max(size_, fine.cwiseAbs().maxCoeff());
    difference = 0;
    for (int k = 0; k <= parts; ++k)
      difference = std::max(difference, (fine.col(2 * k) - coarse.col(k)).cwiseAbs().maxCoeff());
    // below rounding, or rounding stops it
    if (difference <= tolerance_ * size_ || (difference > 0.5 * last && difference < 1e-11 * size_))
      break;
    if (parts >= most_parts) return false;
    last = difference;
    parts *= 2;
    std::swap(coarse, fine);
  }
  parts_ = difference <= 1e-3 * tolerance_ * size_ ? std::max(1, parts / 2) : parts;
  d_ = fine.col(2 * parts);
  steps_.push_back({h, std::move(load), std::move(fine)});
  return true;
}

const Matrix& StretchMotion::weights(double part) {
  for (const Weights& known_weights : weights_)
    if (known_weights.part == part) return known_weights.of;
  if (weights_.size() > 32) weights_.clear();
  const Collocation& method = radau5();
  const auto n = K_.rows();
  Matrix M(n * stages, n * stages), last(n * stages, n);
  for (int i = 0; i < stages; ++i) {
    for (int j = 0; j < stages; ++j) M.block(i * n, j * n, n, n) = part * method.A(i, j) * K_;
    M.block(i * n, i * n, n, n) += D_;
    last.middleRows(i * n, n) = part * method.A(stages - 1, i) * Matrix::Identity(n, n);
  }
  weights_.push_back({part, solve_linear(M.transpose(), last).transpose()});
  return weights_.back().of;
}

bool StretchMotion::integrate(double h, int parts, const NewtonForm& load, Matrix& ends) {
  const Collocation& method = radau5();
  const auto& damped = dynamics_.damped();
  const auto n = K_.rows();
  const double part = h / parts;
  const bool is_linear = dynamics_.problem().robot().drive_hardening().empty();
  const Matrix& of = weights(part);
  loads_.resize(load.size(), 1);
  right_.resize(n * stages);
  ends.resize(n, parts + 1);
  ends.col(0) = d_;
  for (int p = 0; p < parts; ++p) {
    end_.noalias() = K_ * ends.col(p);
    for (int i = 0; i < stages; ++i) {
      load.series((p + method.c[i]) / parts, loads_);
      for (Eigen::Index k = 0; k < n; ++k)
        right_[i * n + k] = loads_(damped[static_cast<size_t>(k)], 0) - end_[k];
    }
    end_ = ends.col(p);
    end_.noalias() += of * right_;
    if (!is_linear && !correct_hardening(part, ends.col(p), right_, end_)) return false;
    ends.col(p + 1) = end_;
  }
  return ends.allFinite();
}

// Newton on D d_i' + K d_i + hardening(d_i) = load_i at the stages, d_i = d + part sum A_ij d_j'.
bool StretchMotion::correct_hardening(double part, const VectorRef& d, const VectorRef& right,
                                      Vector& end) {
  const Collocation& method = radau5();
  const auto& damped = dynamics_.damped();
  const auto n = K_.rows();
  Matrix M(n * stages, n * stages), rates = Matrix::Zero(n, stages);
  Vector r, at_stage;
  double scale = 1e-3 + size_, last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 30; ++iteration) {
    for (int i = 0; i < stages; ++i) {
      for (int j = 0; j < stages; ++j) M.block(i * n, j * n, n, n) = part * method.A(i, j) * K_;
      M.block(i * n, i * n, n, n) += D_;
    }
    r = M * rates.reshaped() - right;
    for (int i = 0; i < stages; ++i) {
      at_stage = d + part * (rates * method.A.row(i).transpose());
      scale = std::max(scale, at_stage.cwiseAbs().maxCoeff());
      for (const HardeningEntry& e : dynamics_.problem().robot().drive_hardening())
        for (Eigen::Index k = 0; k < n; ++k)
          if (damped[static_cast<size_t>(k)] == e.row) {
            r[i * n + k] += hardening_torque(e.law, at_stage[k]);
            const double slope = hardening_stiffness(e.law, at_stage[k]);
            for (int j = 0; j < stages; ++j)
              M(i * n + k, j * n + k) += part * method.A(i, j) * slope;
          }
    }
    const Vector correction = solve_linear(M, r);
    rates -= correction.reshaped(n, stages);
    const double size = part * correction.cwiseAbs().maxCoeff();
    if (!std::isfinite(size)) return false;
    if (size <= 1e-15 * scale || (size > 0.5 * last && size < 1e-11 * scale)) {
      end = d + part * (rates * method.A.row(stages - 1).transpose());
      return true;
    }
    last = size;
  }
  return false;
}

// Coefficients of d where part `end` begins, in units of a part.
void StretchMotion::series(const Step& step, int end, Matrix& out) {
  const auto parts = static_cast<double>(step.ends.cols() - 1);
  load_series_.resize(step.load.size(), known - 1);
  step.load.series(end / parts, load_series_);
  double factor = 1;
  for (int k = 1; k < known - 1; ++k) load_series_.col(k) *= factor /= step.h;
  dynamics_.stretch_series(load_series_, step.ends.col(end), all_);
  out.resize(dynamics_.stretches(), known);
  factor = 1;
  for (int k = 0; k < known; ++k, factor *= step.h / parts)
    for (int i = 0; i < dynamics_.stretches(); ++i)
      out(i, k) = all_(dynamics_.damped()[static_cast<size_t>(i)], k) * factor;
}

void StretchMotion::at(size_t i, double x, VectorOut d) {
  const Step& step = steps_[i];
  const int parts = static_cast<int>(step.ends.cols()) - 1;
  const int part = std::clamp(static_cast<int>(x * parts), 0, parts - 1);
  if (i != form_step_ || part != form_part_) {
    if (i == form_step_ && part == form_part_ + 1 && form_part_ >= 0)
      left_.swap(right_series_);
    else
      series(step, part, left_);
    series(step, part + 1, right_series_);
    form_ = NewtonForm({{0, left_}, {1, right_series_}});
    form_step_ = i;
    form_part_ = part;
  }
  form_.series(x * parts - part, d);
}

}  // namespace tauflex

#include "tauflex/solvers/stretch_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauflex/math/decompositions.hpp"
#include "tauflex/solvers/collocation.hpp"

namespace tauflex {

namespace {

constexpr int known = 5;  // derivatives of d at the ends of a part, from 0 on
// K/D times the length of a part: derivatives at its ends carry that power of rounding
constexpr double stiffest = 8;
constexpr int most_parts = 4096;

}  // namespace

StretchMotion::StretchMotion(const DriveTrain& drives, double tolerance)
    : drives_(drives),
      stretch_series_(drives),
      tolerance_(tolerance),
      K_(drives.stiffness()(drives.damped(), drives.damped())),
      D_(drives.damping()(drives.damped(), drives.damped())) {
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

// At the stages D d_i' + K d_i + beyond(d_i) = load_i with d_i = d + length sum_j A_ij d_j'.
StretchMotion::Part& StretchMotion::part_of(double length) {
  for (Part& known_part : parts_known_)
    if (known_part.length == length) return known_part;
  if (parts_known_.size() > 32) parts_known_.clear();
  const Collocation& method = radau5();
  const auto n = K_.rows();
  const Matrix one = Matrix::Identity(n, n);
  Matrix M(n * radau_stages, n * radau_stages), B = M, last(n * radau_stages, n);
  std::vector<int> springs;
  for (int i = 0; i < radau_stages; ++i) {
    for (int j = 0; j < radau_stages; ++j) {
      B.block(i * n, j * n, n, n) = length * method.A(i, j) * one;
      M.block(i * n, j * n, n, n) = length * method.A(i, j) * K_;
    }
    M.block(i * n, i * n, n, n) += D_;
    last.middleRows(i * n, n) = length * method.A(radau_stages - 1, i) * one;
    springs.insert(springs.end(), drives_.damped().begin(), drives_.damped().end());
  }
  Part part{length, solve_linear(M.transpose(), last).transpose(), nullptr};
  if (!drives_.is_linear()) part.stages = std::make_unique<SpringEquations>(drives_, springs, M, B);
  parts_known_.push_back(std::move(part));
  return parts_known_.back();
}

bool StretchMotion::integrate(double h, int parts, const NewtonForm& load, Matrix& ends) {
  const Collocation& method = radau5();
  const auto& damped = drives_.damped();
  const auto n = K_.rows();
  Part& part = part_of(h / parts);
  loads_.resize(load.size(), 1);
  right_.resize(n * radau_stages);
  ends.resize(n, parts + 1);
  ends.col(0) = d_;
  for (int p = 0; p < parts; ++p) {
    end_.noalias() = K_ * ends.col(p);
    for (int i = 0; i < radau_stages; ++i) {
      load.series((p + method.c[i]) / parts, loads_);
      for (Eigen::Index k = 0; k < n; ++k) right_[i * n + k] = loads_(damped[k], 0) - end_[k];
    }
    end_ = ends.col(p);
    if (drives_.is_linear()) {
      end_.noalias() += part.weights * right_;
    } else {
      beginning_ = end_.replicate(radau_stages, 1);
      rates_.resize(n * radau_stages);
      if (!part.stages->solve(beginning_, right_, rates_)) return false;
      end_ += part.length *
              (rates_.reshaped(n, radau_stages) * method.A.row(radau_stages - 1).transpose());
    }
    ends.col(p + 1) = end_;
  }
  return ends.allFinite();
}

// Coefficients of d where part `end` begins, in units of a part.
void StretchMotion::series(const Step& step, int end, Matrix& out) {
  const auto parts = static_cast<double>(step.ends.cols() - 1);
  load_series_.resize(step.load.size(), known - 1);
  step.load.series(end / parts, load_series_);
  double factor = 1;
  for (int k = 1; k < known - 1; ++k) load_series_.col(k) *= factor /= step.h;
  stretch_series_.compute(load_series_, step.ends.col(end), all_);
  out.resize(K_.rows(), known);
  factor = 1;
  for (int k = 0; k < known; ++k, factor *= step.h / parts)
    for (Eigen::Index i = 0; i < out.rows(); ++i) out(i, k) = all_(drives_.damped()[i], k) * factor;
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

#include "tauflex/plant/rounding_noise.hpp"

#include <cmath>
#include <limits>

namespace tauflex {

namespace {

// Times a hundred: what is below must be far below the tolerance that it becomes. In the positions
// of a vibration that is 2e-14 rad or m.
constexpr double noise = 100 * std::numeric_limits<double>::epsilon();

// Radians of a vibration in one step, above which the step does not follow it.
constexpr double too_fast_to_follow = 100;

}  // namespace

RoundingNoise::RoundingNoise(ForwardProblem& problem, double t, const Vector& x,
                             double least_size) {
  const Robot& plant = problem.plant();
  const int nq = plant.nq(), nv = plant.nv(), rotors = problem.relative().count(),
            tree = nv - rotors;
  always_ = Vector::Zero(x.size());
  if (!may_be_stiff(plant)) return;
  Matrix J(x.size(), x.size());
  problem.jacobian(t, x, J);
  Vector sizes = x.head(nq).cwiseAbs().cwiseMax(least_size);
  for (int k = 0; k < rotors; ++k) sizes[nq - rotors + k] = problem.relative().size(k, x);
  for (int k = 0; k < tree; ++k) {
    const int q = plant.coordinates().of_velocity[k];
    const auto row = J.row(nq + k).head(nq - rotors).cwiseAbs();
    const double square = q >= 0 ? row[q] : row.maxCoeff();
    if (square > 0)
      always_[nq + k] = noise * row.dot(sizes.head(nq - rotors).transpose()) / std::sqrt(square);
  }
  frequency_ = J.block(nq + tree, nq - rotors, rotors, rotors).diagonal().cwiseAbs().cwiseSqrt();
  shaken_ = Matrix::Zero(x.size(), rotors);
  for (int k = 0; k < rotors; ++k) {
    const double size = noise * sizes[nq - rotors + k];
    always_[nq + tree + k] = size * frequency_[k];
    if (frequency_[k] > 0)
      shaken_.col(k).segment(nq, tree) =
          size / frequency_[k] * J.col(nq - rotors + k).segment(nq, tree).cwiseAbs();
  }
}

bool RoundingNoise::resolved(Eigen::Index drive, double step) const {
  return frequency_[drive] * step < too_fast_to_follow;
}

Vector RoundingNoise::of_steps(double step) const {
  Vector least = always_;
  for (Eigen::Index k = 0; k < frequency_.size(); ++k)
    if (resolved(k, step)) least = least.cwiseMax(shaken_.col(k));
  return least;
}

bool RoundingNoise::same(double step, double other) const {
  for (Eigen::Index k = 0; k < frequency_.size(); ++k)
    if (resolved(k, step) != resolved(k, other)) return false;
  return true;
}

}  // namespace tauflex

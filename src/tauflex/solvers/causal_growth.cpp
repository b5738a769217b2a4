#include "tauflex/solvers/causal_growth.hpp"

#include <algorithm>
#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/problem/internal_series.hpp"
#include "tauflex/solvers/boundary_problem.hpp"
#include "tauflex/solvers/stable_inversion.hpp"

namespace tauflex {

namespace {

// Steps between corners of the path, and some in each hold.
std::vector<double> mesh_for_growth(const InverseProblem& problem) {
  constexpr double steps = 64, least = 16;
  const std::set<double> corners = corner_times(problem);
  std::vector<double> mesh = {problem.begin()};
  for (auto to = std::next(corners.begin()); to != corners.end(); ++to) {
    const double from = mesh.back();
    const int count = static_cast<int>(
        std::clamp(std::ceil(steps * (*to - from) / problem.path().duration()), least, steps));
    for (int i = 1; i <= count; ++i)
      mesh.push_back(i == count ? *to : from + (*to - from) * i / count);
  }
  return mesh;
}

// How far the free joints swing from rest on the path between two times, to first order; none when
// the internal dynamics have no value somewhere on it.
std::optional<double> first_order_swing(InternalDynamics& dynamics, const InverseProblem& problem,
                                        const Dichotomy& left, const Dichotomy& right,
                                        const std::vector<QuasiStaticPoint>& poses,
                                        const Window& window) {
  BoundaryProblem boundary(dynamics, left, right, poses);
  boundary.set_mesh(mesh_for_growth(problem.with_window(window)));
  const std::optional<Matrix> change = boundary.first_correction();
  if (!change) return std::nullopt;
  double swing = 0;
  for (Eigen::Index i = 0; i < change->cols(); ++i)
    if (const double t = boundary.mesh()[i]; t >= problem.begin() && t <= problem.end())
      swing = std::max(swing, change->col(i).head(dynamics.freedom()).cwiseAbs().maxCoeff());
  return swing;
}

}  // namespace

CausalGrowth causal_growth(const InverseProblem& problem, const RestState& start,
                           const Diagnosis& diagnosis) {
  CausalGrowth growth;
  if (diagnosis.minimum_phase || diagnosis.status != Status::solved) return growth;
  growth.exponent = diagnosis.largest_zero_real_part * (problem.end() - problem.begin());
  growth.swing = std::exp(std::min(growth.exponent, 700.0));
  const double digits = std::log(1e8);  // of sixteen
  if (growth.exponent > digits || !jets_apply(problem, start.q)) return growth;
  try {
    const BoundedHorizon horizon = bounded_horizon(problem, start, StableInversionOptions{});
    if (no_bounded_solution(horizon)) return {growth.exponent, 1};
    InternalDynamics dynamics(problem);
    dynamics.choose(start.q);
    const auto poses = quasi_static_points(problem, start, 33);
    const Dichotomy left = dichotomy(dynamics, problem.begin(), start, horizon.slow);
    const Dichotomy right = dichotomy(dynamics, problem.end(), poses.back().state, horizon.slow);
    // at rest at the beginning, free at the end
    Dichotomy at_rest = left, free = right;
    const auto n = left.y.size();
    at_rest.stable = Matrix::Identity(n, n);
    free.unstable = Matrix(0, n);
    const auto bounded = first_order_swing(dynamics, problem, left, right, poses, horizon.solved);
    const auto causal =
        first_order_swing(dynamics, problem, at_rest, free, poses, problem.window());
    constexpr double unnoticed = 1e-9;  // rad or m: a path that excites nothing
    if (bounded && causal) growth.swing = (*causal + unnoticed) / (*bounded + unnoticed);
  } catch (const ProblemError&) {  // no internal dynamics at an end
  }
  return growth;
}

}  // namespace tauflex

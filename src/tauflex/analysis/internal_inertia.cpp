#include "tauflex/analysis/internal_inertia.hpp"

#include "tauflex/base/errors.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/problem/internal_dynamics.hpp"

namespace tauflex {

std::optional<InternalInertia> internal_inertia(const InverseProblem& problem,
                                                const RestState& start) try {
  InternalDynamics dynamics(problem);
  dynamics.choose(start.q);
  const int p = dynamics.freedom(), n = problem.robot().tree_nv();
  const std::vector<int>& passive = problem.passive_rows();
  if (p == 0 || std::ssize(passive) != p) return std::nullopt;
  InternalMotion m = dynamics.motion();
  m.q = start.q;
  const Vector s = m.chart * m.q.head(m.chart.cols());
  if (!dynamics.solve(problem.begin(), s, Vector::Zero(p), m)) return std::nullopt;
  Matrix units = Matrix::Zero(n, p), T(n, p);
  units.bottomRows(p).setIdentity();
  m.positions.solve_columns(units, T);
  const Matrix of_passive = T(passive, Eigen::all);
  if (condition_number(of_passive) > 1e10) return std::nullopt;
  const Matrix inertia =
      m.M(passive, Eigen::all) *
      Matrix(Lu(of_passive.transpose()).solve(Matrix(T.transpose())).transpose());
  InternalInertia result{0, p};
  for (const std::complex<double>& value : eigenvalues(inertia))
    result.negative += value.real() < 0;
  return result;
} catch (const ProblemError&) {  // jets do not apply
  return std::nullopt;
}

}  // namespace tauflex

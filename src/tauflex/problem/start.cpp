#include "tauflex/problem/start.hpp"

#include <fmt/format.h>

#include <random>

#include "tauflex/base/errors.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/least_squares.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/inverse_dae.hpp"

namespace tauflex {

namespace {

constexpr double reached = 1e-9;          // of the scaled rows; rounding stays below 1e-12
constexpr double singular = 1e-6;         // smallest over largest singular value of the output rows
constexpr double far_in_one_step = 1e-3;  // offset of further guesses, rad or m

// The static equations in q alone, each row divided by its size at the guess.
class StaticEquations {
 public:
  StaticEquations(const InverseProblem& problem, double t)
      : problem_(problem), dae_(problem), t_(t), n_(dae_.size()) {
    x_ = xdot_ = r_ = Vector::Zero(n_);
    F_x_ = F_xdot_ = Matrix::Zero(n_, n_);
  }

  void operator()(const Vector& q, Vector& r, Matrix& J) {
    const auto nq = q.size();
    x_.head(nq) = q;
    dae_.residual(t_, x_, xdot_, r_);
    dae_.jacobians(t_, x_, xdot_, F_x_, F_xdot_);
    r = r_.tail(n_ - nq);
    J = F_x_.block(nq, 0, n_ - nq, nq);
    if (scale_.size() == 0) {
      scale_ = J.rowwise().norm();
      for (double& s : scale_) s = s > 0 ? 1 / s : 1;
    }
    r = scale_.asDiagonal() * r;
    J = scale_.asDiagonal() * J;
  }

  Vector unscaled(const Vector& r) const { return r.cwiseQuotient(scale_); }
  Matrix unscaled_rows(const Matrix& J) const { return scale_.cwiseInverse().asDiagonal() * J; }
  std::string name(Eigen::Index row) const {
    return dae_.equation_name(static_cast<int>(row + problem_.robot().nq()));
  }
  Vector torques(const Vector& q) {
    Vector u(problem_.output_count());
    const Vector zero = Vector::Zero(problem_.robot().nv());
    dae_.torques(q, zero, zero, u);
    return u;
  }

 private:
  const InverseProblem& problem_;
  InverseDae dae_;
  double t_;
  int n_;
  Vector x_, xdot_, r_, scale_;
  Matrix F_x_, F_xdot_;
};

}  // namespace

double output_independence(const InverseProblem& problem, const Vector& q) {
  MechanicsData<double> data(problem.robot());
  kinematics<double>(problem.robot(), data, q);
  Matrix J(problem.output_count(), problem.robot().nq());
  output_jacobian<double>(problem.robot(), data, problem.outputs(), J);
  const Vector sigma = singular_values(J);
  return sigma[sigma.size() - 1] / sigma[0];
}

namespace {

// How close the outputs get to where they shall be, whatever the joints have to do for it.
double closest_approach(StaticEquations& equations, const Vector& q, int ny) {
  Vector all;
  Matrix J_all;
  const auto outputs_only = [&](const Vector& x, Vector& r, Matrix& J) {
    equations(x, all, J_all);
    r = equations.unscaled(all).tail(ny);
    J = equations.unscaled_rows(J_all).bottomRows(ny);
  };
  return least_squares(outputs_only, q).residual.norm();
}

}  // namespace

RestState rest_state(const InverseProblem& problem, double t, const Vector& guess) {
  RestState state;
  StaticEquations equations(problem, t);
  LeastSquaresResult best;
  std::mt19937 random(1);  // the same start for the same job
  std::uniform_real_distribution<double> offset(0, far_in_one_step);
  for (int attempt = 0; attempt < 4; ++attempt) {
    Vector q = guess;  // further attempts leave a singular guess such as a stretched arm
    if (attempt > 0)
      for (double& value : q) value += offset(random) * std::pow(10, attempt);
    LeastSquaresResult found = least_squares(std::ref(equations), q);
    if (attempt == 0 || found.residual.norm() < best.residual.norm()) best = std::move(found);
    if (best.residual.norm() < reached) break;
  }
  state.q = best.x;
  state.u = equations.torques(state.q);
  state.independence = output_independence(problem, state.q);
  if (best.residual.norm() >= reached) {
    state.status = Status::not_solvable;
    const Vector r = equations.unscaled(best.residual);
    const int ny = problem.output_count();
    Eigen::Index worst = 0;
    if (best.residual.tail(ny).norm() > 1e-3 * best.residual.norm()) {
      std::string wanted;
      Vector y(ny);
      path_values<double>(problem.path(), t, y);
      for (int i = 0; i < ny; ++i)
        wanted += fmt::format("{}{} = {:.6g}", i ? ", " : "",
                              problem.outputs()[static_cast<size_t>(i)].name, y[i]);
      state.message = fmt::format("t = {:.6g} s: {} cannot be reached; the robot stays {:.3g} away",
                                  t, wanted, closest_approach(equations, state.q, ny));
    } else {
      best.residual.cwiseAbs().maxCoeff(&worst);
      state.message =
          fmt::format("t = {:.6g} s: no equilibrium was found; equation '{}' is off by {:.3g}", t,
                      equations.name(worst), r[worst]);
    }
  }
  return state;
}

RestState consistent_start(const InverseProblem& problem) {
  RestState state = rest_state(problem, problem.begin(), problem.near());
  if (state.status != Status::solved)
    throw ProblemError(fmt::format("{}: start: {}", problem.task().where, state.message));
  if (state.independence < singular) {
    std::string pose;
    for (int i = 0; i < problem.robot().tree_nq(); ++i)
      pose += fmt::format("{}{} = {:.6g}", i ? ", " : "",
                          problem.robot().coordinate_names()[static_cast<size_t>(i)], state.q[i]);
    throw ProblemError(
        fmt::format("{}: singular start at {}: the outputs cannot be moved independently there "
                    "(relative singular value {:.1g}); "
                    "start elsewhere on the path or choose other outputs",
                    problem.task().where, pose, state.independence));
  }
  return state;
}

}  // namespace tauflex

#include <Eigen/LU>

#include "tauflex/problem/inverse_dae.hpp"
#include "tauflex/solvers/bdf.hpp"

namespace tauflex {

namespace {

// One implicit step of any Dae: F(t_i, x_i, (1/h) sum a_l x_(i-l)) = 0 by Newton with the Jacobian
// (a_0/h) F_x' + F_x [Moberg2009, eq. (37)], its rows scaled to 1.
class ImplicitStep {
 public:
  ImplicitStep(Dae& dae, const BdfFormula& formula, double h)
      : dae_(dae),
        formula_(formula),
        h_(h),
        n_(dae.size()),
        xdot_(n_),
        past_(n_),
        r_(n_),
        scale_(n_),
        dx_(n_),
        F_x_(n_, n_),
        F_xdot_(n_, n_),
        J_(n_, n_),
        lu_(n_) {}

  const Vector& xdot() const { return xdot_; }

  // `weight` turns a correction of x into an error of q: velocities count h times.
  std::optional<StepFailure> solve(int i, double t, Matrix& x, const Vector& weight,
                                   const NewtonOptions& newton, long& iterations) {
    auto now = x.col(i);
    now.setZero();
    for (int l = 1; l <= formula_.order + 1; ++l)
      now += formula_.b[static_cast<size_t>(l)] * x.col(std::max(i - l, 0));
    past_.setZero();
    for (int l = 1; l <= formula_.order; ++l)
      past_ += (formula_.a[static_cast<size_t>(l)] / h_) * x.col(std::max(i - l, 0));

    double last = 0;
    for (int iteration = 0; iteration < newton.max_iterations; ++iteration) {
      xdot_ = (formula_.a[0] / h_) * now + past_;
      dae_.residual(t, now, xdot_, r_);
      dae_.jacobians(t, now, xdot_, F_x_, F_xdot_);
      J_ = F_x_ + (formula_.a[0] / h_) * F_xdot_;
      scale_ = J_.cwiseAbs().rowwise().maxCoeff().cwiseMax(1e-300).cwiseInverse();
      J_ = scale_.asDiagonal() * J_;
      r_ = scale_.cwiseProduct(r_);
      lu_.compute(J_);
      dx_.noalias() = lu_.solve(r_);
      now -= dx_;
      ++iterations;
      const double size = dx_.cwiseProduct(weight).cwiseAbs().maxCoeff();
      if (!std::isfinite(size)) break;
      // Newton squares the error until rounding stops it: then corrections no longer shrink.
      const double scale = 1 + now.cwiseProduct(weight).cwiseAbs().maxCoeff();
      if (size * size <= newton.tolerance * scale * 1e-3 ||
          (iteration > 1 && size < 1e-9 * scale && size > 0.5 * last)) {
        xdot_ = (formula_.a[0] / h_) * now + past_;
        return std::nullopt;
      }
      last = size;
    }
    Eigen::Index worst = 0;
    r_.cwiseAbs().maxCoeff(&worst);
    return StepFailure{i, dae_.equation_name(static_cast<int>(worst)), r_[worst] / scale_[worst]};
  }

 private:
  Dae& dae_;
  BdfFormula formula_;
  double h_;
  int n_;
  Vector xdot_, past_, r_, scale_, dx_;
  Matrix F_x_, F_xdot_, J_;
  Eigen::PartialPivLU<Matrix> lu_;
};

}  // namespace

std::optional<StepFailure> solve_monolithic(const InverseProblem& problem, const RestState& start,
                                            const BdfOptions& options, const TimeGrid& grid,
                                            const Progress& progress, Solution& solution) {
  const int nq = problem.robot().nq(), nv = problem.robot().nv(), ny = problem.output_count(),
            ng = problem.robot().constraint_count();
  InverseDae dae(problem);
  const int n = dae.size();
  ImplicitStep step(dae, BdfFormula(options.order), grid.step);
  Matrix x = Matrix::Zero(n, grid.steps + 1);
  x.col(0) << start.q, Vector::Zero(nv), start.lambda;
  // velocities count h times; multipliers follow from the motion and do not count
  Vector weight = Vector::Ones(n), r(n);
  weight.segment(nq, nv).setConstant(grid.step);
  weight.tail(ng).setZero();
  for (int i = 1; i <= grid.steps; ++i) {
    if (auto failure =
            step.solve(i, grid.time(i), x, weight, options.newton, solution.newton_iterations))
      return failure;
    solution.q.col(i) = x.col(i).head(nq);
    solution.v.col(i) = x.col(i).segment(nq, nv);
    solution.lambda.col(i) = x.col(i).tail(ng);
    solution.vdot.col(i) = step.xdot().segment(nq, nv);
    dae.torques(solution.q.col(i), solution.v.col(i), solution.vdot.col(i), solution.lambda.col(i),
                solution.u.col(i));
    dae.residual(grid.time(i), x.col(i), step.xdot(), r);
    const auto servo = r.tail(ny + ng);
    dae.outputs(solution.q.col(i), solution.lambda.col(i), solution.y.col(i));
    if (servo.size() > 0)
      solution.max_constraint_residual =
          std::max(solution.max_constraint_residual, servo.cwiseAbs().maxCoeff());
    solution.steps = i;
    if (progress && i % 64 == 0 && !progress(static_cast<double>(i) / grid.steps)) {
      solution.status = Status::interrupted;
      break;
    }
  }
  return std::nullopt;
}

}  // namespace tauflex

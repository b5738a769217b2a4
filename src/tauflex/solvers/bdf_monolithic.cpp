#include <fmt/format.h>

#include <limits>
#include <utility>

#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/equilibration.hpp"
#include "tauflex/math/lu.hpp"
#include "tauflex/math/newton.hpp"
#include "tauflex/solvers/bdf.hpp"
#include "tauflex/solvers/bdf_formula.hpp"
#include "tauflex/solvers/formulation.hpp"

namespace tauflex {

namespace {

// One implicit step of any system: F(t_i, x_i, (1/h) sum a_l x_(i-l)) = 0 by Newton with the
// Jacobian (a_0/h) F_x' + F_x [Moberg2009, eq. (37)], scaled by rows and columns.
class ImplicitStep {
 public:
  // `weight` turns a correction of x into an error of q.
  ImplicitStep(ImplicitSystem& system, const Vector& start, const BdfOptions& options, double h,
               Vector weight)
      : system_(system),
        history_(options.order, h, start),
        options_(options),
        h_(h),
        n_(system.size()),
        weight_(std::move(weight)),
        x_(n_),
        xdot_(n_),
        past_(n_),
        r_(n_),
        dx_(n_),
        scales_{Vector::Ones(n_), Vector::Ones(n_)},
        F_x_(Matrix::Zero(n_, n_)),
        F_xdot_(F_x_),
        J_(n_, n_) {}

  const Vector& x() const { return x_; }
  const Vector& xdot() const { return xdot_; }

  std::optional<StepFailure> step(int i, double t, long& iterations) {
    history_.predict(x_);
    history_.past(past_);
    bool is_first = i == 1;
    const auto correct = [&](const NewtonState&) {
      linearize(t);
      if (std::exchange(is_first, false) && is_singular())
        return std::numeric_limits<double>::quiet_NaN();
      lu_.solve(r_, dx_);
      dx_.array() *= scales_.columns.array();
      x_ -= dx_;
      ++iterations;
      return dx_.cwiseProduct(weight_).cwiseAbs().maxCoeff() /
             (1 + x_.cwiseProduct(weight_).cwiseAbs().maxCoeff());
    };
    if (!newton(options_.newton.criteria(), correct).converged) {
      if (is_singular()) return singular(i);
      int worst = 0;
      r_.cwiseAbs().maxCoeff(&worst);
      return StepFailure{i, system_.equation_name(worst), r_[worst] / scales_.rows[worst]};
    }
    xdot_ = history_.lead() * x_ + past_;
    history_.push(x_);
    return std::nullopt;
  }

  // Condition numbers of the last Jacobian, as it is and scaled.
  double condition() const { return condition_number(J_); }
  void condition(double& unscaled, double& scaled) const {
    scaled = condition();
    unscaled = condition_number(F_x_ + history_.lead() * F_xdot_);
  }

 private:
  void linearize(double t) {
    xdot_ = history_.lead() * x_ + past_;
    system_.residual(t, x_, xdot_, r_);
    system_.jacobians(t, x_, xdot_, F_x_, F_xdot_);
    J_ = F_x_ + history_.lead() * F_xdot_;
    if (!scaled_) choose_scales();
    J_.array().colwise() *= scales_.rows.array();
    J_.array().rowwise() *= scales_.columns.transpose().array();
    r_.array() *= scales_.rows.array();
    lu_.compute(J_);
  }

  // Once: sizes of equations and unknowns do not change by orders of magnitude.
  void choose_scales() {
    scaled_ = true;
    if (options_.scaling == Scaling::automatic) {
      scales_ = equilibrate(J_.cwiseAbs());
    } else if (options_.scaling == Scaling::power) {
      for (int i = 0; i < n_; ++i)
        if (F_xdot_.row(i).isZero(0)) scales_.rows[i] = std::pow(1 / h_, options_.scaling_power);
    }
  }

  bool is_singular() const { return !(lu_.pivot_ratio() > 1e-15); }

  // The two equations that depend on each other most.
  StepFailure singular(int i) const {
    const Svd parts = svd(J_);
    Vector share = parts.U.col(n_ - 1).cwiseAbs();
    int first = 0, second = 0;
    share.maxCoeff(&first);
    share[first] = 0;
    share.maxCoeff(&second);
    return {
        i, system_.equation_name(first), r_[first] / scales_.rows[first],
        fmt::format("the Jacobian of the discretised equations, (a0/h) F_x' + F_x, is singular "
                    "(condition {:.1e}): '{}' and '{}' are linearly dependent in the unknowns of "
                    "a step, however regular the matrix of the highest derivatives is",
                    parts.sigma[0] / std::max(parts.sigma[n_ - 1], 1e-300),
                    system_.equation_name(first), system_.equation_name(second))};
  }

  ImplicitSystem& system_;
  BdfHistory history_;
  BdfOptions options_;
  double h_;
  int n_;
  bool scaled_ = false;
  Vector weight_, x_, xdot_, past_, r_, dx_;
  Scales scales_;
  Matrix F_x_, F_xdot_, J_;
  Lu lu_;
};

}  // namespace

std::optional<StepFailure> solve_monolithic(const InverseProblem& problem, const RestState& start,
                                            const BdfOptions& options, const TimeGrid& grid,
                                            const Progress& progress, Solution& solution) {
  const int nq = problem.robot().nq(), nv = problem.robot().nv();
  const BdfForm form = options.form == BdfForm::automatic ? BdfForm::monolithic : options.form;
  Formulation formulation(problem, start, form, options.index, options.dummies);
  solution.method = "bdf " + formulation.name();
  // velocities count h times; multipliers and dummy derivatives follow from the motion
  Vector weight = Vector::Zero(formulation.system().size());
  weight.head(nq).setOnes();
  weight.segment(nq, nv).setConstant(grid.step());
  ImplicitStep stepper(formulation.system(), formulation.start(), options, grid.step(), weight);
  constexpr Eigen::Index most_shown = 100;  // unknowns; a condition costs as much as many steps
  const auto take = [&](int i, double t, Instant& now) {
    auto failure = stepper.step(i, t, solution.newton_iterations);
    if (failure) return failure;
    formulation.complete(t, stepper.x(), stepper.xdot(), now);
    if (i == (grid.steps + 1) / 2)
      stepper.condition(solution.condition_unscaled, solution.condition);
    if (weight.size() <= most_shown && shows_condition(grid, i))
      add_condition(t, stepper.condition(), solution);
    return failure;
  };
  return take_steps(grid, 1, progress, take, solution);
}

}  // namespace tauflex

#include <fmt/format.h>

#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/equilibration.hpp"
#include "tauflex/math/lu.hpp"
#include "tauflex/solvers/bdf.hpp"
#include "tauflex/solvers/formulation.hpp"

namespace tauflex {

namespace {

// One implicit step of any system: F(t_i, x_i, (1/h) sum a_l x_(i-l)) = 0 by Newton with the
// Jacobian (a_0/h) F_x' + F_x [Moberg2009, eq. (37)], scaled by rows and columns.
class ImplicitStep {
 public:
  ImplicitStep(ImplicitSystem& system, const BdfOptions& options, double h)
      : system_(system),
        formula_(options.order),
        options_(options),
        h_(h),
        n_(system.size()),
        xdot_(n_),
        past_(n_),
        r_(n_),
        dx_(n_),
        scales_{Vector::Ones(n_), Vector::Ones(n_)},
        F_x_(Matrix::Zero(n_, n_)),
        F_xdot_(F_x_),
        J_(n_, n_) {}

  const Vector& xdot() const { return xdot_; }

  // `weight` turns a correction of x into an error of q: velocities count h times.
  std::optional<StepFailure> solve(int i, double t, Matrix& x, const Vector& weight,
                                   long& iterations) {
    const NewtonOptions& newton = options_.newton;
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
      system_.residual(t, now, xdot_, r_);
      system_.jacobians(t, now, xdot_, F_x_, F_xdot_);
      J_ = F_x_ + (formula_.a[0] / h_) * F_xdot_;
      if (!scaled_) choose_scales();
      J_.array().colwise() *= scales_.rows.array();
      J_.array().rowwise() *= scales_.columns.transpose().array();
      r_.array() *= scales_.rows.array();
      lu_.compute(J_);
      if (i == 1 && iteration == 0 && is_singular()) return singular(i);
      lu_.solve(r_, dx_);
      dx_.array() *= scales_.columns.array();
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
    if (is_singular()) return singular(i);
    Eigen::Index worst = 0;
    r_.cwiseAbs().maxCoeff(&worst);
    return StepFailure{i, system_.equation_name(static_cast<int>(worst)),
                       r_[worst] / scales_.rows[worst]};
  }

  // Condition numbers of the last Jacobian, as it is and scaled.
  void condition(double& unscaled, double& scaled) const {
    scaled = condition_number(J_);
    unscaled = condition_number(F_x_ + (formula_.a[0] / h_) * F_xdot_);
  }

 private:
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
    Eigen::Index first = 0, second = 0;
    share.maxCoeff(&first);
    share[first] = 0;
    share.maxCoeff(&second);
    return {i, system_.equation_name(static_cast<int>(first)), r_[first] / scales_.rows[first],
            fmt::format("the Jacobian of the discretised equations, (a0/h) F_x' + F_x, is singular "
                        "(condition {:.1e}): '{}' and '{}' say the same about the unknowns of a "
                        "step, however regular the matrix of the highest derivatives is",
                        parts.sigma[0] / std::max(parts.sigma[n_ - 1], 1e-300),
                        system_.equation_name(static_cast<int>(first)),
                        system_.equation_name(static_cast<int>(second)))};
  }

  ImplicitSystem& system_;
  BdfFormula formula_;
  BdfOptions options_;
  double h_;
  int n_;
  bool scaled_ = false;
  Vector xdot_, past_, r_, dx_;
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
  ImplicitStep step(formulation.system(), options, grid.step);
  const int n = formulation.system().size();
  Matrix z = Matrix::Zero(n, grid.steps + 1);
  z.col(0) = formulation.start();
  // velocities count h times; multipliers and dummy derivatives follow from the motion
  Vector weight = Vector::Zero(n);
  weight.head(nq).setOnes();
  weight.segment(nq, nv).setConstant(grid.step);
  for (int i = 1; i <= grid.steps; ++i) {
    if (auto failure = step.solve(i, grid.time(i), z, weight, solution.newton_iterations))
      return failure;
    formulation.store(grid.time(i), z.col(i), step.xdot(), i, solution);
    if (i == (grid.steps + 1) / 2) step.condition(solution.condition_unscaled, solution.condition);
    if (progress && i % 64 == 0 && !progress(static_cast<double>(i) / grid.steps)) {
      solution.status = Status::interrupted;
      break;
    }
  }
  return std::nullopt;
}

}  // namespace tauflex

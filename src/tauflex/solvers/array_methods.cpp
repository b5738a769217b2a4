#include "tauflex/solvers/array_methods.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/newton.hpp"
#include "tauflex/solvers/bdf_formula.hpp"
#include "tauflex/solvers/formulation.hpp"

namespace tauflex {

namespace {

// The array and the rows that close it, in scaled unknowns (X_0, ..., X_(order+1)).
class ArrayNewton {
 public:
  ArrayNewton(DerivativeArray& array, const ArrayScales& scales, int order, int first)
      : array_(array),
        scales_(scales),
        n_(array.size()),
        order_(order),
        first_(first),
        columns_((order + 2 - first) * n_) {}

  int order() const { return order_; }
  bool has_matrix() const { return solver_.has_value(); }
  double condition() const { return solver_->condition(); }

  // Linearises the array at X and adds the closing rows, given in unscaled unknowns X_0 and X_1.
  void factorize(double t, const Matrix& X, const Matrix& by_x, const Matrix& by_rate) {
    array_.linearize(t, X, order_);
    const auto closing = by_x.rows();
    Matrix J = Matrix::Zero((order_ + 1) * n_ + closing, columns_);
    J.topRows((order_ + 1) * n_) = array_matrix(array_, scales_, order_, first_, order_ + 1);
    closing_scale_ = Vector::Ones(closing);
    if (closing > 0) {
      auto rows = J.bottomRows(closing);
      rows.leftCols(n_) = by_x * scales_.scales.columns.asDiagonal();
      rows.middleCols(n_, n_) = by_rate * scales_.scales.columns.asDiagonal() / scales_.unit;
      for (Eigen::Index i = 0; i < closing; ++i) {
        if (const double size = rows.row(i).cwiseAbs().maxCoeff(); size > 0)
          closing_scale_[i] = 1 / size;
        rows.row(i) *= closing_scale_[i];
      }
    }
    solver_.emplace(J);
  }

  // Takes the smallest correction off X.
  void correct(double t, Matrix& X, const Vector& closing, Matrix& correction) {
    array_.residual(t, X, order_, F_);
    Vector r((order_ + 1) * n_ + closing.size());
    for (int j = 0; j <= order_; ++j)
      r.segment(j * n_, n_) =
          std::pow(scales_.unit, j) * scales_.scales.rows.cwiseProduct(F_.col(j));
    r.tail(closing.size()) = closing.cwiseProduct(closing_scale_);
    const Vector d = solver_->solve(r);
    correction.setZero(n_, order_ + 2);
    for (int k = first_; k <= order_ + 1; ++k)
      correction.col(k) = std::pow(scales_.unit, -k) *
                          scales_.scales.columns.cwiseProduct(d.segment((k - first_) * n_, n_));
    X -= correction;
    residual_ = r;
  }

  // Name and size of the equation that was off most.
  std::pair<std::string, double> worst() const {
    const auto rows = n_ * (order_ + 1);
    Eigen::Index at = 0;
    residual_.head(rows).cwiseAbs().maxCoeff(&at);
    const auto derivative = at / n_;
    return {array_.dae().equation_name(static_cast<int>(at % n_)) + std::string(derivative, '\''),
            F_(at % n_, derivative)};
  }

 private:
  DerivativeArray& array_;
  ArrayScales scales_;
  int n_, order_, first_;
  Eigen::Index columns_;
  std::optional<LeastNormSolver> solver_;
  Vector closing_scale_, residual_;
  Matrix F_;
};

// Size in units in which all variables are of one size.
double scaled_size(const ArrayScales& scales, const VectorRef& x) {
  return x.cwiseQuotient(scales.scales.columns).cwiseAbs().maxCoeff();
}

// Steps of one method along the grid.
class ArraySteps {
 public:
  ArraySteps(const InverseProblem& problem, const RestState& start, const ArrayOptions& options,
             const TimeGrid& grid)
      : options_(options),
        grid_(grid),
        dae_(problem),
        array_(dae_),
        n_(dae_.size()),
        X_(dae_.at_rest(start)),
        history_(options.order, grid.step(), X_.col(0)),
        past_(n_),
        F_x_(Matrix::Zero(n_, n_)),
        F_xdot_(F_x_),
        r_(n_),
        rate_(n_),
        weight_(Vector::Zero(n_)) {
    weight_.head(problem.robot().nq()).setOnes();
    weight_.segment(problem.robot().nq(), problem.robot().nv()).setConstant(grid.step());
  }

  std::optional<StepFailure> start() {
    if (auto failure = analyze(0)) return failure;
    X_.conservativeResize(n_, newton_->order() + 2);
    X_.rightCols(newton_->order() + 1).setZero();
    return std::nullopt;
  }

  std::optional<StepFailure> step(int i, double t, Instant& now, Solution& solution) {
    // ranks and choices are looked at again from time to time, and when a step fails
    if (i % 64 == 0)
      if (auto failure = analyze(i - 1)) return failure;
    const Matrix before = X_;
    if (!advance(t, solution.newton_iterations)) {
      X_ = before;
      if (auto failure = analyze(i - 1)) return failure;
      if (!advance(t, solution.newton_iterations)) {
        const auto [equation, off] = newton_->worst();
        return StepFailure{i, equation, off};
      }
    }
    complete_step(t, now);
    if (i % 16 == 0) measure_rounding(t, now, solution);
    if (i == (grid_.steps + 1) / 2) solution.condition = newton_->condition();
    if (shows_condition(grid_, i)) add_condition(t, newton_->condition(), solution);
    history_.push(X_.col(0));
    return std::nullopt;
  }

 private:
  bool is_decoupled() const { return options_.closure == ArrayClosure::decoupled; }

  // Ranks at the last point; a new choice of equations or variables.
  std::optional<StepFailure> analyze(int i) {
    const double t = grid_.time(i);
    IndexAnalysis found = analyze_index(array_, t, X_);
    if (!found.found)
      return StepFailure{std::max(i, 1), "", 0,
                         fmt::format("no order of the derivative array up to {} has the ranks of "
                                     "Hypothesis 1",
                                     IndexOptions{}.largest)};
    if (analysis_.found && (found.algebraic_count != analysis_.algebraic_count ||
                            found.strangeness_index != analysis_.strangeness_index))
      return StepFailure{std::max(i, 1), "", 0,
                         fmt::format("ranks change along the path: {} algebraic variables and "
                                     "strangeness index {} before, {} and {} here",
                                     analysis_.algebraic_count, analysis_.strangeness_index,
                                     found.algebraic_count, found.strangeness_index)};
    // Choices stay while they are good: a new one moves the truncation error to other variables.
    constexpr double good = 100;
    if (analysis_.found) {
      found.scales = analysis_.scales;
      if (condition_of_algebraic(found, analysis_.algebraic) <
          good * condition_of_algebraic(found, found.algebraic)) {
        found.algebraic = analysis_.algebraic;
        found.differential = analysis_.differential;
      }
      if (condition_of_differential_equations(found, analysis_.differential_equations) <
          good * condition_of_differential_equations(found, found.differential_equations))
        found.differential_equations = analysis_.differential_equations;
    }
    analysis_ = std::move(found);
    const int order = analysis_.strangeness_index + (is_decoupled() ? 1 : 0);
    newton_.emplace(array_, analysis_.scales, order, 0);
    return std::nullopt;
  }

  // The rows that close the array: residual, and derivatives by x and by x'.
  void closing(double t, Vector& r) {
    const double a0 = history_.lead();
    if (is_decoupled()) {
      const auto& chosen = analysis_.differential;
      r = a0 * X_(chosen, 0) + past_(chosen) - X_(chosen, 1);
    } else {
      dae_.residual(t, X_.col(0), a0 * X_.col(0) + past_, r_);
      r = r_(analysis_.differential_equations);
    }
  }
  void closing_matrices(double t, Matrix& by_x, Matrix& by_rate) {
    const double a0 = history_.lead();
    const int d = analysis_.differential_count;
    by_rate = Matrix::Zero(d, n_);
    if (is_decoupled()) {
      by_x = Matrix::Zero(d, n_);
      for (int k = 0; k < d; ++k) {
        by_x(k, analysis_.differential[k]) = a0;
        by_rate(k, analysis_.differential[k]) = -1;
      }
    } else {
      dae_.jacobians(t, X_.col(0), a0 * X_.col(0) + past_, F_x_, F_xdot_);
      by_x = (F_x_ + a0 * F_xdot_)(analysis_.differential_equations, Eigen::all);
    }
  }

  void factorize(double t) {
    Matrix by_x, by_rate;
    closing_matrices(t, by_x, by_rate);
    newton_->factorize(t, X_, by_x, by_rate);
  }

  bool advance(double t, long& iterations) {
    history_.past(past_);
    // Derivatives start from those of the step before: what the array does not determine stays
    // small.
    history_.predict(X_.col(0));
    return converge(t, iterations);
  }

  bool converge(double t, long& iterations) {
    Vector r;
    Matrix correction;
    const auto correct = [&] {
      closing(t, r);
      newton_->correct(t, X_, r, correction);
      ++iterations;
      // positions, velocities times h, accelerations times h^2 where they are taken from the array
      const int counts = is_decoupled() ? 2 : 1;
      double size = 0;
      for (int k = 0; k < counts; ++k)
        size = std::max(size, std::pow(grid_.step(), k) *
                                  correction.col(k).cwiseProduct(weight_).cwiseAbs().maxCoeff());
      return size / (1 + X_.col(0).cwiseProduct(weight_).cwiseAbs().maxCoeff());
    };
    NewtonCriteria criteria = options_.newton.criteria();
    criteria.max_iterations *= 2;
    criteria.jacobian = NewtonJacobian::kept;
    criteria.rounding = 1e-12;
    // An old matrix is good enough while corrections shrink quickly with it.
    const auto correct_with_old = [&](const NewtonState& state) {
      const bool slow = state.iteration > 1 && state.rate > 0.3;
      return slow ? std::numeric_limits<double>::quiet_NaN() : correct();
    };
    if (newton_->has_matrix() && newton(criteria, correct_with_old).converged) return true;
    if (!X_.allFinite()) return false;
    factorize(t);
    criteria.rounding = 1e-10;
    return newton(criteria, [&](const NewtonState&) { return correct(); }).converged;
  }

  // Where nothing is integrated the error of u is rounding: what changes when the same point is
  // found from another guess.
  void measure_rounding(double t, const Instant& now, Solution& solution) {
    if (!is_decoupled() || analysis_.differential_count > 0) return;
    const Matrix found = X_;
    Instant again = now;
    X_ *= 1 + 1e-6;
    if (converge(t, solution.newton_iterations)) {
      complete_step(t, again);
      const Vector error = (again.u - now.u).cwiseAbs();
      if (solution.torque_errors.size() == 0) solution.torque_errors = error;
      solution.torque_errors = solution.torque_errors.cwiseMax(error);
    }
    X_ = found;
  }

  // F_mu does not determine every acceleration: those of Kunkel and Mehrmann are differences.
  void complete_step(double t, Instant& now) {
    if (is_decoupled())
      rate_ = X_.col(1);
    else
      rate_ = history_.lead() * X_.col(0) + past_;
    complete(dae_, t, X_.col(0), rate_, r_, now);
  }

  ArrayOptions options_;
  TimeGrid grid_;
  InverseDae dae_;
  DerivativeArray array_;
  int n_;
  Matrix X_;  // series of x at the present step
  BdfHistory history_;
  Vector past_;
  Matrix F_x_, F_xdot_;
  Vector r_, rate_, weight_;
  IndexAnalysis analysis_;
  std::optional<ArrayNewton> newton_;
};

}  // namespace

namespace {

// X gets order + 2 columns; those that it does not have are 0.
bool settle(ArrayNewton& array_newton, const ArrayScales& scales, double t, Matrix& X,
            const Matrix& by_x, const Matrix& by_rate, const Vector& wanted) {
  const Eigen::Index known = X.cols(), columns = array_newton.order() + 2;
  if (known < columns) {
    X.conservativeResize(Eigen::NoChange, columns);
    X.rightCols(columns - known).setZero();
  }
  array_newton.factorize(t, X, by_x, by_rate);
  Matrix correction;
  const auto correct = [&](const NewtonState& state) {
    if (state.iteration > 1 && state.rate > 0.3) array_newton.factorize(t, X, by_x, by_rate);
    array_newton.correct(t, X, by_x * X.col(0) + by_rate * X.col(1) - wanted, correction);
    const double size = std::max(scaled_size(scales, correction.col(1)) * scales.unit,
                                 scaled_size(scales, correction.col(0)));
    const double whole =
        scaled_size(scales, X.col(1)) * scales.unit + scaled_size(scales, X.col(0));
    return size > 0 ? size / whole : size;
  };
  return newton({.max_iterations = 30, .jacobian = NewtonJacobian::kept}, correct).converged;
}

}  // namespace

bool complete_series(DerivativeArray& array, const ArrayScales& scales, double t, int order,
                     Matrix& X, const std::vector<int>& kept) {
  // Rows that keep some variables, or no columns for x when all are kept.
  const bool all = std::ssize(kept) == array.size();
  ArrayNewton array_newton(array, scales, order, all ? 1 : 0);
  Matrix keep = Matrix::Zero(all ? 0 : std::ssize(kept), array.size());
  for (Eigen::Index k = 0; k < keep.rows(); ++k) keep(k, kept[k]) = 1;
  const Vector wanted = keep * X.col(0);
  return settle(array_newton, scales, t, X, keep, Matrix::Zero(keep.rows(), keep.cols()), wanted);
}

bool close_series(DerivativeArray& array, const ArrayScales& scales, double t, int order, Matrix& X,
                  const Matrix& by_x, const Matrix& by_rate, const Vector& wanted) {
  ArrayNewton array_newton(array, scales, order, 0);
  return settle(array_newton, scales, t, X, by_x, by_rate, wanted);
}

std::optional<StepFailure> solve_by_array(const InverseProblem& problem, const RestState& start,
                                          const ArrayOptions& options, const TimeGrid& grid,
                                          const Progress& progress, Solution& solution) {
  ArraySteps steps(problem, start, options, grid);
  if (auto failure = steps.start()) return failure;
  const auto take = [&](int i, double t, Instant& now) { return steps.step(i, t, now, solution); };
  return take_steps(grid, 1, progress, take, solution);
}

}  // namespace tauflex

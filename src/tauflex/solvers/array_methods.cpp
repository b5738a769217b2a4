#include "tauflex/solvers/array_methods.hpp"

#include <fmt/format.h>

#include <cmath>

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
  bool has_matrix() const { return has_matrix_; }
  double condition() const { return condition_; }

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
    qr_.setThreshold(1e-12);
    qr_.compute(J);
    has_matrix_ = true;
    const auto diagonal = qr_.matrixT().topLeftCorner(qr_.rank(), qr_.rank()).diagonal().cwiseAbs();
    condition_ = qr_.rank() > 0 ? diagonal.maxCoeff() / diagonal.minCoeff() : 0;
  }

  // Takes the smallest correction off X.
  void correct(double t, Matrix& X, const Vector& closing, Matrix& correction) {
    array_.residual(t, X, order_, F_);
    Vector r((order_ + 1) * n_ + closing.size());
    for (int j = 0; j <= order_; ++j)
      r.segment(j * n_, n_) =
          std::pow(scales_.unit, j) * scales_.scales.rows.cwiseProduct(F_.col(j));
    r.tail(closing.size()) = closing.cwiseProduct(closing_scale_);
    const Vector d = qr_.solve(r);
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
    return {array_.dae().equation_name(static_cast<int>(at % n_)) +
                std::string(static_cast<size_t>(derivative), '\''),
            F_(at % n_, derivative)};
  }

 private:
  DerivativeArray& array_;
  ArrayScales scales_;
  int n_, order_, first_;
  Eigen::Index columns_;
  bool has_matrix_ = false;
  double condition_ = 0;
  Eigen::CompleteOrthogonalDecomposition<Matrix> qr_;
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
      : problem_(problem),
        options_(options),
        grid_(grid),
        formula_(options.order),
        dae_(problem),
        array_(dae_),
        n_(dae_.size()),
        x_(Matrix::Zero(n_, grid.steps + 1)),
        past_(n_),
        F_x_(Matrix::Zero(n_, n_)),
        F_xdot_(F_x_),
        r_(n_),
        rate_(n_),
        weight_(Vector::Zero(n_)) {
    x_.col(0) = dae_.at_rest(start);
    weight_.head(problem.robot().nq()).setOnes();
    weight_.segment(problem.robot().nq(), problem.robot().nv()).setConstant(grid.step);
    X_ = x_.col(0);
  }

  std::optional<StepFailure> run(const Progress& progress, Solution& solution) {
    if (auto failure = analyze(0)) return failure;
    X_.conservativeResize(n_, newton_->order() + 2);
    X_.rightCols(newton_->order() + 1).setZero();
    for (int i = 1; i <= grid_.steps; ++i) {
      // ranks and choices are looked at again from time to time, and when a step fails
      if (i % 64 == 0)
        if (auto failure = analyze(i - 1)) return failure;
      const Matrix before = X_;
      if (!step(i, solution.newton_iterations)) {
        X_ = before;
        if (auto failure = analyze(i - 1)) return failure;
        if (!step(i, solution.newton_iterations)) {
          const auto [equation, off] = newton_->worst();
          return StepFailure{i, equation, off};
        }
      }
      x_.col(i) = X_.col(0);
      store(i, solution);
      if (i % 16 == 0) measure_rounding(i, solution);
      if (i == (grid_.steps + 1) / 2) solution.condition = newton_->condition();
      if (progress && i % 16 == 0 && !progress(static_cast<double>(i) / grid_.steps)) {
        solution.status = Status::interrupted;
        break;
      }
    }
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
                         "no order of the derivative array up to " +
                             std::to_string(IndexOptions{}.largest) +
                             " has the ranks of Hypothesis 1"};
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
    const double a0 = formula_.a[0] / grid_.step;
    if (is_decoupled()) {
      const auto& chosen = analysis_.differential;
      r.resize(static_cast<Eigen::Index>(chosen.size()));
      for (size_t k = 0; k < chosen.size(); ++k)
        r[static_cast<Eigen::Index>(k)] =
            a0 * X_(chosen[k], 0) + past_[chosen[k]] - X_(chosen[k], 1);
    } else {
      dae_.residual(t, X_.col(0), a0 * X_.col(0) + past_, r_);
      r = r_(analysis_.differential_equations);
    }
  }
  void closing_matrices(double t, Matrix& by_x, Matrix& by_rate) {
    const double a0 = formula_.a[0] / grid_.step;
    const int d = analysis_.differential_count;
    by_rate = Matrix::Zero(d, n_);
    if (is_decoupled()) {
      by_x = Matrix::Zero(d, n_);
      for (int k = 0; k < d; ++k) {
        by_x(k, analysis_.differential[static_cast<size_t>(k)]) = a0;
        by_rate(k, analysis_.differential[static_cast<size_t>(k)]) = -1;
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

  bool step(int i, long& iterations) {
    past_.setZero();
    for (int l = 1; l <= formula_.order; ++l)
      past_ += (formula_.a[static_cast<size_t>(l)] / grid_.step) * x_.col(std::max(i - l, 0));
    // Derivatives start from those of the step before: what the array does not determine stays
    // small.
    X_.col(0).setZero();
    for (int l = 1; l <= formula_.order + 1; ++l)
      X_.col(0) += formula_.b[static_cast<size_t>(l)] * x_.col(std::max(i - l, 0));
    return converge(i, iterations);
  }

  bool converge(int i, long& iterations) {
    const double t = grid_.time(i);
    // An old matrix is good enough while corrections shrink quickly with it.
    bool fresh = false;
    const auto renew = [&] {
      factorize(t);
      fresh = true;
    };
    if (!newton_->has_matrix()) renew();
    Vector r;
    Matrix correction;
    double last = 0;
    for (int iteration = 0; iteration < 3 * options_.newton.max_iterations; ++iteration) {
      closing(t, r);
      newton_->correct(t, X_, r, correction);
      ++iterations;
      // positions, velocities times h, accelerations times h^2 where they are taken from the array
      const int counts = is_decoupled() ? 2 : 1;
      double size = 0;
      for (int k = 0; k < counts; ++k)
        size = std::max(size, std::pow(grid_.step, k) *
                                  correction.col(k).cwiseProduct(weight_).cwiseAbs().maxCoeff());
      const double scale = 1 + X_.col(0).cwiseProduct(weight_).cwiseAbs().maxCoeff();
      const double tolerance = options_.newton.tolerance * scale;
      if (!std::isfinite(size)) return false;
      if (size <= tolerance) return true;
      if (iteration > 0) {
        const double shrink = size / last;
        if (shrink < 0.3 && size * shrink / (1 - shrink) <= tolerance) return true;
        if (size < 1e-10 * scale && shrink > 0.5) return fresh || size < 1e-12 * scale;
        if (shrink > 0.3 && !fresh) {
          renew();
          last = 0;
          iteration = -1;
          continue;
        }
        if (iteration > options_.newton.max_iterations) return false;
      }
      last = size;
    }
    return false;
  }

  // Where nothing is integrated the error of u is rounding: what changes when the same point is
  // found from another guess.
  void measure_rounding(int i, Solution& solution) {
    if (!is_decoupled() || analysis_.differential_count > 0) return;
    const Matrix found = X_;
    const Vector u = solution.u.col(i);
    X_ *= 1 + 1e-6;
    if (converge(i, solution.newton_iterations)) {
      store(i, solution);
      if (u.size() > 0)
        solution.torque_error_estimate =
            std::max(solution.torque_error_estimate, (solution.u.col(i) - u).cwiseAbs().maxCoeff());
    }
    X_ = found;
    store(i, solution);
  }

  // F_mu does not determine every acceleration: those of Kunkel and Mehrmann are differences.
  void store(int i, Solution& solution) {
    const double a0 = formula_.a[0] / grid_.step;
    if (is_decoupled())
      rate_ = X_.col(1);
    else
      rate_ = a0 * X_.col(0) + past_;
    store_motion(problem_, dae_, grid_.time(i), X_.col(0), rate_, i, r_, solution);
  }

  const InverseProblem& problem_;
  ArrayOptions options_;
  TimeGrid grid_;
  BdfFormula formula_;
  InverseDae dae_;
  DerivativeArray array_;
  int n_;
  Matrix x_, X_;  // history of x, and its series at the present step
  Vector past_;
  Matrix F_x_, F_xdot_;
  Vector r_, rate_, weight_;
  IndexAnalysis analysis_;
  std::optional<ArrayNewton> newton_;
};

}  // namespace

bool complete_series(DerivativeArray& array, const ArrayScales& scales, double t, int order,
                     Matrix& X, const std::vector<int>& kept) {
  const auto n = array.size(), known = static_cast<int>(X.cols());
  const auto rows = static_cast<Eigen::Index>(kept.size());
  if (known < order + 2) {
    X.conservativeResize(n, order + 2);
    X.rightCols(order + 2 - known).setZero();
  }
  // Rows that keep some variables, or no columns for x when all are kept.
  const bool all = rows == n;
  ArrayNewton newton(array, scales, order, all ? 1 : 0);
  Matrix keep = Matrix::Zero(all ? 0 : rows, n), no_rates = keep;
  for (Eigen::Index k = 0; k < keep.rows(); ++k) keep(k, kept[static_cast<size_t>(k)]) = 1;
  const Vector wanted = keep * X.col(0);
  newton.factorize(t, X, keep, no_rates);
  Matrix correction;
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 30; ++iteration) {
    newton.correct(t, X, keep * X.col(0) - wanted, correction);
    const double size = std::max(scaled_size(scales, correction.col(1)) * scales.unit,
                                 scaled_size(scales, correction.col(0)));
    const double whole =
        scaled_size(scales, X.col(1)) * scales.unit + scaled_size(scales, X.col(0));
    if (!std::isfinite(size)) return false;
    if (size <= 1e-15 * whole || size == 0) return true;
    if (size > 0.3 * last) {  // rounding, or an old matrix
      if (size < 1e-9 * whole) return true;
      newton.factorize(t, X, keep, no_rates);
    }
    last = size;
  }
  return false;
}

std::optional<StepFailure> solve_by_array(const InverseProblem& problem, const RestState& start,
                                          const ArrayOptions& options, const TimeGrid& grid,
                                          const Progress& progress, Solution& solution) {
  return ArraySteps(problem, start, options, grid).run(progress, solution);
}

}  // namespace tauflex

#include "tauflex/solvers/dae_series.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/analysis/index.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/solvers/array_methods.hpp"

namespace tauflex {

std::vector<Field> DaeSeriesOptions::fields() {
  using namespace describe;
  return {
      number("tolerance", tolerance, within(1e-14, 1), "", "of x in a step, relative to 1 + |x|"),
      integer("order", order, within(2, 12), "terms of the series"),
      integer("max_steps", max_steps, at_least(1), "before it gives up")};
}

void DaeSeriesOptions::check() const { check_fields("solve", DaeSeriesOptions(*this).fields()); }

namespace {

// The series of all variables at a time, and what the array says about them.
class SeriesStep {
 public:
  SeriesStep(Dae& dae, int order) : array_(dae), wanted_(order) {}

  // The ranks at (t, X), then the series through the differential variables of its first column.
  // A sentence where it fails.
  std::string set(double t, const Matrix& guess) {
    const IndexAnalysis found = analyze_index(array_, t, guess);
    if (!found.found) return "no order of the derivative array has the ranks of Hypothesis 1";
    if (index_ >= 0 && (found.differential_index != index_ ||
                        found.differential_count != static_cast<int>(count_)))
      return fmt::format(
          "ranks change: index {} with {} differential variables before, {} with {} "
          "here",
          index_, count_, found.differential_index, found.differential_count);
    const int highest = DerivativeArray::largest_order - 1;
    const int order = std::min(found.differential_index + wanted_ - 1, highest);
    Matrix X = guess.leftCols(std::min<Eigen::Index>(guess.cols(), order + 2));
    if (!complete_series(array_, found.scales, t, order, X, found.differential) || !X.allFinite())
      return "no point near the guess satisfies the equations and their derivatives";
    index_ = found.differential_index;
    count_ = found.differential_count;
    X_ = X;
    t_ = t;
    // Columns above follow from equations that are not in the array.
    terms_ = order - index_ + 1;
    return "";
  }

  // Ranks away from the equations may differ from those on them: looks again.
  std::string confirm() {
    index_ = -1;
    return set(t_, Matrix(X_));
  }

  double t() const { return t_; }
  int index() const { return index_; }
  // How far the series may go: its last two terms are below the tolerance.
  double reach(double tolerance) const {
    constexpr double safety = 0.8;
    double h = std::numeric_limits<double>::infinity();
    for (const int k : {terms_ - 1, terms_}) {
      const double size =
          X_.col(k).cwiseAbs().cwiseQuotient((1 + X_.col(0).array().abs()).matrix()).maxCoeff();
      if (k > 0 && size > 0) h = std::min(h, std::pow(tolerance / size, 1.0 / k));
    }
    return safety * h;
  }
  // The series about t + h: sum_j C(j, k) X_j h^(j - k).
  Matrix moved(double h) const {
    Matrix Y = Matrix::Zero(X_.rows(), X_.cols());
    for (int k = 0; k <= terms_; ++k) {
      double factor = 1;
      for (int j = k; j <= terms_; ++j) {
        Y.col(k) += factor * X_.col(j);
        factor *= h * (j + 1) / (j + 1 - k);
      }
    }
    return Y;
  }

 private:
  DerivativeArray array_;
  int wanted_, terms_ = 0, index_ = -1;
  Eigen::Index count_ = 0;
  double t_ = 0;
  Matrix X_;
};

DaeSolution run_series(Dae& dae, const Vector& times, const Vector& x,
                       const DaeSeriesOptions& options, const Progress& progress) {
  SeriesStep point(dae, options.order);
  std::string fault = point.set(times[0], x);
  if (fault.empty()) fault = point.confirm();
  if (!fault.empty()) throw ProblemError(fmt::format("t = {:.6g} s: {}", times[0], fault));
  DaeSolution solution;
  solution.differential_index = point.index();
  const Eigen::Index n = times.size();
  solution.x.resize(dae.size(), n);
  solution.xdot.resize(dae.size(), n);
  Eigen::Index done = 0;
  const auto ends = [&](Status status, const std::string& message) {
    solution.status = status;
    solution.message = message;
  };
  const double span = times[n - 1] - times[0];
  while (done < n && solution.status == Status::solved) {
    double h = point.reach(options.tolerance);
    for (; done < n && times[done] <= point.t() + h; ++done) {
      const Matrix Y = point.moved(times[done] - point.t());
      solution.x.col(done) = Y.col(0);
      solution.xdot.col(done) = Y.col(1);
    }
    if (done == n) break;
    for (int halved = 0; halved < 10; ++halved, h /= 2)
      if (fault = point.set(point.t() + h, point.moved(h)); fault.empty()) break;
    if (!fault.empty() || !(h > 1e-14 * span))
      ends(Status::not_converged, fmt::format("t = {:.6g} s: {}", point.t(),
                                              fault.empty() ? "the step became too short" : fault));
    else if (++solution.steps >= options.max_steps)
      ends(Status::not_converged,
           fmt::format("t = {:.6g} s: {} steps did not reach the end; the equations may be stiff",
                       point.t(), options.max_steps));
    else if (progress && !progress((point.t() - times[0]) / span))
      ends(Status::interrupted, fmt::format("interrupted at t = {:.6g} s", point.t()));
  }
  solution.t = times.head(done);
  solution.x.conservativeResize(Eigen::NoChange, done);
  solution.xdot.conservativeResize(Eigen::NoChange, done);
  return solution;
}

}  // namespace

DaeSolution solve_series(Dae& dae, const Vector& times, const Vector& x,
                         const DaeSeriesOptions& options, const Progress& progress) {
  options.check();
  if (times.size() < 2) throw InputError("solve: expected two times or more");
  for (Eigen::Index i = 1; i < times.size(); ++i)
    if (!(times[i] > times[i - 1]))
      throw InputError(
          fmt::format("solve: times must increase, got {} after {}", times[i], times[i - 1]));
  if (x.size() != dae.size())
    throw InputError(
        fmt::format("solve: expected {} values at the start, got {}", dae.size(), x.size()));
  const DaeSolution coarse = run_series(dae, times, x, options, progress);
  if (coarse.status != Status::solved) return coarse;
  DaeSeriesOptions finer = options;
  finer.tolerance = std::max(options.tolerance / 100, 1e-16);
  DaeSolution fine = run_series(dae, times, x, finer, progress);
  const auto both = std::min(fine.t.size(), coarse.t.size());
  fine.error = (fine.x.leftCols(both) - coarse.x.leftCols(both)).cwiseAbs().rowwise().maxCoeff();
  return fine;
}

}  // namespace tauflex

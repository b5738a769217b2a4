#include "tauflex/solvers/solve_dae.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/analysis/index.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/base/sizes.hpp"
#include "tauflex/plant/torque_signal.hpp"
#include "tauflex/solvers/array_methods.hpp"
#include "tauflex/solvers/bdf_formula.hpp"

namespace tauflex {

std::vector<Field> DaeOptions::fields() {
  using namespace describe;
  return {choice("method", method, {DaeMethod::series, DaeMethod::bdf},
                 "by the Taylor series of the equations, or by backward differences"),
          integer("order", order, within(0, 12), "terms of the series, or order of the differences")
              .if_left_out("8 and 3"),
          number("tolerance", tolerance, within(1e-14, 1), "",
                 "of x in a step of the series, relative to 1 + |x|"),
          number("step", step, at_least(0), "s", "of bdf").if_left_out("a thousandth of the time"),
          integer("max_steps", max_steps, at_least(1), "before it gives up")};
}

void DaeOptions::check() const {
  check_fields("solve", DaeOptions(*this).fields());
  const int least = method == DaeMethod::bdf ? 1 : 2, most = method == DaeMethod::bdf ? 6 : 12;
  if (used_order() < least || order > most)
    throw FieldError(
        "solve", "order",
        fmt::format("must be {} to {} for {}, got {}", least, most, tauflex::name(method), order));
}

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
          "ranks change: index {} with {} differential variables before, {} with {} here", index_,
          count_, found.differential_index, found.differential_count);
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

  // The differential variables go on by differences instead; one step. A sentence where it fails.
  std::string difference(double t, BdfHistory& history) {
    const IndexAnalysis found = analyze_index(array_, t_, X_);
    if (!found.found || found.differential_index != index_ ||
        found.differential_count != static_cast<int>(count_))
      return "ranks change";
    Vector past(X_.rows());
    history.past(past);
    Matrix by_x = Matrix::Zero(count_, X_.rows()), by_rate = by_x;
    for (Eigen::Index k = 0; k < count_; ++k) {
      by_x(k, found.differential[k]) = history.lead();
      by_rate(k, found.differential[k]) = -1;
    }
    Matrix X = X_.leftCols(std::min<Eigen::Index>(X_.cols(), index_ + 2));
    history.predict(X.col(0));
    if (!close_series(array_, found.scales, t, index_, X, by_x, by_rate,
                      -past(found.differential)) ||
        !X.allFinite())
      return "no solution of the step was found";
    X_ = X;
    t_ = t;
    history.push(X_.col(0));
    return "";
  }
  // x and its values before, as if the motion had come along its series.
  Matrix values_before(int count, double h) const {
    Matrix values(X_.rows(), count);
    for (int l = 0; l < count; ++l) values.col(l) = moved(-l * h).col(0);
    return values;
  }

  double t() const { return t_; }
  const Matrix& series() const { return X_; }
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

// The start, where the equations hold. Throws ProblemError.
void begin(SeriesStep& point, double t, const Vector& x) {
  std::string fault = point.set(t, x);
  if (fault.empty()) fault = point.confirm();
  if (!fault.empty()) throw ProblemError(fmt::format("t = {:.6g} s: {}", t, fault));
}

// Why there is no further step: it failed, there were too many, or an interruption.
bool goes_on(const SeriesStep& point, const Vector& times, const std::string& fault,
             const DaeOptions& options, const Progress& progress, DaeSolution& solution) {
  const double span = times[times.size() - 1] - times[0];
  const auto ends = [&](Status status, const std::string& reason) {
    solution.status = status;
    solution.message = fmt::format("t = {:.6g} s: {}", point.t(), reason);
    return false;
  };
  if (!fault.empty()) return ends(Status::not_converged, fault);
  if (++solution.steps >= options.max_steps)
    return ends(Status::not_converged,
                fmt::format("{} steps did not reach the end; the equations may be stiff",
                            options.max_steps));
  if (progress && !progress((point.t() - times[0]) / span))
    return ends(Status::interrupted, "interrupted");
  return true;
}

DaeSolution run_series(Dae& dae, const Vector& times, const Vector& x, const DaeOptions& options,
                       const Progress& progress) {
  SeriesStep point(dae, options.used_order());
  begin(point, times[0], x);
  DaeSolution solution;
  solution.differential_index = point.index();
  const Eigen::Index n = times.size();
  solution.x.resize(dae.size(), n);
  solution.xdot.resize(dae.size(), n);
  Eigen::Index done = 0;
  const double shortest = 1e-14 * (times[n - 1] - times[0]);
  for (bool goes = true; goes && done < n;) {
    double h = point.reach(options.tolerance);
    for (; done < n && times[done] <= point.t() + h; ++done) {
      const Matrix Y = point.moved(times[done] - point.t());
      solution.x.col(done) = Y.col(0);
      solution.xdot.col(done) = Y.col(1);
    }
    if (done == n) break;
    std::string fault;
    for (int halved = 0; halved < 10; ++halved, h /= 2)
      if (fault = point.set(point.t() + h, point.moved(h)); fault.empty()) break;
    if (fault.empty() && !(h > shortest)) fault = "the step became too short";
    goes = goes_on(point, times, fault, options, progress, solution);
  }
  solution.t = times.head(done);
  solution.x.conservativeResize(Eigen::NoChange, done);
  solution.xdot.conservativeResize(Eigen::NoChange, done);
  return solution;
}

DaeSolution run_differences(Dae& dae, const Vector& times, const Vector& x,
                            const DaeOptions& options, const Progress& progress) {
  const int order = options.used_order();
  SeriesStep point(dae, order + 1);
  begin(point, times[0], x);
  DaeSolution solution;
  solution.differential_index = point.index();
  const double begin_time = times[0], span = times[times.size() - 1] - begin_time;
  const double wanted = options.step > 0 ? options.step : span / 1000;
  require_end(fmt::format("solve.step: {:.3g} s over {:.6g} s", wanted, span), span / wanted);
  const auto steps = std::max(1, static_cast<int>(std::ceil(span / wanted - 1e-9)));
  const double h = span / steps;
  BdfHistory history = BdfHistory::of_motion(order, h, point.values_before(order + 1, h));
  Vector t(steps + 1);
  Matrix all(2 * dae.size(), steps + 1);
  t[0] = begin_time;
  all.col(0) << point.series().col(0), point.series().col(1);
  int done = 0;
  for (bool goes = true; goes && done < steps;) {
    const double next = begin_time + (done + 1) * h;
    const std::string fault = point.difference(next, history);
    goes = goes_on(point, times, fault, options, progress, solution);
    if (!fault.empty()) break;
    ++done;
    t[done] = next;
    all.col(done) << point.series().col(0), point.series().col(1);
  }
  // Between the steps a polynomial of degree 5.
  const TorqueSignal signal(t.head(done + 1), all.leftCols(done + 1), Hold::smooth);
  const auto reached = std::upper_bound(times.begin(), times.end(), t[done] + 1e-9 * h);
  const auto count = static_cast<Eigen::Index>(reached - times.begin());
  Matrix sampled(all.rows(), count);
  for (Eigen::Index i = 0; i < count; ++i)
    signal.value(times[i], signal.interval(times[i]), sampled.col(i));
  solution.t = times.head(count);
  solution.x = sampled.topRows(dae.size());
  solution.xdot = sampled.bottomRows(dae.size());
  return solution;
}

}  // namespace

DaeSolution solve_dae(Dae& dae, const Vector& times, const Vector& x, const DaeOptions& options,
                      const Progress& progress) {
  options.check();
  if (times.size() < 2) throw InputError("solve: expected two times or more");
  for (Eigen::Index i = 1; i < times.size(); ++i)
    if (!(times[i] > times[i - 1]))
      throw InputError(
          fmt::format("solve: times must increase, got {} after {}", times[i], times[i - 1]));
  if (x.size() != dae.size())
    throw InputError(
        fmt::format("solve: expected {} values at the start, got {}", dae.size(), x.size()));
  const auto run = options.method == DaeMethod::series ? run_series : run_differences;
  const DaeSolution coarse = run(dae, times, x, options, progress);
  if (coarse.status != Status::solved) return coarse;
  DaeOptions finer = options;
  finer.tolerance = std::max(options.tolerance / 100, 1e-16);
  finer.step = (options.step > 0 ? options.step : (times[times.size() - 1] - times[0]) / 1000) / 2;
  DaeSolution fine = run(dae, times, x, finer, progress);
  const auto both = std::min(fine.t.size(), coarse.t.size());
  fine.error = (fine.x.leftCols(both) - coarse.x.leftCols(both)).cwiseAbs().rowwise().maxCoeff();
  return fine;
}

}  // namespace tauflex

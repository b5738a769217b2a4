#include "tauflex/solvers/bounded_horizon.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "tauflex/analysis/diagnosis.hpp"
#include "tauflex/analysis/dichotomy.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/problem/internal_series.hpp"

namespace tauflex {

namespace {

// Real parts of the zeros at one end: rates at which internal motions grow, 1/s. What rounding
// leaves of an undamped motion counts as 0.
std::vector<double> growth_rates(const Matrix& J) {
  std::vector<double> rates;
  for (const std::complex<double>& zero : eigenvalues(J))
    rates.push_back(std::abs(zero.real()) > 1e-6 * std::abs(zero) ? zero.real() : 0);
  return rates;
}

int count_above(const std::vector<double>& rates, double limit) {
  return static_cast<int>(
      std::count_if(rates.begin(), rates.end(), [&](double rate) { return rate > limit; }));
}

// The slowest of those that grow faster than `limit`; 0: none does.
double slowest_above(const std::vector<double>& rates, double limit) {
  double slowest = 0;
  for (const double rate : rates)
    if (rate > limit && (slowest == 0 || rate < slowest)) slowest = rate;
  return slowest;
}

// The limit between slow and fast: over the time `whole` what is slow grows twentyfold, or by a
// little more or less where both ends agree better then, and where no zero lies on the limit. Where
// they agree at a lower limit only, just below one of the zeros, the torques begin as early and are
// solved as long as what grows more slowly asks; where at a higher one only, what is slow grows by
// up to 1e5.
double limit_of_slow(const std::vector<double>& left, const std::vector<double>& right,
                     double whole) {
  const auto is_good = [&](double limit) {
    return count_above(left, 0.9 * limit) == count_above(right, 1.1 * limit) &&
           count_above(left, 1.1 * limit) == count_above(right, 0.9 * limit);
  };
  for (const double exponent : {3.0, 2.4, 3.7, 1.9, 4.6, 1.5, 5.8, 1.0, 0.6, 0.3})
    if (is_good(exponent / whole)) return exponent / whole;
  const double shortest = 0.3 / whole, longest = 0.03 / whole;
  double lower = 0;
  for (const auto* rates : {&left, &right})
    for (const double rate : *rates)
      if (const double limit = rate / 1.2;
          limit > std::max(longest, lower) && limit < 1.2 * shortest && is_good(limit))
        lower = limit;
  if (lower > 0) return lower;
  for (const double exponent : {7.0, 8.5, 10.0, 11.5})
    if (is_good(exponent / whole)) return exponent / whole;
  return 3 / whole;
}

// Tail and end_fading of a horizon whose reported window is known.
void add_tail(const std::vector<double>& rates, double folds, const std::optional<double>& asked,
              BoundedHorizon& horizon) {
  const double grows = slowest_above(rates, horizon.slow);
  if (grows == 0) {
    horizon.end_fading = 0;  // no condition stands at the end
    return;
  }
  double slowest_decay = std::numeric_limits<double>::infinity(), fastest_slow = 0;
  for (const double rate : rates)
    if (rate <= horizon.slow) {
      slowest_decay = std::min(slowest_decay, std::max(0.0, -rate));
      fastest_slow = std::max(fastest_slow, rate);
    }
  // What does not grow has decayed by this much at the reported end.
  const double faded =
      std::isinf(slowest_decay) ? folds : slowest_decay * horizon.reported.hold_after;
  double tail = asked.value_or(std::max(0.0, folds - faded) / grows);
  // What grows slowly and is free at the end must not leave all bounds there.
  if (!asked && fastest_slow > 0) tail = std::min(tail, 3 / fastest_slow);
  horizon.solved.hold_after += tail;
  horizon.end_fading = std::exp(-grows * tail);
}

}  // namespace

BoundedHorizon bounded_horizon(const InverseProblem& problem, const RestState& start,
                               const StableInversionOptions& options) {
  const Window asked = problem.window();
  BoundedHorizon horizon{asked, asked};
  if (!jets_apply(problem, start.q)) return horizon;
  InternalDynamics dynamics(problem);
  dynamics.choose(start.q);
  const QuasiStaticPoint end = quasi_static_points(problem, start).back();
  if (dynamics.freedom() == 0 || end.state.status != Status::solved) return horizon;
  const auto left = growth_rates(jacobian_at_rest(dynamics, problem.begin(), start)),
             right = growth_rates(jacobian_at_rest(dynamics, problem.end(), end.state));
  const double path = problem.path().duration();
  horizon.slow = limit_of_slow(left, right,
                               path + std::max(asked.hold_before, options.pre.value_or(0)) +
                                   std::max(asked.hold_after, options.post.value_or(0)));
  horizon.growing_at_start = count_above(left, horizon.slow);
  horizon.growing_at_end = count_above(right, horizon.slow);
  // Reported until what is left is 1e-10, solved until it is small against the tolerance.
  const double reported_folds = std::log(1e10);
  const double folds = std::max(reported_folds, std::log(100 / options.tolerance));
  const double grows = slowest_above(left, horizon.slow);
  const double early = grows > 0 ? reported_folds / grows : 0, head = grows > 0 ? folds / grows : 0;
  std::vector<double> decay(right);
  for (double& rate : decay) rate = -rate;
  const double settles = slowest_above(decay, 0);
  // Nothing but the rest at the end asks for it: not longer than the path.
  const double late = settles > 0 ? std::min(reported_folds / settles, path) : 0;
  const auto samples = [&](double time) {
    return std::ceil(time / options.step - 1e-9) * options.step;
  };
  horizon.reported = {std::max(asked.hold_before, samples(options.pre.value_or(early))),
                      std::max(asked.hold_after, samples(options.post.value_or(late)))};
  horizon.solved = {std::max(head, horizon.reported.hold_before), horizon.reported.hold_after};
  add_tail(right, folds, options.tail, horizon);
  return horizon;
}

}  // namespace tauflex

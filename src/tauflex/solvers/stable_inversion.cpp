#include "tauflex/solvers/stable_inversion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <set>

#include "tauflex/base/errors.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/solvers/boundary_problem.hpp"

namespace tauflex {

namespace {

constexpr double longest = 0.5;  // s

// Time in which the slowest of the internal motions that grow (or decay) changes by 1e10, at most
// `longest`; 0 when there is none. Marginal motions have all the time there is.
double settling_time(const Matrix& J, bool growing) {
  double slowest = std::numeric_limits<double>::infinity();
  for (const std::complex<double>& rate : eigenvalues(J)) {
    const double grows = growing ? rate.real() : -rate.real();
    if (grows > 1e-6 * std::abs(rate)) slowest = std::min(slowest, grows);
  }
  return std::isinf(slowest) ? 0 : std::min(longest, std::log(1e10) / slowest);
}

}  // namespace

Window stable_inversion_window(const InverseProblem& problem, const RestState& start,
                               const StableInversionOptions& options) {
  const Window asked = problem.window();
  if (!jets_apply(problem, start.q)) return asked;
  InternalDynamics dynamics(problem);
  dynamics.choose(start.q);
  const RestState end = quasi_static_points(problem, start).back().state;
  if (dynamics.freedom() == 0 || end.status != Status::solved) return asked;
  const double before =
      options.pre ? *options.pre
                  : settling_time(jacobian_at_rest(dynamics, problem.begin(), start), true);
  const double after = options.post
                           ? *options.post
                           : settling_time(jacobian_at_rest(dynamics, problem.end(), end), false);
  // on samples, so that the path begins at one
  const auto samples = [&](double time) {
    return std::ceil(time / options.step - 1e-9) * options.step;
  };
  return {std::max(asked.hold_before, samples(before)), std::max(asked.hold_after, samples(after))};
}

std::optional<StepFailure> solve_stably(const InverseProblem& problem, const RestState& start,
                                        const StableInversionOptions& options, const TimeGrid& grid,
                                        const Progress& progress, Solution& solution) {
  auto answer = std::make_shared<JetMotion>(problem, start, options.tolerance);
  auto before = std::make_shared<JetMotion>(problem, start, options.tolerance);
  InternalDynamics& dynamics = answer->dynamics();
  require_jets(problem, start);
  const int p = dynamics.freedom();
  if (p == 0)
    throw ProblemError(problem.task().where +
                       ": outputs and constraints determine every joint; use jets");
  const double begin = problem.begin(), end = problem.end();
  const std::vector<QuasiStaticPoint> poses = quasi_static_points(problem, start, 33);
  if (poses.back().state.status != Status::solved) {
    StepFailure no = failure_at(poses.back().t, "", grid);
    no.reason = "the robot cannot rest on its path: " + poses.back().state.message;
    return no;
  }
  const double marginal = 3 / (end - begin);
  const Dichotomy left = dichotomy(dynamics, begin, start, marginal);
  const Dichotomy right = dichotomy(dynamics, end, poses.back().state, marginal);
  if (left.unstable.rows() != right.unstable.rows())
    return StepFailure{
        1, "", 0,
        fmt::format("{} internal motions grow at the start and {} at the end: there is "
                    "no bounded solution for every path between them",
                    left.unstable.rows(), right.unstable.rows())};
  BoundaryProblem boundary(dynamics, left, right, poses);
  // The first mesh: between corners, as fine as the fastest motion at rest asks for.
  std::vector<double> mesh = {begin};
  const std::set<double> corners = corner_times(problem);
  const double fastest = std::max(left.J.bottomRows(p).cwiseAbs().rowwise().sum().maxCoeff(), 1.0);
  const double wanted = options.points > 0
                            ? options.points / 4.0
                            : std::clamp(std::sqrt(fastest) * (end - begin), 16.0, 400.0);
  for (auto to = std::next(corners.begin()); to != corners.end(); ++to) {
    const double from = mesh.back();
    const int count =
        std::max(2, static_cast<int>(std::lround(wanted * (*to - from) / (end - begin))));
    for (int i = 1; i <= count; ++i)
      mesh.push_back(i == count ? *to : from + (*to - from) * i / count);
  }
  Instant now, other;
  constexpr int probes = 48;
  double peak = 0, difference = 0, last = 0;
  bool found = false;
  int refined = 0;
  for (; refined < 12 && !found; ++refined) {
    if (progress && !progress(0)) {
      solution.status = Status::interrupted;
      return std::nullopt;
    }
    boundary.set_mesh(mesh);
    if (!(boundary.converge() || (refined == 0 && boundary.converge_from_slow()))) {
      StepFailure no = failure_at(boundary.failed_at(), boundary.worst_equation(), grid);
      no.reason = fmt::format(
          "Newton's method for the bounded solution does not converge on {} steps, also when it is "
          "led there from a slow motion; a slower path is easier",
          mesh.size() - 1);
      return no;
    }
    std::swap(answer, before);
    // the mesh has the corners among its nodes
    answer->clear();
    const Matrix& y = boundary.nodes();
    const auto left_series = [&](size_t i) {
      return answer->begin_segment(mesh[i], y.col(i).head(p), y.col(i).tail(p));
    };
    bool stored = left_series(0);
    for (size_t i = 1; stored && i < mesh.size(); ++i) {
      const auto column = y.col(i);
      stored = answer->append(mesh[i - 1], mesh[i], column.head(p), column.tail(p));
      if (stored && corners.contains(mesh[i]))
        stored = answer->finish() && (i + 1 == mesh.size() || left_series(i));
    }
    if (!stored) return failure_at(answer->failed_at(), answer->worst_equation(), grid);
    // torques against those of the mesh before
    if (refined > 0) {
      peak = difference = 0;
      for (int k = 0; k <= probes; ++k) {
        const double t = begin + (end - begin) * (k + 0.37) / (probes + 1);
        if (!answer->at(t, now) || !before->at(t, other))
          return failure_at(answer->failed_at(), answer->worst_equation(), grid);
        peak = std::max(peak, now.u.cwiseAbs().maxCoeff());
        difference = std::max(difference, (now.u - other.u).cwiseAbs().maxCoeff());
      }
      // small enough, or rounding where it no longer falls
      found = difference <= options.tolerance * peak ||
              (last > 0 && difference > 0.5 * last && difference < 1e-8 * peak);
      last = difference;
    }
    if (found) break;
    // halve where the defect is large, everywhere the first time
    const Vector defect = boundary.defects(*answer);
    const double limit = std::max(1e-2 * defect.maxCoeff(), 1e-13);
    std::vector<double> finer = {mesh[0]};
    for (size_t i = 0; i + 1 < mesh.size(); ++i) {
      if (refined == 0 || defect[i] > limit) finer.push_back((mesh[i] + mesh[i + 1]) / 2);
      finer.push_back(mesh[i + 1]);
    }
    mesh = std::move(finer);
    if (mesh.size() > 20000) break;
  }
  if (!found) {
    StepFailure no = failure_at(answer->failed_at(), answer->worst_equation(), grid);
    no.reason = fmt::format("the torques still change by {:.1e} of their peak at {} steps",
                            difference / std::max(peak, 1e-300), mesh.size() - 1);
    return no;
  }
  solution.torque_error_estimate =
      std::max(difference, std::numeric_limits<double>::epsilon() * peak);
  solution.integrator_steps = answer->steps();
  solution.newton_iterations = boundary.evaluations();
  solution.dense = answer;
  if (auto no = sample(*answer, grid, progress, solution)) return no;
  // The robot starts at rest: what should move already is left out, and said.
  const Vector missing = solution.q.col(0) - start.q;
  solution.start_offset =
      std::max(missing.cwiseAbs().maxCoeff(),
               solution.v.col(0).cwiseAbs().maxCoeff() / std::max(1.0, std::sqrt(fastest)));
  solution.q.col(0) = start.q;
  solution.v.col(0).setZero();
  return std::nullopt;
}

}  // namespace tauflex

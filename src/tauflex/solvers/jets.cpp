#include "tauflex/solvers/jets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include "tauflex/base/errors.hpp"
#include "tauflex/math/lu.hpp"
#include "tauflex/math/newton.hpp"
#include "tauflex/problem/internal_jacobian.hpp"
#include "tauflex/solvers/collocation.hpp"

namespace tauflex {

namespace {

constexpr int stages = 5;

// Steps of s'' = f(t, s, s') by Radau collocation.
class InternalSteps {
 public:
  explicit InternalSteps(JetMotion& motion)
      : motion_(motion),
        dynamics_(motion.dynamics()),
        jacobian_(dynamics_),
        p_(dynamics_.freedom()),
        node_(dynamics_.motion()),
        stage_(stages, node_),
        Y_(2 * p_, stages),
        F_(2 * p_, stages),
        R_(2 * p_, stages),
        J_(Matrix::Zero(2 * p_, 2 * p_)),
        N_(2 * p_ * stages, 2 * p_ * stages),
        y0_(2 * p_),
        correction_(2 * p_ * stages),
        enough_(std::clamp(1e-3 * motion.tolerance(), 1e-16, 4e-12)) {
    J_.topRightCorner(p_, p_).setIdentity();
    node_.q = motion.start_q();
  }

  bool step(double t, double h, Vector& s, Vector& rate);
  // Largest rate at which the internal state changes, 1/s, a bound.
  double fastest(double t, const Vector& s, const Vector& rate) {
    if (p_ == 0 || !dynamics_.solve(t, s, rate, node_)) return 0;
    jacobian_.approximate(node_, J_.bottomRows(p_));
    const auto norm = [](const auto& M) { return M.cwiseAbs().rowwise().sum().maxCoeff(); };
    return std::sqrt(norm(J_.bottomLeftCorner(p_, p_))) + norm(J_.bottomRightCorner(p_, p_));
  }
  long evaluations() const { return evaluations_; }

 private:
  bool evaluate(double t, double h);

  JetMotion& motion_;
  InternalDynamics& dynamics_;
  InternalJacobian jacobian_;
  int p_;
  InternalMotion node_;
  std::vector<InternalMotion> stage_;
  Matrix Y_, F_, R_, J_, N_;
  Lu lu_;
  Vector y0_, correction_;
  double enough_;
  double known_at_ = std::numeric_limits<double>::quiet_NaN();  // where J_ belongs to
  long evaluations_ = 0;
};

bool InternalSteps::evaluate(double t, double h) {
  const Collocation& method = radau5();
  for (int i = 0; i < stages; ++i) {
    auto& m = stage_[i];
    if (!dynamics_.solve(t + method.c[i] * h, Y_.col(i).head(p_), Y_.col(i).tail(p_), m))
      return false;
    F_.col(i).head(p_) = Y_.col(i).tail(p_);
    for (int k = 0; k < p_; ++k) F_(p_ + k, i) = m.a[dynamics_.free_joints()[k]];
    ++evaluations_;
  }
  return true;
}

bool InternalSteps::step(double t, double h, Vector& s, Vector& rate) {
  if (p_ == 0) return true;
  const int n = 2 * p_;
  const Collocation& method = radau5();
  y0_ << s, rate;
  if (!(std::abs(t - known_at_) <= 1e-9 * h)) {  // else from the last stage of the step before
    if (!dynamics_.solve(t, s, rate, node_)) return false;
    jacobian_.approximate(node_, J_.bottomRows(p_));
  }
  N_.setIdentity();
  for (int i = 0; i < stages; ++i)
    for (int j = 0; j < stages; ++j) N_.block(i * n, j * n, n, n) -= h * method.A(i, j) * J_;
  lu_.compute(N_);
  const int joints = motion_.problem().robot().tree_nv();
  for (int i = 0; i < stages; ++i) {
    auto& m = stage_[i];
    m.q = node_.q;
    m.lambda = node_.lambda;
    motion_.predict(t + method.c[i] * h, m.q.head(joints), m.v.head(joints));
    for (int k = 0; k < p_; ++k) {
      Y_(k, i) = m.q[dynamics_.free_joints()[k]];
      Y_(p_ + k, i) = m.v[dynamics_.free_joints()[k]];
    }
  }
  const auto correct = [&](const NewtonState&) {
    if (!evaluate(t, h)) return std::numeric_limits<double>::quiet_NaN();
    R_.noalias() = -h * F_ * method.A.transpose();
    R_ += Y_;
    R_.colwise() -= y0_;
    lu_.solve(R_.reshaped(), correction_);
    const auto change = correction_.reshaped(n, stages);
    Y_ -= change;
    // positions and velocities, each relative to its size
    const auto relative = [&](const auto& part, const auto& whole) {
      return part.cwiseAbs().maxCoeff() / (1 + whole.cwiseAbs().maxCoeff());
    };
    return std::max(relative(change.topRows(p_), Y_.topRows(p_)),
                    relative(change.bottomRows(p_), Y_.bottomRows(p_)));
  };
  const NewtonCriteria criteria{.tolerance = enough_,
                                .max_iterations = 30,
                                .jacobian = NewtonJacobian::kept,
                                .rounding = 1e-13};
  if (!newton(criteria, correct).converged) return false;
  s = Y_.col(stages - 1).head(p_);
  rate = Y_.col(stages - 1).tail(p_);
  node_ = stage_.back();
  jacobian_.approximate(node_, J_.bottomRows(p_));
  known_at_ = t + h;
  return true;
}

Vector start_state(JetMotion& motion) { return motion.start_q()(motion.dynamics().free_joints()); }

// Steps that are likely enough for a tolerance.
int first_steps(JetMotion& motion, double tolerance) {
  const InverseProblem& problem = motion.problem();
  if (motion.is_closed_form()) return 256;
  const Vector s = start_state(motion);
  const double rate = InternalSteps(motion).fastest(problem.begin(), s, Vector::Zero(s.size()));
  const double steps =
      2.5 * rate * (problem.end() - problem.begin()) * std::pow(1e-9 / tolerance, 1.0 / 9);
  return static_cast<int>(std::clamp(std::ceil(steps), 8.0, 64.0));
}

}  // namespace

bool integrate(JetMotion& motion, int steps, long& iterations, bool fewer) {
  motion.clear();
  const InverseProblem& problem = motion.problem();
  const double begin = problem.begin(), whole = problem.end() - begin;
  if (motion.is_closed_form()) {  // poses to start Newton from, each found from the one before
    for (int i = 0; i < steps; ++i)
      if (!motion.append_pose(begin + i * whole / steps, whole / steps)) return false;
    return true;
  }
  const std::set<double> times = corner_times(problem);
  InternalSteps internal(motion);
  Vector s = start_state(motion), rate = Vector::Zero(s.size());
  double from = begin;
  for (auto to = std::next(times.begin()); to != times.end(); from = *to++) {
    const int full = std::max(5, static_cast<int>(std::ceil(steps * (*to - from) / whole - 1e-9)));
    const int count = fewer ? full - (full + 4) / 5 : full;
    // What a corner sets ringing is fast at first: the first step is taken in three.
    constexpr double first[] = {0, 0.2, 0.5};
    const auto node = [&](int i) {
      const double x = i < 3 ? first[i] : i - 2;
      return i == count + 2 ? *to : from + x * ((*to - from) / count);
    };
    if (!motion.begin_segment(from, s, rate)) return false;
    for (int i = 0; i < count + 2; ++i)
      if (!internal.step(node(i), node(i + 1) - node(i), s, rate) ||
          !motion.append(node(i), node(i + 1), s, rate))
        return false;
    if (!motion.finish()) return false;
  }
  iterations += internal.evaluations();
  return true;
}

void require_jets(const InverseProblem& problem, const RestState& start) {
  const std::string& where = problem.task().where;
  InternalDynamics dynamics(problem);
  if (problem.is_redundant())
    throw ProblemError(where + ": more drives than outputs: the least torque is found by bdf");
  if (problem.robot().nq() != problem.robot().nv())
    throw ProblemError(where +
                       ": the method of jets has no spherical or floating joints yet; use bdf");
  if (!dynamics.is_regular(start.q))
    throw ProblemError(where +
                       ": the joints without a drive do not follow from the path by their "
                       "accelerations; use decoupled, which differentiates as often as it takes");
}

StepFailure failure_at(double t, const std::string& equation, const TimeGrid& grid) {
  const int i = std::clamp(static_cast<int>((t - grid.begin) / grid.step()), 1, grid.steps);
  return {i, equation, 0};
}

std::optional<StepFailure> sample(JetMotion& motion, const TimeGrid& grid, const Progress& progress,
                                  Solution& solution) {
  const auto take = [&](int, double t, Instant& now) -> std::optional<StepFailure> {
    if (motion.at(t, now)) return std::nullopt;
    return failure_at(motion.failed_at(), motion.worst_equation(), grid);
  };
  return take_steps(grid, 0, progress, take, solution);
}

std::optional<StepFailure> solve_by_jets(const InverseProblem& problem, const RestState& start,
                                         const JetOptions& options, const TimeGrid& grid,
                                         const Progress& progress, Solution& solution) {
  require_jets(problem, start);
  // The answer, and a run with a fifth fewer steps: of order 9, its error is 7.5 times as large, so
  // that a fifth of the difference is an error of the answer, and is so within a factor of 5
  // whatever the order.
  const auto answer = std::make_shared<JetMotion>(problem, start, options.tolerance);
  JetMotion check(problem, start, options.tolerance);
  Instant now, other;
  // Where to look: seldom where a step ends, the most accurate place, and behind every corner.
  std::vector<double> probes;
  const std::set<double> corners = corner_times(problem);
  const auto place_probes = [&](int steps) {
    const double whole = problem.end() - problem.begin();
    const int even = std::max(20, 2 * steps / 3);
    probes.clear();
    for (int k = 0; k <= even; ++k)
      probes.push_back(problem.begin() + whole * (k + 0.37) / (even + 1));
    if (corners.size() < 20)
      for (const double corner : corners)
        for (const double x : {0.06, 0.2, 0.7})
          if (corner < problem.end()) probes.push_back(corner + x * whole / 64);
  };
  double peak = 0, difference = 0, before = 0;
  JetMotion* failed = answer.get();
  // Torques at a few times tell whether the steps are short enough.
  constexpr double share = 0.2;
  const auto compare = [&] {
    peak = difference = 0;
    place_probes(answer->steps());
    for (const double t : probes) {
      failed = answer.get();
      if (!answer->at(t, now)) return false;
      failed = &check;
      if (!check.at(t, other)) return false;
      if (now.u.size() == 0) continue;
      peak = std::max(peak, now.u.cwiseAbs().maxCoeff());
      difference = std::max(difference, (now.u - other.u).cwiseAbs().maxCoeff());
    }
    difference *= share;
    return true;
  };
  long iterations = 0;
  const auto run = [&](JetMotion& motion, int steps, bool fewer) {
    failed = &motion;
    return integrate(motion, steps, iterations, fewer);
  };
  bool found = false;
  int count = std::min(options.most_steps, options.first_steps > 0
                                               ? options.first_steps
                                               : first_steps(*answer, options.tolerance));
  int last_count = count;
  for (; count <= options.most_steps;) {
    last_count = count;
    const bool integrated =
        run(*answer, count, false) && (answer->is_closed_form() || run(check, count, true));
    if (progress && !progress(0)) {
      solution.status = Status::interrupted;
      return std::nullopt;
    }
    if (integrated && answer->is_closed_form()) {
      found = true;
      break;
    }
    before = difference;
    if (!integrated || !compare()) {
      difference = 0;
      count *= 2;
      continue;
    }
    // order 9; rounding where it no longer falls
    if (difference <= options.tolerance * peak ||
        (before > 0 && difference > 0.5 * before && difference < 1e-6 * peak)) {
      found = true;
      break;
    }
    count = static_cast<int>(std::ceil(
        count *
        std::clamp(1.1 * std::pow(difference / (options.tolerance * peak), 1.0 / 9), 1.3, 8.0)));
  }
  if (!found) {
    StepFailure no = failure_at(failed->failed_at(), failed->worst_equation(), grid);
    if (difference > 0)
      no.reason = fmt::format(
          "the torques still change by {:.1e} of their peak at {} steps; the internal dynamics are "
          "too fast or not stable",
          difference / std::max(peak, 1e-300), last_count);
    return no;
  }
  // Rounding is seen by going to the same motion from another guess.
  failed = answer.get();
  double error = difference;
  if (probes.empty()) place_probes(0);
  for (size_t k = 0; k < probes.size(); k += 8)
    if (answer->at(probes[k], now) && answer->at(probes[k], other, 1e-5) && now.u.size() > 0) {
      peak = std::max(peak, now.u.cwiseAbs().maxCoeff());
      error = std::max(error, (now.u - other.u).cwiseAbs().maxCoeff());
    }
  solution.torque_error_estimate = std::max(error, std::numeric_limits<double>::epsilon() * peak);
  solution.integrator_steps = answer->steps();
  if (const auto no = sample(*answer, grid, progress, solution)) return no;
  solution.newton_iterations = iterations;
  solution.dense = answer;
  return std::nullopt;
}

}  // namespace tauflex

#include "tauflex/solvers/step_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauflex/base/errors.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/plant/torque_signal.hpp"
#include "tauflex/solvers/method_choice.hpp"
#include "tauflex/solvers/step_stability.hpp"
#include "tauflex/solvers/torque_noise.hpp"

namespace tauflex {

namespace {

// The same method, finer and coarser than it was.
struct Companions {
  Method finer, coarser;
};
std::optional<Companions> companions(const Method& method, double step) {
  const auto with_steps = [step](auto options) {
    Companions both{options, options};
    options.step = step / 2;
    both.finer = options;
    options.step = 2 * step;
    both.coarser = options;
    return both;
  };
  if (const auto* bdf = std::get_if<BdfOptions>(&method)) return with_steps(*bdf);
  if (const auto* array = std::get_if<ArrayOptions>(&method)) return with_steps(*array);
  if (const auto* parallel = std::get_if<ParallelOptions>(&method)) return with_steps(*parallel);
  if (const auto* variable = std::get_if<VariableStepOptions>(&method)) {
    VariableStepOptions finer = *variable, coarser = *variable;
    finer.tolerance /= 100;
    coarser.tolerance = std::min(100 * coarser.tolerance, 0.1);
    return Companions{finer, coarser};
  }
  return std::nullopt;
}

// Row by row the largest |a - b| at the times of the fewer samples, which are times of the more.
Vector largest_differences(const Vector& t_a, const Matrix& a, const Vector& t_b, const Matrix& b) {
  if (t_a.size() > t_b.size()) return largest_differences(t_b, b, t_a, a);
  const TorqueSignal curve(t_b, b, Hold::smooth);
  Vector value(b.rows()), largest = Vector::Zero(b.rows());
  for (Eigen::Index i = 0; i < t_a.size(); ++i) {
    curve.value(t_a[i], curve.interval(t_a[i]), value);
    largest = largest.cwiseMax((a.col(i) - value).cwiseAbs());
  }
  return largest;
}

struct Differences {
  Vector u, q;
  // Of the other run's torques.
  Vector noise;
};

class SecondRun {
 public:
  SecondRun(const InverseProblem& problem, const RestState& start, Solution& solution,
            const Progress& progress)
      : problem_(problem), start_(start), solution_(solution), progress_(progress) {}

  // Between the solution and a run of this method; none when that fails.
  std::optional<Differences> differences(const Method& method) const {
    try {
      const Solution other = solve(problem_, start_, method, progress_);
      if (other.status == Status::interrupted) {
        solution_.status = other.status;
        solution_.message = other.message;
      }
      if (other.status != Status::solved || !other.u.allFinite()) return std::nullopt;
      Vector noise(other.u.rows());
      for (Eigen::Index d = 0; d < noise.size(); ++d)
        noise[d] = torque_noise(other.u.row(d).transpose());
      return Differences{largest_differences(solution_.t, solution_.u, other.t, other.u),
                         largest_differences(solution_.t, solution_.q, other.t, other.q), noise};
    } catch (const Error&) {  // too few steps for the method, or too many for the memory
      return std::nullopt;
    }
  }

 private:
  const InverseProblem& problem_;
  const RestState& start_;
  Solution& solution_;
  const Progress& progress_;
};

// The largest error of a torque, relative to what it is compared with.
double largest_share(const InverseProblem& problem, const Solution& solution) {
  constexpr double negligible = 1e-6;  // rad or m
  if (solution.status != Status::solved) return std::numeric_limits<double>::infinity();
  if (solution.u.rows() == 0) return 0;
  return solution.torque_errors.cwiseQuotient(torque_sizes(problem.robot(), solution, negligible))
      .maxCoeff();
}

// An error of order h is twice what half a step changes, one of a higher order less than that.
// Rounding grows as the step shrinks: where it is most of what half a step changes, a run with
// twice the step, which has less of it, is the better measure; also where half a step fails.
void state_errors(const InverseProblem& problem, const RestState& start, const Method& method,
                  const Progress& progress, Solution& solution) {
  const auto [finer, coarser] = *companions(method, solution.step);
  const SecondRun run(problem, start, solution, progress);
  const auto half = run.differences(finer);
  constexpr double most_of_it = 0.1;  // the largest of many samples is several times their noise
  const double none = std::numeric_limits<double>::infinity();
  const Vector rounding = half ? Vector(half->noise - most_of_it * half->u) : Vector();
  solution.torque_errors = half ? Vector(2 * half->u) : Vector::Constant(solution.u.rows(), none);
  solution.motion_errors = half ? Vector(2 * half->q) : Vector::Constant(solution.q.rows(), none);
  if (solution.status != Status::solved || (half && !(rounding.array() > 0).any())) return;
  const auto twice = run.differences(coarser);
  if (!twice) return;
  for (Eigen::Index d = 0; d < solution.u.rows(); ++d)
    if (!half || rounding[d] > 0)
      solution.torque_errors[d] = std::min(solution.torque_errors[d], twice->u[d]);
  if (!half) solution.motion_errors = twice->q;
}

}  // namespace

Vector torque_sizes(const Robot& robot, const Solution& solution, double negligible) {
  const double window = solution.t[solution.t.size() - 1] - solution.t[0];
  MechanicsData data(robot);
  mass_matrix(robot, data, solution.q.col(0));
  Vector sizes = solution.u.cwiseAbs().rowwise().maxCoeff();
  for (int d = 0; d < robot.actuation().count(); ++d) {
    const DriveLayout& drive = robot.actuation().drives[d];
    const double rotor = drive.free_rotor_inertia();
    const double inertia = rotor > 0 ? rotor : data.M(drive.joint_v, drive.joint_v);
    sizes[d] =
        std::max(sizes[d], inertia * negligible / (std::abs(drive.lever()) * window * window));
  }
  return sizes;
}

Solution solve_with_error(const InverseProblem& problem, const RestState& start,
                          const Method& method, const Progress& progress) {
  if (!companions(method, 1)) return solve(problem, start, method, progress);
  const Progress first = [&](double done) { return !progress || progress(done / 3); },
                 second = [&](double done) { return !progress || progress((1 + 2 * done) / 3); };
  Solution solution = solve(problem, start, method, first);
  if (solution.status == Status::solved && solution.torque_errors.size() == 0)
    state_errors(problem, start, method, second, solution);
  return solution;
}

namespace {

// Candidates of a search, the best of them kept.
class BestStep {
 public:
  BestStep(const InverseProblem& problem, const RestState& start, const Diagnosis& diagnosis,
           const Progress& progress)
      : problem_(problem), start_(start), diagnosis_(diagnosis), progress_(progress) {}

  // Whether it is better than all before it.
  bool improves(const Method& method) {
    if (best_ && (inapplicable_because(problem_, start_, method) ||
                  unstable_formula(problem_, start_, diagnosis_, method)))
      return false;
    Solution solution = solve_with_error(problem_, start_, method, progress_);
    const double share = largest_share(problem_, solution);
    const bool interrupted = solution.status == Status::interrupted;
    if (best_ && !interrupted && !(share < share_)) return false;
    best_ = {method, std::move(solution)};
    share_ = share;
    return true;
  }

  bool is_good() const {
    constexpr double good = 1e-4;  // share of a peak
    return share_ < good || best_->solution.status == Status::interrupted;
  }
  bool is_known() const { return share_ <= largest_known_share || is_good(); }
  ChosenSteps& best() { return *best_; }

 private:
  const InverseProblem& problem_;
  const RestState& start_;
  const Diagnosis& diagnosis_;
  const Progress& progress_;
  std::optional<ChosenSteps> best_;
  double share_ = 0;
};

}  // namespace

ChosenSteps solve_with_best_step(const InverseProblem& problem, const RestState& start,
                                 const Diagnosis& diagnosis, const BdfOptions& first,
                                 const Progress& progress) {
  BestStep search(problem, start, diagnosis, progress);
  BdfOptions best = first;
  search.improves(first);
  // In the direction in which the error falls, smaller steps first.
  for (const double factor : {0.5, 2.0}) {
    BdfOptions options = first;
    bool any = false;
    for (int k = 0; k < 3 && !search.is_good(); ++k) {
      options.step *= factor;
      if (!search.improves(options)) break;
      best = options;
      any = true;
    }
    if (any) break;
  }
  for (const int order : {first.order - 1, first.order + 1}) {
    if (search.is_good()) break;
    BdfOptions options = best;
    options.order = std::clamp(order, 1, highest_bdf_order);
    search.improves(options);
  }
  if (search.is_known() || !diagnosis.index.available || problem.is_redundant())
    return std::move(search.best());
  // Of order 2: what is left is a torque that all but jumps, and higher orders swing there.
  ArrayOptions array{.closure = ArrayClosure::decoupled, .order = 2, .step = first.step};
  for (int k = 0; k < 3 && !search.is_known(); ++k, array.step /= 2) search.improves(array);
  return std::move(search.best());
}

}  // namespace tauflex

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

namespace {

// The bounded solution on finer and finer meshes, until the torques no longer change.
class BoundedSearch {
 public:
  BoundedSearch(const InverseProblem& problem, const RestState& start,
                const StableInversionOptions& options, const TimeGrid& grid)
      : problem_(problem),
        options_(options),
        grid_(grid),
        corners_(corner_times(problem)),
        answer_(std::make_shared<JetMotion>(problem, start, options.tolerance)),
        before_(std::make_shared<JetMotion>(problem, start, options.tolerance)) {}

  // Internal dynamics of its own motion, which the boundary problem is about.
  InternalDynamics& dynamics() { return answer_->dynamics(); }

  // Finds the motion. Failed: see the reason; interrupted: neither found nor failed.
  std::optional<StepFailure> search(BoundaryProblem& boundary, double fastest,
                                    const Progress& progress) {
    p_ = boundary.freedom();
    mesh_ = first_mesh(fastest);
    for (int refined = 0; refined < 12; ++refined) {
      if (progress && !progress(0)) return std::nullopt;
      boundary.set_mesh(mesh_);
      if (!(boundary.converge() || (refined == 0 && boundary.converge_from_slow())))
        return no_convergence(boundary);
      std::swap(answer_, before_);
      if (!store(boundary.nodes())) return failure();
      if (refined > 0 && !compare()) return failure();
      if (refined > 0 && is_small_enough()) {
        found_ = true;
        return std::nullopt;
      }
      last_ = difference_;
      refine(boundary.defects(*answer_), refined == 0);
      if (mesh_.size() > 20000) break;
    }
    StepFailure no = failure();
    no.reason = fmt::format("the torques still change by {:.1e} of their peak at {} steps",
                            difference_ / std::max(peak_, 1e-300), mesh_.size() - 1);
    return no;
  }

  bool found() const { return found_; }
  const std::shared_ptr<JetMotion>& answer() const { return answer_; }
  // Of the torques of each drive.
  Vector errors() const {
    return differences_.cwiseMax(std::numeric_limits<double>::epsilon() * peaks_);
  }

 private:
  StepFailure failure() const {
    return failure_at(answer_->failed_at(), answer_->worst_equation(), grid_);
  }

  StepFailure no_convergence(const BoundaryProblem& boundary) const {
    StepFailure no = failure_at(boundary.failed_at(), boundary.worst_equation(), grid_);
    no.reason = fmt::format(
        "Newton's method for the bounded solution does not converge on {} steps, also when it is "
        "led there from a slow motion; a slower path is easier",
        mesh_.size() - 1);
    return no;
  }

  // Between corners, as fine as the fastest motion at rest asks for.
  std::vector<double> first_mesh(double fastest) const {
    const double begin = problem_.begin(), end = problem_.end();
    const double wanted = options_.points > 0
                              ? options_.points / 4.0
                              : std::clamp(std::sqrt(fastest) * (end - begin), 16.0, 400.0);
    std::vector<double> mesh = {begin};
    for (auto to = std::next(corners_.begin()); to != corners_.end(); ++to) {
      const double from = mesh.back();
      const int count =
          std::max(2, static_cast<int>(std::lround(wanted * (*to - from) / (end - begin))));
      for (int i = 1; i <= count; ++i)
        mesh.push_back(i == count ? *to : from + (*to - from) * i / count);
    }
    return mesh;
  }

  // Nodes become a motion; the mesh has the corners among its nodes.
  bool store(const Matrix& y) {
    answer_->clear();
    const auto begin_segment = [&](Eigen::Index i) {
      return answer_->begin_segment(mesh_[i], y.col(i).head(p_), y.col(i).tail(p_));
    };
    const Eigen::Index last = std::ssize(mesh_) - 1;
    bool stored = begin_segment(0);
    for (Eigen::Index i = 1; stored && i <= last; ++i) {
      stored = answer_->append(mesh_[i - 1], mesh_[i], y.col(i).head(p_), y.col(i).tail(p_));
      if (stored && corners_.contains(mesh_[i]))
        stored = answer_->finish() && (i == last || begin_segment(i));
    }
    return stored;
  }

  // Torques against those of the mesh before.
  bool compare() {
    constexpr int probes = 48;
    const double begin = problem_.begin(), end = problem_.end();
    const auto drives = problem_.robot().actuation().count();
    peaks_ = differences_ = Vector::Zero(drives);
    for (int k = 0; k <= probes; ++k) {
      const double t = begin + (end - begin) * (k + 0.37) / (probes + 1);
      if (!answer_->at(t, now_) || !before_->at(t, other_)) return false;
      peaks_ = peaks_.cwiseMax(now_.u.cwiseAbs());
      differences_ = differences_.cwiseMax((now_.u - other_.u).cwiseAbs());
    }
    peak_ = peaks_.maxCoeff();
    difference_ = differences_.maxCoeff();
    return true;
  }

  // Or rounding, where it no longer falls.
  bool is_small_enough() const {
    return difference_ <= options_.tolerance * peak_ ||
           (last_ > 0 && difference_ > 0.5 * last_ && difference_ < 1e-8 * peak_);
  }

  // Halves steps where the defect is large.
  void refine(const Vector& defect, bool everywhere) {
    const double limit = std::max(1e-2 * defect.maxCoeff(), 1e-13);
    std::vector<double> finer = {mesh_[0]};
    for (Eigen::Index i = 0; i + 1 < std::ssize(mesh_); ++i) {
      if (everywhere || defect[i] > limit) finer.push_back((mesh_[i] + mesh_[i + 1]) / 2);
      finer.push_back(mesh_[i + 1]);
    }
    mesh_ = std::move(finer);
  }

  const InverseProblem& problem_;
  const StableInversionOptions& options_;
  const TimeGrid& grid_;
  std::set<double> corners_;
  std::shared_ptr<JetMotion> answer_, before_;
  std::vector<double> mesh_;
  Instant now_, other_;
  int p_ = 0;
  // Of each drive, and the largest.
  Vector peaks_, differences_;
  double peak_ = 0, difference_ = 0, last_ = 0;
  bool found_ = false;
};

}  // namespace

std::optional<StepFailure> solve_stably(const InverseProblem& problem, const RestState& start,
                                        const StableInversionOptions& options, const TimeGrid& grid,
                                        const Progress& progress, Solution& solution) {
  require_jets(problem, start);
  BoundedSearch search(problem, start, options, grid);
  InternalDynamics& dynamics = search.dynamics();
  const int p = dynamics.freedom();
  if (p == 0)
    throw ProblemError(problem.task().where +
                       ": outputs and constraints determine every joint; use jets");
  const std::vector<QuasiStaticPoint> poses = quasi_static_points(problem, start, 33);
  if (poses.back().state.status != Status::solved) {
    StepFailure no = failure_at(poses.back().t, "", grid);
    no.reason = "the robot cannot rest on its path: " + poses.back().state.message;
    return no;
  }
  const double marginal = 3 / (problem.end() - problem.begin());
  const Dichotomy left = dichotomy(dynamics, problem.begin(), start, marginal);
  const Dichotomy right = dichotomy(dynamics, problem.end(), poses.back().state, marginal);
  if (left.unstable.rows() != right.unstable.rows())
    return StepFailure{
        1, "", 0,
        fmt::format("{} internal motions grow at the start and {} at the end: there is no bounded "
                    "solution for every path between them",
                    left.unstable.rows(), right.unstable.rows())};
  const double fastest = std::max(left.J.bottomRows(p).cwiseAbs().rowwise().sum().maxCoeff(), 1.0);
  BoundaryProblem boundary(dynamics, left, right, poses);
  if (auto no = search.search(boundary, fastest, progress)) return no;
  if (!search.found()) {
    solution.status = Status::interrupted;
    return std::nullopt;
  }
  solution.torque_errors = search.errors();
  solution.integrator_steps = search.answer()->steps();
  solution.newton_iterations = boundary.evaluations();
  solution.dense = search.answer();
  if (auto no = sample(*search.answer(), grid, progress, solution)) return no;
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

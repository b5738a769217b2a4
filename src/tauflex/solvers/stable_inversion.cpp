#include "tauflex/solvers/stable_inversion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <utility>

#include "tauflex/base/errors.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/solvers/boundary_problem.hpp"

namespace tauflex {

namespace {

// Of the time, until the motion is found; what is left takes samples of it.
constexpr double mesh_share = 0.9;

// The bounded solution on finer and finer meshes, until the torques no longer change.
class BoundedSearch {
 public:
  // `problem`: with head and tail; `grid`: what is reported.
  BoundedSearch(const InverseProblem& problem, const RestState& start,
                const StableInversionOptions& options, const TimeGrid& grid)
      : problem_(problem),
        options_(options),
        grid_(grid),
        corners_(corner_times(problem)),
        answer_(std::make_shared<JetMotion>(problem, start, options.tolerance)),
        before_(std::make_shared<JetMotion>(problem, start, options.tolerance)) {
    // Matrices of a pose nearby would make steps in the accelerations that meshes are refined for.
    for (const auto& motion : {answer_, before_})
      motion->dynamics().set_accuracy(std::numeric_limits<double>::epsilon());
  }

  // Internal dynamics of its own motion, which the boundary problem is about.
  InternalDynamics& dynamics() { return answer_->dynamics(); }

  // Rate of the fastest internal motion, 1/s.
  void set_fastest(double rate) {
    for (const auto& motion : {answer_, before_}) motion->set_fastest(rate);
  }

  // Finds the motion. Failed: see the reason; interrupted: neither found nor failed.
  std::optional<StepFailure> search(BoundaryProblem& boundary, double fastest,
                                    const Progress& progress) {
    p_ = boundary.freedom();
    mesh_ = first_mesh(fastest);
    for (int refined = 0; refined < 12; ++refined) {
      // nobody knows how many meshes it takes; each costs as much as those before it together
      const double begin = mesh_share * (1 - std::pow(0.5, refined)),
                   end = mesh_share * (1 - std::pow(0.5, refined + 1));
      bool stopped = false;
      boundary.on_iteration([&](int iteration) {
        stopped =
            stopped || (progress && !progress(end - (end - begin) * std::pow(0.7, iteration)));
        return !stopped;
      });
      boundary.set_mesh(mesh_);
      const bool converged =
          boundary.converge() || (!stopped && refined == 0 && boundary.converge_from_slow());
      if (stopped) return std::nullopt;
      if (!converged) return no_convergence(boundary, refined);
      std::swap(answer_, before_);
      if (!store(boundary.nodes())) return failure();
      if (refined > 0 && !compare(refined == 1)) return failure();
      if (refined > 0 && is_small_enough(refined)) {
        found_ = true;
        return std::nullopt;
      }
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

  // Of the torques of each drive: what a coarser mesh changed, rounding, and what the ends cut off.
  // The torques jump at the start from those that hold the robot; at the end of the tail they are
  // off by no more than they differ there from those that hold it, and this has faded since.
  Vector errors(const RestState& start, const RestState& end, double end_fading) {
    Vector errors =
        differences_.cwiseMax(rounding_).cwiseMax(std::numeric_limits<double>::epsilon() * peaks_);
    if (answer_->at(grid_.begin, now_)) errors = errors.cwiseMax((now_.u - start.u).cwiseAbs());
    constexpr int places = 8;
    for (int k = 0; k <= places; ++k)
      if (answer_->at(problem_.end() - (problem_.end() - grid_.end) * k / places, now_))
        errors = errors.cwiseMax(end_fading * (now_.u - end.u).cwiseAbs());
    return errors;
  }

 private:
  StepFailure failure() const { return failure_of(*answer_, grid_); }

  StepFailure no_convergence(const BoundaryProblem& boundary, int refined) const {
    StepFailure no = failure_at(boundary.failed_at(), grid_);
    no.reason = fmt::format(
        "Newton's method for the bounded solution does not converge on {} steps", mesh_.size() - 1);
    if (refined == 0)
      no.reason += fmt::format(
          "; by continuation from a slow motion it was found up to {:.0f} % of the speed",
          std::floor(100 * boundary.followed()));
    else
      no.reason += ", although it did on fewer: that solution was spurious";
    no.reason += "; a slower path is easier";
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

  // Where to look, within what is reported: evenly in time and evenly among the steps, which are
  // short where something happens, and close to every corner and both ends, where what grows or
  // decays fast has its layers.
  std::vector<double> probes() const {
    constexpr int even = 48;
    const double whole = grid_.end - grid_.begin;
    std::vector<double> times = {grid_.begin, grid_.end};
    for (int k = 0; k < even; ++k) times.push_back(grid_.begin + whole * (k + 0.37) / even);
    const auto step_of = [&](double t) {
      return std::upper_bound(mesh_.begin(), mesh_.end() - 1, t) - mesh_.begin() - 1;
    };
    const auto first = step_of(grid_.begin), steps = step_of(grid_.end) - first;
    for (int k = 0; k < even; ++k) {
      const auto i = static_cast<size_t>(first + steps * k / even);
      times.push_back(mesh_[i] + 0.63 * (mesh_[i + 1] - mesh_[i]));
    }
    for (const double corner : corners_)
      if (corners_.size() < 20)
        for (const double x : {-0.007, -0.002, 0.002, 0.007}) times.push_back(corner + x * whole);
    std::erase_if(times, [&](double t) { return t < grid_.begin || t > grid_.end; });
    return times;
  }

  // Torques against those of the mesh before; and, for rounding, against themselves when Newton
  // starts from another guess. Where every step was halved the difference is, by order 8, that of
  // the coarser mesh and 255 times the error; a sixteenth of it is safe from order 4 on.
  bool compare(bool halved_everywhere) {
    peaks_ = differences_ = rounding_ = Vector::Zero(problem_.robot().actuation().count());
    for (const double t : probes()) {
      if (!answer_->at(t, now_) || !before_->at(t, other_)) return false;
      peaks_ = peaks_.cwiseMax(now_.u.cwiseAbs());
      differences_ = differences_.cwiseMax((now_.u - other_.u).cwiseAbs());
      if (answer_->at(t, other_, 1e-5))
        rounding_ = rounding_.cwiseMax((now_.u - other_.u).cwiseAbs());
    }
    if (halved_everywhere) differences_ /= 16;
    differences_ = differences_.cwiseMax(answer_->torque_jumps());
    rounding_ = rounding_.cwiseMax(answer_->torque_rounding());
    peak_ = peaks_.maxCoeff();
    difference_ = differences_.maxCoeff();
    return true;
  }

  // Or what rounding allows: finer meshes would only add to it. Seen by another guess, or by meshes
  // that changed hardly less than the one before them, where order 6 would have divided by far
  // more: two, or one where many were tried.
  bool is_small_enough(int refined) {
    constexpr double of_rounding = 5;  // the largest of few that were seen
    const double largest = differences_.cwiseQuotient(peaks_.cwiseMax(1e-3 * peak_)).maxCoeff();
    const bool stays = largest > 0.1 * largest_before_ && largest < 1e-6;
    const bool stopped = stays && (stayed_ || refined > 2);
    stayed_ = stays;
    largest_before_ = largest;
    if (stopped) differences_ *= 2;  // probes seldom meet the worst
    return stopped || difference_ <= options_.tolerance * peak_ ||
           (differences_.array() <=
            (of_rounding * rounding_.array()).max(options_.tolerance * peak_))
               .all();
  }

  // Halves steps where the defect is large, and such that have a far shorter one beside them:
  // polynomials through three nodes are no good where these are so uneven.
  void refine(const Vector& defect, bool everywhere) {
    const double limit = std::max(1e-2 * defect.maxCoeff(), 1e-13), uneven = 2.1;
    const size_t steps = mesh_.size() - 1;
    std::vector<bool> halved(steps);
    for (size_t i = 0; i < steps; ++i)
      halved[i] = everywhere || defect[static_cast<Eigen::Index>(i)] > limit;
    const auto length = [&](size_t i) { return (mesh_[i + 1] - mesh_[i]) * (halved[i] ? 0.5 : 1); };
    const auto is_beside = [&](size_t i, size_t other, double meet) {
      return !corners_.contains(meet) && length(i) > uneven * length(other);
    };
    for (bool changed = true; std::exchange(changed, false);)
      for (size_t i = 0; i < steps; ++i)
        if (!halved[i] && ((i > 0 && is_beside(i, i - 1, mesh_[i])) ||
                           (i + 1 < steps && is_beside(i, i + 1, mesh_[i + 1]))))
          halved[i] = changed = true;
    std::vector<double> finer = {mesh_[0]};
    for (size_t i = 0; i < steps; ++i) {
      if (halved[i]) finer.push_back((mesh_[i] + mesh_[i + 1]) / 2);
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
  Vector peaks_, differences_, rounding_;
  double peak_ = 0, difference_ = 0;
  // The largest share of a drive's peak that the mesh before changed.
  double largest_before_ = std::numeric_limits<double>::infinity();
  bool stayed_ = false, found_ = false;
};

}  // namespace

std::optional<std::string> no_bounded_solution(const BoundedHorizon& horizon) {
  if (horizon.growing_at_start == horizon.growing_at_end) return std::nullopt;
  return fmt::format(
      "{} of the internal motions grow where the path begins and {} where it ends: in between "
      "zeros pass through infinity or the imaginary axis, and in general there is no bounded "
      "solution across that place; keep the path on one side of it, or move the tool point",
      horizon.growing_at_start, horizon.growing_at_end);
}

std::optional<StepFailure> solve_stably(const InverseProblem& problem, const RestState& start,
                                        const StableInversionOptions& options,
                                        const BoundedHorizon& horizon, const TimeGrid& grid,
                                        const Progress& progress, Solution& solution) {
  const InverseProblem longer = problem.with_window(horizon.solved);
  BoundedSearch search(longer, start, options, grid);
  InternalDynamics& dynamics = search.dynamics();
  const int p = dynamics.freedom();
  const std::vector<QuasiStaticPoint> poses = quasi_static_points(longer, start, 33);
  const RestState& end = poses.back().state;
  if (end.status != Status::solved) {
    StepFailure no = failure_at(poses.back().t, grid);
    no.reason = "the robot cannot rest on its path: " + end.message;
    return no;
  }
  const Dichotomy left = dichotomy(dynamics, longer.begin(), start, horizon.slow);
  const Dichotomy right = dichotomy(dynamics, longer.end(), end, horizon.slow);
  const double fastest = std::max(left.J.bottomRows(p).cwiseAbs().rowwise().sum().maxCoeff(), 1.0);
  search.set_fastest(eigenvalues(left.J).cwiseAbs().maxCoeff());
  BoundaryProblem boundary(dynamics, left, right, poses);
  if (auto no = search.search(boundary, fastest, progress)) return no;
  if (!search.found()) {
    solution.status = Status::interrupted;
    return std::nullopt;
  }
  solution.torque_errors = search.errors(start, end, horizon.end_fading);
  solution.integrator_steps = search.answer()->steps();
  solution.newton_iterations = boundary.evaluations();
  solution.dense = search.answer();
  search.answer()->keep(grid.begin, grid.end);
  const Progress sampling = [&](double done) {
    return !progress || progress(mesh_share + (1 - mesh_share) * done);
  };
  if (auto no = sample(*search.answer(), grid, sampling, solution)) return no;
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

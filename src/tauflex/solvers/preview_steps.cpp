#include "tauflex/solvers/preview_steps.hpp"

#include <algorithm>
#include <cmath>

#include "tauflex/analysis/dichotomy.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/problem/internal_series.hpp"
#include "tauflex/solvers/stretch_steps.hpp"

namespace tauflex {

double PreviewNeed::for_share(double share) const { return rate > 0 ? -std::log(share) / rate : 0; }

PreviewNeed preview_need(const InverseProblem& problem, const RestState& start,
                         const std::vector<QuasiStaticPoint>& points) {
  PreviewNeed need;
  if (!jets_apply(problem, start.q)) return need;
  InternalDynamics dynamics(problem);
  dynamics.choose(start.q);
  if (dynamics.freedom() == 0) return need;
  need.slow = bounded_horizon(problem, start, StableInversionOptions{}).slow;
  for (const QuasiStaticPoint& point : points) {
    if (point.state.status != Status::solved) continue;
    for (const std::complex<double>& zero :
         eigenvalues(jacobian_at_rest(dynamics, point.t, point.state)))
      if (zero.real() > need.slow && (need.rate == 0 || zero.real() < need.rate))
        need.rate = zero.real();
  }
  return need;
}

class PreviewSteps::Stepper {
 public:
  Stepper(const InverseProblem& problem, const RestState& start, const PreviewNeed& need,
          double step, int ahead)
      : problem_(problem),
        start_(start),
        dynamics_(problem_),
        series_(dynamics_),
        stretch_(dynamics_.drives(), step, problem_.task().where),
        step_(step) {
    dynamics_.choose(start_.q);
    motion_ = found_ = other_ = dynamics_.motion();
    window_ = std::make_unique<PreviewWindow>(
        dynamics_, start_,
        PreviewShape{.slow = need.slow, .rate = need.rate, .step = step, .ahead = ahead});
    state_ = Vector::Zero(2 * dynamics_.freedom());
    series_at(problem_.begin(), window_->state(), motion_, next_);  // takes the memory
  }

  void reset() {
    window_->reset();
    motion_.q = start_.q;
    motion_.lambda = start_.lambda;
    series_at(problem_.begin(), window_->state(), motion_, known_);
    stretch_.rest(known_.load.col(0));
    excited_ = expected_;
    t_ = problem_.begin();
  }

  // Along the path of the task, to see by how much the ends of windows are wrong on it.
  std::optional<StepFailure> rehearse(const std::function<void()>& advance) {
    expected_ = 0;
    reset();
    long iterations = 0;
    for (int k = 1; t_ < problem_.end(); ++k) {
      advance();
      const double t = problem_.begin() + k * step_;
      if (!window_->find(t, iterations)) return step_failure(k, dynamics_, window_->failure());
      window_->accept();
      t_ = t;
      excited_ = std::max(excited_, window_->error_at_end());
    }
    expected_ = excited_;
    u_ = Vector::Zero(std::ssize(problem_.robot().actuation().drives));
    Vector ignored = u_;
    error(ignored);  // takes the memory
    reset();
    return std::nullopt;
  }

  std::optional<StepFailure> step(int i, double t, Instant& now, long& iterations) {
    if (!window_->find(t, iterations)) return step_failure(i, dynamics_, window_->failure());
    found_.q = window_->found_pose();
    if (!series_at(t, window_->found_state(), found_, next_))
      return step_failure(i, dynamics_, found_.failure);
    const StretchState& stretch = stretch_.step(known_.load, next_.load);
    if (!series_.instant(t, found_, stretch, now))
      return step_failure(i, dynamics_, series_.failure());
    // nothing fails from here on
    window_->accept();
    stretch_.accept();
    std::swap(motion_, found_);
    std::swap(known_, next_);
    t_ = t;
    excited_ = std::max(excited_, window_->error_at_end());
    u_ = now.u;
    return std::nullopt;
  }

  // The torques again, from where the motion would be if the end of the window were wrong by as
  // much as the path excites.
  void error(VectorOut u) {
    u.setZero();
    const int p = dynamics_.freedom();
    for (Eigen::Index k = 0; k < window_->effect_of_end().cols(); ++k) {
      state_ = window_->state() + excited_ * window_->effect_of_end().col(k);
      other_.q = motion_.q;
      if (!dynamics_.solve(t_, state_.head(p), state_.tail(p), other_)) continue;
      load_ = other_.load - motion_.load;
      if (series_.instant(t_, other_, stretch_.state_under(load_), moved_))
        u += (moved_.u - u_).cwiseAbs();
    }
  }

 private:
  bool series_at(double t, const VectorRef& state, InternalMotion& motion, JointSeries& out) {
    const int p = dynamics_.freedom();
    if (!dynamics_.solve(t, state.head(p), state.tail(p), motion)) return false;
    series_.joints(t, motion, 2, out);
    return true;
  }

  const InverseProblem& problem_;
  const RestState start_;
  InternalDynamics dynamics_;
  InternalSeries series_;
  // At the last step; where a step leads; from where the end of the window would lead.
  InternalMotion motion_, found_, other_;
  StretchSteps stretch_;
  double step_;
  std::unique_ptr<PreviewWindow> window_;
  JointSeries known_, next_;
  double t_ = 0;
  // What grows at the end of a window and is not known there: along the path of the task, and as
  // much as was seen.
  double expected_ = 0, excited_ = 0;
  Vector state_, load_, u_;
  Instant moved_;
};

PreviewSteps::PreviewSteps(const InverseProblem& problem, const RestState& start,
                           const PreviewNeed& need, double step, int ahead)
    : stepper_(std::make_unique<Stepper>(problem, start, need, step, ahead)) {}
PreviewSteps::~PreviewSteps() = default;
std::optional<StepFailure> PreviewSteps::rehearse(const std::function<void()>& advance) {
  return stepper_->rehearse(advance);
}
void PreviewSteps::reset() { stepper_->reset(); }
std::optional<StepFailure> PreviewSteps::step(int i, double t, Instant& now, long& iterations) {
  return stepper_->step(i, t, now, iterations);
}
void PreviewSteps::error(VectorOut u) { stepper_->error(u); }

}  // namespace tauflex

#include "tauflex/solvers/jet_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {

namespace {

// Where the load inside a step is taken, besides the series at its ends.
constexpr double inside[] = {0.2, 0.4, 0.6, 0.8};

Matrix scaled(Matrix series, double h) {
  double factor = 1;
  for (Eigen::Index k = 0; k < series.cols(); ++k, factor *= h) series.col(k) *= factor;
  return series;
}

}  // namespace

JetMotion::JetMotion(const InverseProblem& problem, const RestState& start, double tolerance)
    : problem_(problem),
      dynamics_(problem_),
      series_(dynamics_),
      tolerance_(tolerance),
      begin_(problem.begin()),
      end_(problem.end()),
      // below what is measured
      stretch_(dynamics_.drives(), std::clamp(1e-4 * tolerance, 1e-14, 1e-12)),
      start_q_(start.q),
      s_(dynamics_.freedom()),
      rate_(dynamics_.freedom()),
      offset_(problem_.robot().tree_nv()),
      pose_(start.q),
      pose_rate_(Vector::Zero(problem_.robot().nq())),
      velocity_(problem_.robot().nv()) {
  dynamics_.choose(start.q);
  motion_ = dynamics_.motion();
  dynamics_.set_accuracy(std::clamp(1e-5 * tolerance, 2e-16, 1e-13));
  motion_.lambda = start.lambda;
  q_rate_.resize(problem_.robot().tree_nq(), 2);
  // without lag all modes follow the load
  stretch_state_.following = dynamics_.drives().size();
  stretch_state_.z = Vector::Zero(dynamics_.drives().size());
  clear();
}

bool JetMotion::is_closed_form() const {
  return dynamics_.freedom() == 0 && !stretch_.has_memory();
}

void JetMotion::clear() {
  steps_.clear();
  stretch_.clear();
  motion_.q = start_q_;
  nodes_.clear();
  center(start_q_);
}

void JetMotion::center(const VectorRef& q) {
  dynamics_.center(q, motion_);
  chart_ = motion_.chart;
}

bool JetMotion::fail(double t, const NoMotion& why) {
  failed_at_ = t;
  failure_ = why;
  return false;
}

// motion_ at t, from the guess in it.
bool JetMotion::solve(double t, const VectorRef& s, const VectorRef& rate) {
  return dynamics_.solve(t, s, rate, motion_) || fail(t, motion_.failure);
}

bool JetMotion::node_series(double t, const VectorRef& s, const VectorRef& rate, NodeSeries& out) {
  motion_.chart = chart_;
  if (!solve(t, s, rate)) return false;
  series_.joints(t, motion_, 2, joints_);
  out.q = joints_.q;
  out.load = joints_.load;
  out.t = t;
  return true;
}

bool JetMotion::begin_segment(double t, const VectorRef& s, const VectorRef& rate) {
  nodes_.resize(1);
  return node_series(t, s, rate, nodes_[0]);
}

// Of the joints, at a node. Rounding e of s becomes (w h)^k / k! e in the k-th coefficient over a
// step, w the rate of the fastest motion; positions and velocities are always used.
int JetMotion::known_derivatives(double h) const {
  constexpr double most = 30;
  double amplified = fastest_ * h;
  int k = 1;
  for (; k < 4; ++k) {
    amplified *= fastest_ * h / (k + 1);
    if (amplified > most) break;
  }
  return k;
}

// The first `orders` coefficients that are known at the nodes, over x in [0, 1] from node `left` to
// the next.
std::vector<NewtonForm::Point> JetMotion::points(size_t left, Matrix NodeSeries::*series,
                                                 int orders) const {
  const double h = nodes_[left + 1].t - nodes_[left].t;
  std::vector<NewtonForm::Point> result;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const double x = i == left ? 0 : i == left + 1 ? 1 : (nodes_[i].t - nodes_[left].t) / h;
    result.push_back({x, scaled((nodes_[i].*series).leftCols(orders), h)});
  }
  return result;
}

bool JetMotion::append(double t, double end, const VectorRef& s, const VectorRef& rate) {
  if (nodes_.size() == 3) nodes_.erase(nodes_.begin());
  nodes_.emplace_back();
  // from the left: the path may have a corner at the end
  if (!node_series(std::nextafter(end, t), s, rate, nodes_.back())) return false;
  nodes_.back().t = end;
  const size_t left = nodes_.size() - 2;
  // Three nodes give degree 14 for the joints: the first step of a segment waits for the second.
  if (left == 1 && steps_.back().waits && !complete(steps_.back(), 0)) return false;
  steps_.push_back({t, end - t, {}, motion_.q, left == 0});
  Step& step = steps_.back();
  if (!step.waits) return complete(step, left);
  step.q = NewtonForm(points(left, &NodeSeries::q, known_derivatives(step.h) + 1));
  return true;
}

bool JetMotion::finish() { return !steps_.back().waits || complete(steps_.back(), 0); }

bool JetMotion::complete(Step& step, size_t left) {
  step.waits = false;
  const int known = known_derivatives(step.h);
  step.q = NewtonForm(points(left, &NodeSeries::q, known + 1));
  if (!stretch_.has_memory()) return true;
  // the load has two derivatives fewer
  auto loads = points(left, &NodeSeries::load, std::max(1, known - 1));
  for (const double x : inside) {
    take(step, x);
    if (!solve(step.begin + x * step.h, s_, rate_)) return false;
    loads.push_back({x, motion_.load});
  }
  std::sort(loads.begin(), loads.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  return stretch_.append(step.h, NewtonForm(loads), left == 0) ||
         fail(step.begin, {.reason = no_stretch});
}

// The internal state at x of a step, and all joints as a guess.
void JetMotion::take(const Step& step, double x) {
  motion_.q = step.pose;
  if (step.q.size() == 0) return;
  step.q.series(x, q_rate_);
  motion_.q.head(q_rate_.rows()) = q_rate_.col(0);
  normalize(problem_.robot(), motion_.q);
  if (dynamics_.turns()) dynamics_.center(motion_.q, motion_);
  s_.noalias() = motion_.chart * motion_.q.head(q_rate_.rows());
  rate_.noalias() = motion_.chart * q_rate_.col(1);
  rate_ /= step.h;
}

bool JetMotion::append_pose(double t, double h) {
  const Vector nothing(0);
  if (!solve(t, nothing, nothing)) return false;
  steps_.push_back({t, h, {}, motion_.q, false});
  return true;
}

void JetMotion::predict(double t, InternalMotion& out) {
  Matrix& series = q_rate_;
  if (nodes_.size() == 1) {
    const double x = t - nodes_[0].t;
    series.setZero();
    for (Eigen::Index k = nodes_[0].q.cols() - 1; k >= 0; --k) {
      series.col(1) = series.col(1) * x + series.col(0);
      series.col(0) = series.col(0) * x + nodes_[0].q.col(k);
    }
  } else {
    const Step& step = steps_.back();
    step.q.series((t - step.begin) / step.h, series);
    series.col(1) /= step.h;
  }
  pose_.head(series.rows()) = series.col(0);
  pose_rate_.head(series.rows()) = series.col(1);
  velocity_of_rate<double>(problem_.robot(), pose_, pose_rate_, velocity_);
  normalize(problem_.robot(), pose_);
  out.q.head(series.rows()) = pose_.head(series.rows());
  out.v.head(offset_.size()) = velocity_.head(offset_.size());
}

double JetMotion::defect(size_t i) {
  const Step& step = steps_[i];
  take(step, 0.5);
  Matrix series(q_rate_.rows(), 3);
  step.q.series(0.5, series);
  if (!dynamics_.solve(step.begin + 0.5 * step.h, s_, rate_, motion_))
    return std::numeric_limits<double>::infinity();
  double worst = 0;
  // of a second derivative between nodes, by the positions there
  constexpr double rounding = 1000 * std::numeric_limits<double>::epsilon();
  const Matrix s = motion_.chart * series;
  const Vector size = motion_.chart.cwiseAbs() * series.col(0).cwiseAbs();
  for (Eigen::Index k = 0; k < s.rows(); ++k)
    worst = std::max(worst, std::abs(2 * s(k, 2) / (step.h * step.h) - motion_.sddot[k]) -
                                rounding * size[k] / (step.h * step.h));
  return worst;
}

bool JetMotion::at(double t, Instant& out, double offset) {
  // the end from the left: the path may have a corner there
  t = std::clamp(t, begin_, std::nextafter(end_, begin_));
  auto found = std::upper_bound(steps_.begin(), steps_.end(), t,
                                [](double time, const Step& step) { return time < step.begin; });
  const Step& step = found == steps_.begin() ? *found : *std::prev(found);
  const double x = std::clamp((t - step.begin) / step.h, 0.0, 1.0);
  take(step, x);
  if (stretch_.has_memory() &&
      !stretch_.at(static_cast<size_t>(&step - steps_.data()), x, stretch_state_))
    return fail(t, {.reason = no_stretch});
  offset_.setConstant(offset);
  move(problem_.robot(), offset_, motion_.q);
  return solve(t, s_, rate_) &&
         (series_.instant(t, motion_, stretch_state_, out) || fail(t, series_.failure()));
}

Vector JetMotion::torques_of(const Vector& accelerations) const {
  const Robot& robot = problem_.robot();
  Vector result = Vector::Zero(robot.actuation().count()), u = result;
  const Vector standing = Vector::Zero(robot.nv());
  MechanicsData unloaded(robot);
  unloaded.tau = Vector::Zero(robot.tree_nv());
  unloaded.spring_torque = Vector::Zero(stretch_.modes().size());
  for (Eigen::Index k = 0; k < stretch_.modes().size(); ++k) {
    if (accelerations[k] == 0) continue;
    Vector acceleration = standing;
    dynamics_.drives().set_rotor_rates(accelerations[k] * stretch_.modes().shapes.col(k),
                                       acceleration);
    motor_torques<double>(robot, unloaded, standing, acceleration, u);
    result += u.cwiseAbs();
  }
  return result;
}

std::set<double> corner_times(const InverseProblem& problem) {
  const double begin = problem.begin(), end = problem.end();
  std::set<double> times = {begin, end};
  const double apart = 1e-9 * (end - begin);  // closer ones are one, rounded differently
  const auto near_another = [&](double t) {
    const auto after = times.lower_bound(t);
    return after == times.begin() || after == times.end() || *after - t < apart ||
           t - *std::prev(after) < apart;
  };
  const auto add = [&](const OutputPath& path) {
    for (const Corner& corner : path.corners())
      if (!near_another(corner.time)) times.insert(corner.time);
  };
  add(problem.path());
  for (const ConstraintRow& row : problem.robot().constraints())
    if (row.path) add(*row.path);
  return times;
}

}  // namespace tauflex

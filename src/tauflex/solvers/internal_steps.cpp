#include "tauflex/solvers/internal_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauflex/math/newton.hpp"
#include "tauflex/problem/internal_jacobian.hpp"
#include "tauflex/solvers/radau_newton.hpp"

namespace tauflex {

namespace {

// Steps of s'' = f(t, s, s') by Radau collocation.
class InternalSteps {
 public:
  explicit InternalSteps(JetMotion& motion)
      : motion_(motion),
        dynamics_(motion.dynamics()),
        jacobian_(dynamics_),
        p_(dynamics_.freedom()),
        node_(dynamics_.motion()),
        stage_(radau_stages, node_),
        Y_(2 * p_, radau_stages),
        F_(2 * p_, radau_stages),
        R_(2 * p_, radau_stages),
        J_(Matrix::Zero(p_, 2 * p_)),
        linear_(p_),
        y0_(2 * p_),
        enough_(std::clamp(1e-5 * motion.tolerance(), 1e-15, 4e-12)) {
    node_.q = motion.start_q();
  }

  // False when it fails, and motion says why.
  bool step(double t, double h, Vector& s, Vector& rate);
  // Largest rate at which the internal state changes, 1/s, a bound.
  double fastest(double t, const Vector& s, const Vector& rate) {
    if (p_ == 0 || !dynamics_.solve(t, s, rate, node_)) return 0;
    jacobian_.approximate(node_, J_);
    const auto norm = [](const auto& M) { return M.cwiseAbs().rowwise().sum().maxCoeff(); };
    return std::sqrt(norm(J_.leftCols(p_))) + norm(J_.rightCols(p_));
  }
  long evaluations() const { return evaluations_; }

 private:
  bool evaluate(double t, double h);
  bool center_node(double t, Vector& s, Vector& rate);

  JetMotion& motion_;
  InternalDynamics& dynamics_;
  InternalJacobian jacobian_;
  int p_;
  InternalMotion node_;
  std::vector<InternalMotion> stage_;
  // J_: df/d(s, s'), p x 2p
  Matrix Y_, F_, R_, J_;
  RadauNewton linear_;
  Vector y0_;
  double enough_;
  double known_at_ = std::numeric_limits<double>::quiet_NaN();  // where J_ belongs to
  long evaluations_ = 0;
};

bool InternalSteps::evaluate(double t, double h) {
  const Collocation& method = radau5();
  for (int i = 0; i < radau_stages; ++i) {
    auto& m = stage_[i];
    if (!dynamics_.solve(t + method.c[i] * h, Y_.col(i).head(p_), Y_.col(i).tail(p_), m))
      return motion_.fail(t + method.c[i] * h, m.failure);
    F_.col(i).head(p_) = Y_.col(i).tail(p_);
    F_.col(i).tail(p_) = m.sddot;
    ++evaluations_;
  }
  return true;
}

bool InternalSteps::step(double t, double h, Vector& s, Vector& rate) {
  if (p_ == 0) return true;
  const Collocation& method = radau5();
  y0_ << s, rate;
  if (!(std::abs(t - known_at_) <= 1e-9 * h)) {  // else from the last stage of the step before
    if (!dynamics_.solve(t, s, rate, node_)) return motion_.fail(t, node_.failure);
    jacobian_.exact(node_, J_);
  }
  linear_.compute(J_, h);
  for (int i = 0; i < radau_stages; ++i) {
    auto& m = stage_[i];
    m.q = node_.q;
    m.lambda = node_.lambda;
    m.chart = node_.chart;
    motion_.predict(t + method.c[i] * h, m);
    Y_.col(i).head(p_).noalias() = m.chart * m.q.head(m.chart.cols());
    dynamics_.rates(m, m.q, m.v, Y_.col(i).tail(p_));
  }
  motion_.fail(t, {});  // unless a stage has no motion, which then says more
  const auto correct = [&](const NewtonState&) {
    if (!evaluate(t, h)) return std::numeric_limits<double>::quiet_NaN();
    R_.noalias() = -h * F_ * method.A.transpose();
    R_ += Y_;
    R_.colwise() -= y0_;
    linear_.solve(R_);
    const Matrix& change = R_;
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
  s = Y_.col(radau_stages - 1).head(p_);
  rate = Y_.col(radau_stages - 1).tail(p_);
  node_ = stage_.back();
  if (dynamics_.turns() && !center_node(t + h, s, rate)) return false;
  jacobian_.exact(node_, J_);
  known_at_ = t + h;
  return true;
}

// The next step measures orientations from where it begins: steps end at half a turn, motions do
// not.
bool InternalSteps::center_node(double t, Vector& s, Vector& rate) {
  // with Newton's last correction
  if (!dynamics_.solve(t, s, rate, node_)) return motion_.fail(t, node_.failure);
  dynamics_.center(node_.q, node_);
  motion_.center(node_.q);
  s = node_.chart * node_.q.head(node_.chart.cols());
  dynamics_.rates(node_, node_.q, node_.v, rate);
  return dynamics_.solve(t, s, rate, node_) || motion_.fail(t, node_.failure);
}

Vector start_state(JetMotion& motion) {
  const InternalMotion at_rest = motion.dynamics().motion();
  return at_rest.chart * motion.start_q().head(at_rest.chart.cols());
}

}  // namespace

int first_steps(JetMotion& motion, double tolerance) {
  const InverseProblem& problem = motion.problem();
  if (motion.is_closed_form()) return 256;
  const Vector s = start_state(motion);
  const double rate = InternalSteps(motion).fastest(problem.begin(), s, Vector::Zero(s.size()));
  const double steps =
      2.5 * rate * (problem.end() - problem.begin()) * std::pow(1e-9 / tolerance, 1.0 / 9);
  return static_cast<int>(std::clamp(std::ceil(steps), 8.0, 64.0));
}

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

}  // namespace tauflex

#include "tauflex/planning/least_torque_posture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/equations/consistent_start.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/least_squares.hpp"
#include "tauflex/math/lu.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/model/rigid_twin.hpp"
#include "tauflex/solvers/solve.hpp"
#include "tauflex/solvers/steps.hpp"
#include "tauflex/trajectory/rest_series.hpp"
#include "tauflex/trajectory/stacked.hpp"

namespace tauflex {

namespace {

constexpr int curve_terms = 5;  // of the curve of each joint

// What the rigid arm can say of the task.
Task rigid_task(const Robot& twin, Task task) {
  std::erase_if(task.near,
                [&](const auto& entry) { return twin.coordinates().find(entry.first) < 0; });
  return task;
}

// The part of the window that a sample stands for.
double share(const Solution& s, Eigen::Index i) {
  return s.step * (i == 0 || i + 1 == s.t.size() ? 0.5 : 1.0);
}

// Motions of the rigid arm for given coefficients of the curves.
class Trial {
 public:
  Trial(const InverseProblem& held, const Task& asked, int joints)
      : asked_(asked),
        twin_(rigid_twin(held.robot(), held.near())),
        task_(rigid_task(twin_, held.task())),
        joints_(joints),
        start_(Vector::Zero(joints_)) {
    Matrix y(held.path().size(), 1);
    held.path().derivatives(-asked.hold_before, y);
    start_ = y.col(0).tail(joints_);
    const InverseProblem problem(twin_, task_);
    if (!problem.is_algebraic() || twin_.nq() != twin_.nv())
      throw ProblemError(asked.where +
                         ": task.posture: least_torque needs an arm whose joints all have a drive "
                         "or a spring");
    state_ = consistent_start(problem);
    window_ = problem.end() - problem.begin();
    const auto samples =
        std::clamp<std::ptrdiff_t>(50 * std::ssize(asked.path->corners()), 100, 1000);
    step_ = std::max(asked.path->duration() / static_cast<double>(samples), window_ / 2000);
    const Solution solution = solve(problem, state_, ExactOptions{.step = step_});
    if (solution.status != Status::solved)
      throw ProblemError(asked.where + ": task.posture: with the joints held, " + solution.message);
    held_torque_ = torque_squared(solution);
  }

  int unknowns() const { return joints_ * curve_terms; }
  double held_torque() const { return held_torque_; }
  const Vector& start() const { return start_; }

  std::shared_ptr<const OutputPath> curves(const Vector& x) const {
    const Matrix c = Eigen::Map<const Matrix>(x.data(), joints_, curve_terms);
    return std::make_shared<RestSeries>(start_, c, asked_.path->duration());
  }
  Task task(Task held, const Vector& x) const {
    held.path = std::make_shared<StackedPath>(asked_.path, curves(x));
    return held;
  }
  Solution motion(const Vector& x) const {
    return solve(InverseProblem(twin_, task(task_, x)), state_, ExactOptions{.step = step_});
  }

  // One row per drive and time, then one per joint and time. Not finite where the arm cannot
  // follow: such steps are refused.
  void residual(const Vector& x, double weight, Vector& r, Matrix& J) const {
    const InverseProblem problem(twin_, task(task_, x));
    const Solution s = solve(problem, state_, ExactOptions{.step = step_});
    const auto drives = static_cast<Eigen::Index>(twin_.actuation().drives.size());
    const auto times = static_cast<Eigen::Index>(time_grid(problem, step_).steps) + 1;
    r = Vector::Constant((drives + joints_) * times, std::numeric_limits<double>::quiet_NaN());
    J = Matrix::Zero(r.size(), unknowns());
    if (s.status != Status::solved) return;
    MechanicsData data(twin_);
    MotionData<Dual> dual(twin_);
    MotionData<JetOfDual> jets(twin_);
    const Eigen::Index first = drives * times;
    for (Eigen::Index i = 0; i < times; ++i) {
      const double torque_scale = std::sqrt(share(s, i) / held_torque_),
                   posture_scale = std::sqrt(weight * share(s, i) / window_);
      r.segment(i * drives, drives) = torque_scale * s.u.col(i);
      r.segment(first + i * joints_, joints_) = posture_scale * (s.y.col(i).tail(joints_) - start_);
      Matrix b(curve_terms, 3);  // b_k and its time derivatives over k!
      for (int k = 0; k < curve_terms; ++k) {
        const Jet term = RestSeries::term(k, s.t[i], asked_.path->duration(), 2);
        for (int order = 0; order <= 2; ++order) b(k, order) = term[order];
      }
      if (b.cwiseAbs().maxCoeff() == 0) continue;
      const Lu lu = jacobian(problem, data, s, i);
      for (int k = 0; k < curve_terms; ++k)
        for (int h = 0; h < joints_; ++h) {
          const int column = k * joints_ + h;
          J.col(column).segment(i * drives, drives) =
              torque_scale * torque_slope(problem, lu, s, i, h, b.row(k), jets, dual);
          J(first + i * joints_ + h, column) = posture_scale * b(k, 0);
        }
    }
  }

 private:
  Lu jacobian(const InverseProblem& problem, MechanicsData& data, const Solution& s,
              Eigen::Index i) const {
    Vector y(problem.output_count());
    Matrix J(problem.output_count(), twin_.nv());
    path_values<double>(problem.path(), s.t[i], y);
    kinematics<double>(twin_, data, s.q.col(i));
    output_jacobian(twin_, data, problem.outputs(), y, J);
    return Lu(J);
  }

  // du/dc of joint h that moves along b: c(q) = y_d is solved once more, with derivatives by c (the
  // slopes of Duals) of three time coefficients. Each step with the Jacobian at the value adds one.
  Vector torque_slope(const InverseProblem& problem, const Lu& lu, const Solution& s,
                      Eigen::Index i, int h, const Eigen::RowVectorXd& b,
                      MotionData<JetOfDual>& jets, MotionData<Dual>& dual) const {
    const int n = twin_.nv(), ny = problem.output_count();
    VectorOf<JetOfDual> y(ny), q(n), r(ny);
    const VectorOf<JetOfDual> none(0);
    path_values<JetOfDual>(problem.path(), JetOfDual::time(s.t[i], 2), y);
    for (int order = 0; order <= 2; ++order) y[ny - joints_ + h][order].slope += b[order];
    for (int j = 0; j < n; ++j) {
      q[j] = JetOfDual::zero(2);
      q[j][0] = s.q(j, i);
      q[j][1] = s.v(j, i);
      q[j][2] = s.vdot(j, i) / 2;
    }
    Vector slope(ny);
    for (int order = 0; order <= 2; ++order) {
      kinematics<JetOfDual>(twin_, jets, q);
      output_errors<JetOfDual>(twin_, jets, q, none, problem.outputs(), y, r);
      for (int j = 0; j < ny; ++j) slope[j] = r[j].coefficient(order).slope;
      const Vector step = lu.solve(slope);
      for (int j = 0; j < n; ++j) q[j][order].slope -= step[j];
    }
    VectorOf<Dual> q0(n), v(n), vdot(n),
        u(static_cast<Eigen::Index>(twin_.actuation().drives.size()));
    for (int j = 0; j < n; ++j) {
      q0[j] = q[j][0];
      v[j] = q[j][1];
      vdot[j] = Dual(2) * q[j][2];
    }
    joint_torques<Dual>(twin_, dual, q0, v, vdot);
    motor_torques<Dual>(twin_, dual, v, vdot, u);
    Vector slopes(u.size());
    for (Eigen::Index d = 0; d < u.size(); ++d) slopes[d] = u[d].slope;
    return slopes;
  }

  const Task& asked_;
  Robot twin_;
  Task task_;
  int joints_;
  Vector start_;  // of the joints that move
  RestState state_;
  double window_ = 0, step_ = 0;  // s
  double held_torque_ = 0;
};

}  // namespace

double torque_squared(const Solution& solution) {
  double sum = 0;
  for (Eigen::Index i = 0; i < solution.t.size(); ++i)
    sum += share(solution, i) * solution.u.col(i).squaredNorm();
  return sum;
}

LeastTorquePosture least_torque_posture(const Posed& held, const Task& asked) {
  const Robot& robot = held.problem.robot();
  const auto joints = static_cast<int>(held.diagnosis.self_motion.cols());
  if (joints == 0)
    throw ProblemError(fmt::format("{}: task.posture: there is no posture to choose: {} for {}{}",
                                   asked.where, counted(robot.actuation().drives.size(), "drive"),
                                   counted(asked.outputs.size(), "output"),
                                   robot.constraint_count() > 0 ? ", and constraints" : ""));
  if (robot.description().dynamics == DynamicsKind::linearized_at_start)
    throw ProblemError(asked.where + ": task.posture: least_torque needs nonlinear dynamics");
  const Trial trial(held.problem, asked, joints);
  LeastTorquePosture found{held.problem.task(), held.notes.front()};
  found.task.least_torque.reset();  // it is found
  if (trial.held_torque() == 0) return found;
  const auto residual = [&](const Vector& at, Vector& r, Matrix& J) {
    trial.residual(at, *asked.least_torque, r, J);
  };
  // gains are relative to the torque of the held posture
  const LeastSquaresOptions options{.max_iterations = 50, .damping = 1e-2, .least_gain = 1e-6};
  const Vector x = least_squares(residual, Vector::Zero(trial.unknowns()), options).x;
  found.task = trial.task(found.task, x);
  std::vector<std::string> words;
  Matrix end(found.task.path->size(), 1);
  found.task.path->derivatives(asked.path->duration(), end);
  const Vector from = trial.start(), to = end.col(0).tail(joints);
  for (int h = 0; h < joints; ++h)
    words.push_back(fmt::format("'{}' from {:.6g} to {:.6g}",
                                *(found.task.outputs.end() - joints + h), from[h], to[h]));
  found.sentence = fmt::format(
      "{} for {}: the posture of least torque moves {}; with rigid drives the integral of |u|^2 is "
      "{:.4g}, with the joints held it would be {:.4g}",
      counted(robot.actuation().drives.size(), "drive"), counted(asked.outputs.size(), "output"),
      join(words, " and "), torque_squared(trial.motion(x)), trial.held_torque());
  return found;
}

}  // namespace tauflex

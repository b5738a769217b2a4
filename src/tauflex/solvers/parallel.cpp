#include "tauflex/solvers/parallel.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/elements/frame_pose.hpp"
#include "tauflex/elements/frame_system.hpp"
#include "tauflex/elements/newmark.hpp"
#include "tauflex/elements/robot_frame.hpp"
#include "tauflex/elements/torque_recovery.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/internal_series.hpp"
#include "tauflex/solvers/revised_chain.hpp"

namespace tauflex {

namespace {

FrameOptions frame_options(const ParallelOptions& options) {
  return {options.timoshenko ? ElementKind::timoshenko : ElementKind::bernoulli, options.elements,
          !options.deformation};
}

// Per joint of the frame.
std::vector<double> gear_ratios(const Robot& robot, const ElementFrame& frame) {
  std::vector<double> ratios;
  for (const auto& joint : frame.joints)
    ratios.push_back(joint.drive < 0 ? 0 : robot.actuation().drives[joint.drive].gear_ratio);
  return ratios;
}

// From torques at joints to those of motors.
void write_motor_torques(const Robot& robot, const ElementFrame& frame, const Vector& at_joints,
                         Vector& u) {
  for (size_t j = 0; j < frame.joints.size(); ++j)
    if (const int d = frame.joints[j].drive; d >= 0)
      u[d] = at_joints[static_cast<Eigen::Index>(j)] / robot.actuation().drives[d].gear_ratio;
}

// Output of each joint of the frame; -1 for none. Throws ProblemError unless outputs are joints
// that drives move.
std::vector<int> outputs_of_joints(const InverseProblem& problem, const ElementFrame& frame) {
  std::vector<int> outputs(frame.joints.size(), -1);
  for (const OutputGroup& group : problem.outputs().groups) {
    const auto* joint = std::get_if<CoordinateOutput>(&group.rule);
    bool found = false;
    for (size_t j = 0; joint && j < frame.joints.size(); ++j)
      if (frame.joints[j].q == joint->q && frame.joints[j].drive >= 0) {
        outputs[j] = group.rows.front();
        found = true;
      }
    if (!found)
      throw ProblemError(fmt::format(
          "{}: output '{}' is not a joint with a drive; where something is left to integrate, the "
          "parallel scheme prescribes the driven joints",
          problem.task().where, problem.outputs().rows[group.rows.front()].name));
  }
  for (size_t j = 0; j < frame.joints.size(); ++j)
    if (frame.joints[j].drive >= 0 && outputs[j] < 0)
      throw ProblemError(fmt::format(
          "{}: drive '{}' is not an output; the parallel scheme prescribes every driven joint",
          problem.task().where, problem.robot().actuation().names[frame.joints[j].drive]));
  return outputs;
}

// A motion that is known: positions, velocities and accelerations of joints, then the recovery.
std::optional<StepFailure> recover_known_motion(const InverseProblem& problem,
                                                const ParallelOptions& options,
                                                const ElementFrame& frame, const TimeGrid& grid,
                                                const Progress& progress, Solution& solution) {
  InternalDynamics dynamics(problem);
  InternalSeries series(dynamics);
  InternalMotion m = dynamics.motion();
  m.q = solution.q.col(0);
  FrameState state(frame);
  TorqueRecovery recovery(frame, gear_ratios(problem.robot(), frame), options.threads);
  Vector travel, torques(frame.joints.size());
  const Vector none(0);
  const StretchState unstretched;
  const double h = grid.step();
  const auto take = [&](int i, double t, Instant& now) -> std::optional<StepFailure> {
    if (i > 0) move(problem.robot(), h * m.v + h * h / 2 * m.a, m.q);
    if (!dynamics.solve(t, none, none, m, 1, &solution.newton_iterations) ||
        !series.instant(t, m, unstretched, now))
      return StepFailure{i, dynamics.worst_equation(m), m.worst_value};
    pose_of_joints(frame, now.q, now.v, now.vdot, state, travel);
    recovery.recover(state, travel, torques);
    write_motor_torques(problem.robot(), frame, torques, now.u);
    now.lambda = recovery.loop_forces();
    return std::nullopt;
  };
  return take_steps(grid, 0, progress, take, solution);
}

// Driven joints on their paths, all else by Newmark's method.
class PrescribedFrame {
 public:
  PrescribedFrame(const InverseProblem& problem, const ParallelOptions& options,
                  ElementFrame& frame)
      : problem_(problem),
        frame_(frame),
        outputs_(outputs_of_joints(problem, frame)),
        path_(problem.output_count(), 3),
        system_(frame, [this](double t, std::vector<Driven>& joints) { follow(t, joints); }, {}),
        newmark_(system_, {.delta = options.delta, .beta = options.newmark_beta()}),
        recovery_(frame, gear_ratios(problem.robot(), frame), options.threads),
        torques_(frame.joints.size()) {}

  // Adds the rows that drive joints; before the constructor, which counts rows.
  static void drive(const InverseProblem& problem, ElementFrame& frame) {
    const std::vector<int> outputs = outputs_of_joints(problem, frame);
    for (size_t j = 0; j < outputs.size(); ++j)
      if (outputs[j] >= 0) frame.drive_joint(static_cast<int>(j));
  }

  bool start(double t) {
    if (!frame_.beams.empty() && !newmark_.settle(t)) return false;
    newmark_.start(t, Vector::Zero(frame_.size));
    return true;
  }

  std::optional<StepFailure> take(int i, double t, Instant& now) {
    if (i == 0 ? !start(t) : !newmark_.step(t))
      return StepFailure{i, "", 0, "Newton failed in the equilibrium of the frame of elements"};
    spread(frame_, newmark_.v(), newmark_.a(), system_.state());
    joints_of_pose(frame_, system_.state(), system_.travel(), now.q, now.v, now.vdot);
    recovery_.recover(system_.state(), system_.travel(), torques_);
    write_motor_torques(problem_.robot(), frame_, torques_, now.u);
    now.lambda = recovery_.loop_forces();
    now.residual = 0;
    for (size_t j = 0; j < outputs_.size(); ++j)
      if (const int k = outputs_[j]; k >= 0) {
        now.y[k] = now.q[frame_.joints[j].q];
        now.residual = std::max(now.residual, std::abs(now.y[k] - path_(k, 0)));
      }
    return std::nullopt;
  }

  long iterations() const { return newmark_.iterations(); }

 private:
  void follow(double t, std::vector<Driven>& joints) {
    problem_.path().derivatives(t, path_);
    for (size_t j = 0; j < outputs_.size(); ++j)
      if (const int k = outputs_[j]; k >= 0)
        joints[j] = {path_(k, 0) - frame_.joints[j].start, path_(k, 1), path_(k, 2)};
  }

  const InverseProblem& problem_;
  ElementFrame& frame_;
  std::vector<int> outputs_;
  Matrix path_;
  FrameSystem system_;
  Newmark newmark_;
  TorqueRecovery recovery_;
  Vector torques_;
};

}  // namespace

const char* parallel_name(const ParallelOptions& options) {
  switch (options.revision) {
    case RevisionStep::literal:
      return "parallel literal";
    case RevisionStep::unrevised:
      return "parallel unrevised";
    default:
      return "parallel";
  }
}

void require_parallel(const InverseProblem& problem, const RestState& start,
                      const ParallelOptions& options) {
  if (!problem.force_outputs().empty())
    throw ProblemError(problem.task().where + ": the parallel scheme has no force outputs");
  if (options.revision != RevisionStep::newton) {
    RevisedChain(problem, start.q, options);
    return;
  }
  try {
    const ElementFrame frame = robot_frame(problem.robot(), start.q, frame_options(options));
    if (!problem.is_algebraic()) outputs_of_joints(problem, frame);
  } catch (const ProblemError& error) {
    const std::string what = error.what(), where = problem.task().where + ": ";
    throw ProblemError(what.starts_with(where) ? what : where + what);
  }
}

std::optional<StepFailure> solve_parallel(const InverseProblem& problem, const RestState& start,
                                          const ParallelOptions& options, const TimeGrid& grid,
                                          const Progress& progress, Solution& solution) {
  if (options.revision != RevisionStep::newton) {
    RevisedChain chain(problem, start.q, options);
    return take_steps(
        grid, 0, progress,
        [&](int i, double t, Instant& now) -> std::optional<StepFailure> {
          chain.take(i, t, now);
          if (now.u.allFinite()) return std::nullopt;
          return StepFailure{i, "", 0, "the linear step of the chain diverges"};
        },
        solution);
  }
  ElementFrame frame = robot_frame(problem.robot(), start.q, frame_options(options));
  if (problem.is_algebraic())
    return recover_known_motion(problem, options, frame, grid, progress, solution);
  PrescribedFrame::drive(problem, frame);
  PrescribedFrame prescribed(problem, options, frame);
  auto failure = take_steps(
      grid, 0, progress, [&](int i, double t, Instant& now) { return prescribed.take(i, t, now); },
      solution);
  solution.newton_iterations = prescribed.iterations();
  return failure;
}

}  // namespace tauflex

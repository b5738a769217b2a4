#include "tauflex/solvers/parallel.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/elements/frame_pose.hpp"
#include "tauflex/elements/frame_system.hpp"
#include "tauflex/elements/newmark.hpp"
#include "tauflex/elements/robot_frame.hpp"
#include "tauflex/elements/torque_recovery.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/internal_dynamics.hpp"
#include "tauflex/solvers/drive_steps.hpp"
#include "tauflex/solvers/frame_outputs.hpp"
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

// From torques at joints of the frame to those of motors, and rotors.
class FrameDrives {
 public:
  FrameDrives(const Robot& robot, const ElementFrame& frame, double h)
      : frame_(frame), steps_(robot, h) {}

  bool take(int i, const Vector& at_joints, Instant& now) {
    steps_.torques().setZero();
    for (size_t j = 0; j < frame_.joints.size(); ++j)
      steps_.torques()[frame_.joints[j].v] = at_joints[static_cast<Eigen::Index>(j)];
    return steps_.take(i, now);
  }

  static StepFailure failure(int i) { return {i, "", 0, no_stretch}; }

 private:
  const ElementFrame& frame_;
  DriveSteps steps_;
};

// A motion that is known: positions, velocities and accelerations of joints, then the recovery.
std::optional<StepFailure> recover_known_motion(const InverseProblem& problem,
                                                const ParallelOptions& options,
                                                const ElementFrame& frame, const TimeGrid& grid,
                                                const Progress& progress, Solution& solution) {
  InternalDynamics dynamics(problem);
  InternalMotion m = dynamics.motion();
  m.q = solution.q.col(0);
  ServoRows servo(problem);
  MechanicsData mechanics(problem.robot());
  FrameState state(frame);
  TorqueRecovery recovery(frame, gear_ratios(problem.robot(), frame), options.threads);
  FrameDrives drives(problem.robot(), frame, grid.step());
  Vector travel, torques(frame.joints.size());
  const Vector none(0);
  const double h = grid.step();
  const auto take = [&](int i, double t, Instant& now) -> std::optional<StepFailure> {
    if (i > 0) move(problem.robot(), h * m.v + h * h / 2 * m.a, m.q);
    if (!dynamics.solve(t, none, none, m, 1, &solution.newton_iterations))
      return step_failure(i, dynamics, m.failure);
    now.q = m.q;
    now.v = m.v;
    now.vdot = m.a;
    pose_of_joints(frame, now.q, now.v, now.vdot, state, travel);
    recovery.recover(state, travel, torques);
    if (!drives.take(i, torques, now)) return FrameDrives::failure(i);
    now.lambda = recovery.loop_forces();
    servo.evaluate_value(mechanics, t, now.q, m.y.col(0));
    output_values(problem.robot(), mechanics, now.q, now.lambda, problem.outputs(), now.y);
    now.residual = servo.size() > 0 ? servo.value().cwiseAbs().maxCoeff() : 0;
    return std::nullopt;
  };
  return take_steps(grid, 0, progress, take, solution);
}

// Outputs on their paths, all else by Newmark's method.
class FollowedFrame {
 public:
  FollowedFrame(const InverseProblem& problem, const ParallelOptions& options, double h,
                ElementFrame& frame)
      : problem_(problem),
        frame_(frame),
        outputs_(add_outputs(problem, frame)),
        path_(problem.output_count(), 3),
        system_(frame, [this](double t, std::vector<Driven>& paths) { follow(t, paths); }, {}),
        newmark_(system_, {.delta = options.delta, .beta = options.newmark_beta()}),
        recovery_(frame, gear_ratios(problem.robot(), frame), options.threads),
        drives_(problem.robot(), frame, h),
        torques_(frame.joints.size()) {}

  bool start(double t) {
    if (!frame_.beams.empty() && !newmark_.settle(t)) return false;
    newmark_.start(t, Vector::Zero(frame_.size));
    return true;
  }

  std::optional<StepFailure> take(int i, double t, Instant& now) {
    if (i == 0 ? !start(t) : !newmark_.step(t))
      return StepFailure{i, "", 0, "Newton failed in the equilibrium of the frame of elements"};
    system_.set_motion(newmark_.v(), newmark_.a());
    joints_of_pose(frame_, system_.state(), system_.travel(), now.q, now.v, now.vdot);
    recovery_.recover(system_.state(), system_.travel(), torques_);
    if (!drives_.take(i, torques_, now)) return FrameDrives::failure(i);
    now.lambda = recovery_.loop_forces();
    write_outputs(t, now);
    return std::nullopt;
  }

  long iterations() const { return newmark_.iterations(); }

 private:
  void follow(double t, std::vector<Driven>& paths) {
    problem_.path().derivatives(t, path_);
    outputs_.write(path_, paths);
  }

  // What is followed, and what is missing of it.
  void write_outputs(double t, Instant& now) {
    problem_.path().derivatives(t, path_);
    now.residual = 0;
    Vector missing = Vector::Zero(std::ssize(frame_.outputs)), rate = missing,
           acceleration = missing;
    system_.outputs(t, newmark_.v(), missing, rate, acceleration);
    for (size_t k = 0; k < outputs_.followed.size(); ++k) {
      const auto& [path, row, start] = outputs_.followed[k];
      now.y[row] = frame_.outputs.empty() ? now.q[frame_.joints[path].q]
                                          : path_(row, 0) + missing[static_cast<Eigen::Index>(k)];
      now.residual = std::max(now.residual, std::abs(now.y[row] - path_(row, 0)));
    }
  }

  const InverseProblem& problem_;
  ElementFrame& frame_;
  FrameOutputs outputs_;
  Matrix path_;
  FrameSystem system_;
  Newmark newmark_;
  TorqueRecovery recovery_;
  FrameDrives drives_;
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
    throw ProblemError(problem.task().where +
                       ": the parallel scheme has no force outputs; use bdf");
  if (options.revision != RevisionStep::newton) {
    RevisedChain(problem, start.q, options);
    return;
  }
  try {
    ElementFrame frame = robot_frame(problem.robot(), start.q, frame_options(options));
    if (!problem.is_complete()) add_outputs(problem, frame);
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
  if (problem.is_complete())
    return recover_known_motion(problem, options, frame, grid, progress, solution);
  FollowedFrame followed(problem, options, grid.step(), frame);
  auto failure = take_steps(
      grid, 0, progress, [&](int i, double t, Instant& now) { return followed.take(i, t, now); },
      solution);
  solution.newton_iterations = followed.iterations();
  return failure;
}

}  // namespace tauflex

#include "tauflex/results/rigid_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/equations/start.hpp"
#include "tauflex/mechanics/drive_train.hpp"
#include "tauflex/model/rigid_twin.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {

namespace {

// With those rows of constraints that the elastic robot has.
Robot twin_of(const Robot& robot, const Vector& start) {
  const Robot twin = rigid_twin(robot, start);
  std::vector<int> kept;
  for (int i = 0; i < twin.constraint_count(); ++i)
    for (const ConstraintRow& row : robot.constraints())
      if (row.name == twin.constraints()[i].name) kept.push_back(i);
  return twin.with_constraint_rows(kept);
}

// The coordinates of the twin, out of those of the robot.
Vector twin_start(const Robot& robot, const Robot& twin, const Vector& start) {
  Vector q = twin.coordinates().neutral;
  for (int i = 0; i < twin.nq(); ++i)
    if (const int k = robot.coordinates().find(twin.coordinates().names[i]); k >= 0)
      q[i] = start[k];
  return q;
}

// Why rigid torques mean nothing here, before any is computed; empty: they mean something.
std::string no_twin(const Robot& robot, const VerificationOptions& options) {
  if (robot.is_linearized()) return "the dynamics are linearised";
  if (!robot.description().transmissions.empty())
    return "motors turn several joints through a transmission, which the rigid model leaves out";
  if (options.mode == VerificationMode::feedback && options.controller &&
      options.controller->kind == ControllerOptions::Kind::computed_torque)
    return "the controller computes its torques itself";
  return "";
}

// The motion of the twin in the coordinates of the robot: springs and gears stay as stretched as
// they are at the start.
Solution on_robot(const Robot& robot, const Robot& twin, const Vector& start, Solution rigid) {
  const Eigen::Index n = rigid.t.size();
  Solution all = rigid;
  all.q = start.replicate(1, n);
  all.v = all.vdot = Matrix::Zero(robot.nv(), n);
  // Beams of the twin are straight: what they sag by at the start stays in the joints.
  const auto is_single = [&](int k) {
    const auto& of_velocity = robot.coordinates().of_velocity;
    return std::find(of_velocity.begin(), of_velocity.end(), k) != of_velocity.end();
  };
  for (int i = 0; i < twin.nq(); ++i)
    if (const int k = robot.coordinates().find(twin.coordinates().names[i]); k >= 0)
      all.q.row(k) = rigid.q.row(i).array() + (is_single(k) ? start[k] - rigid.q(i, 0) : 0.0);
  for (int i = 0; i < twin.nv(); ++i)
    if (const int k = robot.coordinates().find_velocity(twin.coordinates().velocity_names[i]);
        k >= 0) {
      all.v.row(k) = rigid.v.row(i);
      all.vdot.row(k) = rigid.vdot.row(i);
    }
  const DriveTrain drives(robot);
  Vector stretch(drives.size()), still = Vector::Zero(drives.size());
  drives.stretch(start, stretch);
  for (Eigen::Index i = 0; i < n; ++i) {
    drives.set_rotor_positions(stretch, all.q.col(i));
    drives.set_rotor_rates(still, all.v.col(i));
    drives.set_rotor_rates(still, all.vdot.col(i));
  }
  return all;
}

// Errors of millimetres need fewer digits than those of a proof; 1e-7 leaves eight of them in e12
// and six_axis_elastic.
constexpr double enough = 1e-7;

// Nobody who thinks of a rigid robot knows more than samples of its torques.
VerificationOptions ordinary(VerificationOptions options) {
  SimulationOptions& simulation = options.simulation;
  simulation.relative_tolerance = std::max(simulation.relative_tolerance, enough);
  simulation.absolute_tolerance = std::max(simulation.absolute_tolerance, 0.1 * enough);
  if (options.mode == VerificationMode::automatic) options.mode = VerificationMode::open_loop;
  options.measure_growth = false;  // the mode is known
  if (options.torque == Hold::exact) options.torque = Hold::smooth;
  if (options.controller && options.controller->torques == HeldValue::best)
    options.controller->torques = HeldValue::mean;
  return options;
}

// s, between two torques. A smooth curve through fewer of them is the same, and the simulation
// takes a step to each.
double sampling(const InverseProblem& problem, const VerificationOptions& options, double step) {
  constexpr double enough_samples = 400;  // as many as the error is measured at
  if (options.torque != Hold::smooth || options.controller) return step;
  return std::max(step, (problem.end() - problem.begin()) / enough_samples);
}

RigidAnswer left_out(const std::string& why) { return {why, std::nullopt}; }

}  // namespace

std::optional<RigidAnswer> rigid_answer(const Robot& plant, const InverseProblem& problem,
                                        const Vector& start, double step,
                                        VerificationOptions options, const Progress& progress) try {
  const Robot& robot = problem.robot();
  options = ordinary(options);
  const Robot twin = twin_of(robot, start);
  if (twin.nv() == robot.nv()) return std::nullopt;
  if (const std::string why = no_twin(robot, options); !why.empty()) return left_out(why);
  if (options.mode == VerificationMode::segments)
    return left_out("the proof runs in segments, each of which starts from the computed motion");
  Task task = problem.task();
  task.near.clear();
  const InverseProblem question(twin, task);
  if (!question.is_algebraic())
    return left_out(
        "with its springs locked the robot still has motions that the path leaves open");
  const RestState rest = rest_state(question, question.begin(), twin_start(robot, twin, start));
  if (rest.status != Status::solved) return left_out("with its springs locked: " + rest.message);
  const Solution rigid =
      solve(question, rest, ExactOptions{.step = sampling(problem, options, step)}, progress);
  if (rigid.status != Status::solved) return left_out("with its springs locked: " + rigid.message);
  Verification run = verify(plant, problem, on_robot(robot, twin, start, rigid), options, progress);
  if (run.status != Status::solved && run.status != Status::missed) return left_out(run.message);
  return RigidAnswer{"", std::move(run)};
} catch (const Error& error) {
  return left_out(fmt::format("with its springs locked: {}", error.what()));
}

std::string open_loop_is_meaningless(const Verification& proof) {
  return fmt::format(
      "open loop, errors grow by a factor of 1e{:.0f} over this motion, so that no open-loop run "
      "can tell torques apart",
      proof.log_growth / std::log(10.0));
}

}  // namespace tauflex

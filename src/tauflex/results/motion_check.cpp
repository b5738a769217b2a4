#include "tauflex/results/motion_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/analysis/diagnosis.hpp"
#include "tauflex/mechanics/constrained_dynamics.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/results/stated_errors.hpp"

namespace tauflex {

bool is_same_plant(const Robot& plant, const Robot& model, const Solution& solution) {
  if (plant.coordinates().names != model.coordinates().names) return false;
  MechanicsData of_plant(plant), of_model(model);
  const auto forces = [&](const Robot& robot, MechanicsData& data, Eigen::Index i) {
    const Vector q = solution.q.col(i), v = solution.v.col(i), vdot = solution.vdot.col(i);
    Vector u = Vector::Zero(robot.actuation().count());
    joint_torques<double>(robot, data, q, v, vdot);
    drive_spring_torques<double>(robot, data, q, v);
    motor_torques<double>(robot, data, v, vdot, u);
    Vector all(data.tau.size() + data.spring_torque.size() + u.size());
    all << data.tau, data.spring_torque, u;
    return all;
  };
  ConstrainedDynamics on_plant(plant), on_model(model);
  const auto violation = [&](ConstrainedDynamics& dynamics, Eigen::Index i) {
    return dynamics.violation(solution.q.col(i), solution.v.col(i), solution.t[i]).position;
  };
  const Eigen::Index last = solution.t.size() - 1;
  for (const Eigen::Index i : {Eigen::Index{0}, last / 3, last / 2, last})
    if (forces(plant, of_plant, i) != forces(model, of_model, i) ||
        violation(on_plant, i) != violation(on_model, i))
      return false;
  return true;
}

namespace {

// The coordinate with the largest share.
struct MotionError {
  double share = 0, error = 0;
  Eigen::Index coordinate = 0;

  void raise(const Matrix& q, const Matrix& wanted, double growth, const Vector& sizes) {
    const Vector largest = (q - wanted).cwiseAbs().rowwise().maxCoeff();
    for (Eigen::Index i = 0; i < largest.size(); ++i) {
      const double here = std::max(0.0, largest[i] - growth * integrator_noise) / sizes[i];
      if (here <= share && error > 0) continue;
      share = here;
      error = largest[i];
      coordinate = i;
    }
  }
};

// Runs of the plant under the torques themselves, each from a state of the solution until errors
// have grown a thousandfold.
Status run_in_segments(const Robot& plant, const InverseProblem& problem, const Solution& solution,
                       const VerificationOptions& options, const Vector& sizes,
                       const Progress& progress, MotionError& worst) {
  const SentTorques sent =
      sent_torques(std::nullopt, problem, solution, solution.dense ? Hold::exact : Hold::smooth);
  ForwardProblem forward(plant, TorqueSignal(sent.t, sent.u, sent.hold));
  const Vector log_growth =
      log_growth_along(plant, solution.t, solution.q, solution.v, solution.vdot, solution.lambda);
  const Eigen::Index last = solution.t.size() - 1;
  std::vector<Eigen::Index> starts = segment_starts(log_growth);
  starts.push_back(last);
  for (size_t s = 0; s + 1 < starts.size(); ++s) {
    const Eigen::Index first = starts[s], end = starts[s + 1], count = end - first + 1;
    const Progress of_segment = [&](double) {
      return !progress || progress(static_cast<double>(first) / static_cast<double>(last));
    };
    const Simulation run =
        simulate(forward, solution.q.col(first), solution.v.col(first),
                 solution.t.segment(first, count), options.simulation, of_segment);
    if (run.status != Status::solved) return run.status;
    worst.raise(run.q, solution.q.middleCols(first, count),
                std::exp(log_growth[end] - log_growth[first]), sizes);
  }
  return Status::solved;
}

}  // namespace

void check_motion(const Robot& plant, const InverseProblem& problem, const Solution& solution,
                  const VerificationOptions& options, Verification& proof,
                  const Progress& progress) {
  const Eigen::Index reached = proof.q.cols();
  if (reached == 0 || options.simulation.frame || !is_same_plant(plant, problem.robot(), solution))
    return;
  const Vector sizes = ranges(solution.q).cwiseMax(negligible_motion(proof.tolerance));
  MotionError worst;
  worst.raise(proof.q, solution.q.leftCols(reached),
              std::min(proof.growth(), most_growth_in_segment), sizes);
  const bool is_open_loop = proof.mode != VerificationMode::feedback;
  if (proof.status == Status::solved && (worst.share > largest_known_share || !is_open_loop)) {
    MotionError exact;
    const Status status =
        run_in_segments(plant, problem, solution, options, sizes, progress, exact);
    if (status == Status::interrupted) proof.status = status;
    if (status == Status::solved) worst = exact;
  }
  proof.max_motion_error = worst.error;
  proof.motion_error_of = plant.coordinates().names[worst.coordinate];
  proof.motion_error_share = worst.share;
  if (proof.status != Status::solved || worst.share <= largest_known_share) return;
  proof.status = Status::missed;
  proof.doubt = fmt::format(
      "the torques do not give the motion that they were computed for: '{}' is off by {:.3g} {}, "
      "{:.0f} % of its range; take a smaller step, or method: jets where it applies",
      proof.motion_error_of, worst.error,
      plant.coordinates().is_angle[worst.coordinate] ? "rad" : "m", 100 * worst.share);
  proof.message = proof.doubt;
}

}  // namespace tauflex

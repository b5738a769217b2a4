#include "tauflex/jobs/control.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/plant/computed_torque.hpp"
#include "tauflex/plant/feedback.hpp"

namespace tauflex {

namespace {

void read_sampling(const Node& node, ControllerOptions& options) {
  for (const char* key : {"hold", "torques"})
    if (node.has(key) && options.sample == 0) node.at(key).fail("needs 'sample', s");
  if (const auto hold = node.find("hold")) {
    if (hold->text() != "zero" && hold->text() != "linear")
      hold->fail("expected zero or linear, got '" + hold->text() + "'");
    options.hold = hold->text() == "zero" ? Hold::held : Hold::linear;
    if (options.hold == Hold::linear && options.measures())
      hold->fail("a controller that measures does not know its next command; hold: zero");
  }
  if (const auto torques = node.find("torques")) {
    bool found = false;
    for (const auto known : {HeldValue::start, HeldValue::middle, HeldValue::mean, HeldValue::best})
      if (torques->text() == name(known)) {
        options.torques = known;
        found = true;
      }
    if (!found)
      torques->fail("expected start, middle, mean or best, got '" + torques->text() + "'");
    if (!options.feedforward) torques->fail("are not sent by this controller");
    if (options.hold == Hold::linear && options.torques == HeldValue::middle)
      torques->fail("middle belongs to hold: zero");
  }
}

}  // namespace

ControllerOptions read_controller(const Node& node) {
  node.allow({"pd", "computed_torque", "feedforward", "sample", "hold", "torques"});
  if (node.has("pd") && node.has("computed_torque"))
    node.fail("expected one of pd, computed_torque, not both");
  ControllerOptions options;
  if (const auto sample = node.find("sample")) options.sample = sample->positive();
  if (!node.has("pd") && !node.has("computed_torque")) {
    if (options.sample == 0)
      node.fail("expected pd, computed_torque, or sample for the torques alone");
    options.kind = ControllerOptions::Kind::torques_alone;
    if (node.has("feedforward")) node.at("feedforward").fail("belongs to pd");
    read_sampling(node, options);
    return options;
  }
  if (node.has("computed_torque")) {
    options.kind = ControllerOptions::Kind::computed_torque;
    options.measured = Measured::joint;
    options.feedforward = false;
    if (node.has("feedforward"))
      node.at("feedforward").fail("belongs to pd; computed torque has its own");
  }
  const Node law = node.at(node.has("pd") ? "pd" : "computed_torque");
  law.allow({"kp", "kd", "measured"});
  if (const auto kp = law.find("kp")) options.kp = kp->numbers();
  if (const auto kd = law.find("kd")) options.kd = kd->numbers();
  if (const auto measured = law.find("measured")) {
    if (measured->text() != "motor" && measured->text() != "joint")
      measured->fail("expected motor or joint, got '" + measured->text() + "'");
    options.measured = measured->text() == "motor" ? Measured::motor : Measured::joint;
  }
  if (const auto feedforward = node.find("feedforward"))
    options.feedforward = feedforward->boolean();
  read_sampling(node, options);
  return options;
}

std::string controller_text(const ControllerOptions& options) {
  std::string text = !options.measures() ? "torques alone"
                     : options.kind == ControllerOptions::Kind::computed_torque
                         ? "computed torque control"
                     : options.measured == Measured::motor ? "PD control of the motors"
                                                           : "PD control of the joints";
  if (options.feedforward && options.measures()) text += " on top of the torques";
  if (options.sample > 0) text += fmt::format(", sampled every {:.6g} ms", 1e3 * options.sample);
  return text;
}

namespace {

void take(const std::optional<Vector>& given, Vector& gain, const char* what, const char* of) {
  if (!given) return;
  if (given->size() != gain.size())
    throw InputError(fmt::format("controller: {}: expected {} numbers, one per {}, got {}", what,
                                 gain.size(), of, given->size()));
  gain = *given;
}

FeedbackReference reference(const ControllerOptions& options, const Robot& plant,
                            const Solution& solution) {
  const auto& drives = plant.drives();
  const auto n = static_cast<Eigen::Index>(drives.size());
  FeedbackReference f;
  f.t = solution.t;
  f.angle = f.rate = Matrix::Zero(n, solution.t.size());
  f.kp = f.kd = Vector::Zero(n);
  MechanicsData data(plant);
  mass_matrix(plant, data, Vector(solution.q.col(0)));
  const double omega = 2 * M_PI * 5;
  for (Eigen::Index d = 0; d < n; ++d) {
    const DriveLayout& drive = drives[static_cast<size_t>(d)];
    const Encoder encoder =
        options.measured == Measured::motor ? motor_encoder(drive) : joint_encoder(drive);
    f.angle.row(d) = encoder.ratio * solution.q.row(encoder.q);
    f.rate.row(d) = encoder.ratio * solution.v.row(encoder.v);
    const double inertia =
        (drive.rotor_q >= 0 ? drive.rotor_inertia : 0) +
        data.M(drive.joint_v, drive.joint_v) / (drive.gear_ratio * drive.gear_ratio);
    f.kp[d] = omega * omega * inertia;
    f.kd[d] = 1.4 * omega * inertia;
  }
  take(options.kp, f.kp, "kp", "drive");
  take(options.kd, f.kd, "kd", "drive");
  return f;
}

// u(t) so densely that nothing is lost between: 16 values per sample, degree 5.
SentTorques exact_torques(const Solution& solution) {
  if (!solution.dense)
    throw InputError(fmt::format(
        "verification.torque: exact is for methods that have torques at any time, jets and "
        "stable_inversion; {} has samples",
        solution.method));
  constexpr Eigen::Index density = 16;
  const Eigen::Index steps = (solution.t.size() - 1) * density;
  SentTorques sent{Vector(steps + 1), Matrix(solution.u.rows(), steps + 1), Hold::exact};
  Instant now;
  for (Eigen::Index i = 0; i <= steps; ++i) {
    const Eigen::Index k = i / density;
    const double x = static_cast<double>(i % density) / static_cast<double>(density);
    sent.t[i] = x == 0 ? solution.t[k] : solution.t[k] + x * (solution.t[k + 1] - solution.t[k]);
    if (!solution.dense->at(sent.t[i], now))
      throw ProblemError(fmt::format("t = {:.6g} s: no torque there", sent.t[i]));
    sent.u.col(i) = now.u;
  }
  return sent;
}

}  // namespace

SentTorques sent_torques(const std::optional<ControllerOptions>& options,
                         const InverseProblem& problem, const Solution& solution, Hold hold) {
  if (!options)
    return hold == Hold::exact ? exact_torques(solution)
                               : SentTorques{solution.t, solution.u, hold};
  if (!options->feedforward) return {solution.t, Matrix(0 * solution.u), hold};
  // a controller that measures reads the torques at its samples by itself
  if (options->sample == 0 && hold == Hold::exact) return exact_torques(solution);
  if (options->sample == 0 || (options->measures() && options->torques == HeldValue::start))
    return {solution.t, solution.u, hold == Hold::exact ? Hold::smooth : hold};
  const HeldTorques held =
      held_torques(problem, solution, {options->sample, options->hold, options->torques});
  return {held.t, held.u, options->hold, true};
}

std::shared_ptr<Controller> make_controller(const ControllerOptions& options, const Robot& plant,
                                            const InverseProblem& problem,
                                            const Solution& solution) {
  if (!options.measures()) return nullptr;
  if (options.kind == ControllerOptions::Kind::pd)
    return std::make_shared<Feedback>(plant, reference(options, plant, solution), options.measured);
  if (!problem.robot().description().transmissions.empty())
    throw ProblemError(problem.task().where +
                       ": computed torque does not know transmissions; use pd");
  if (!problem.is_block_triangular())
    throw ProblemError(problem.task().where +
                       ": computed torque cannot follow a rotor; take its joint as output");
  Vector kp = Vector::Constant(problem.output_count(), 100),
         kd = Vector::Constant(problem.output_count(), 20);
  take(options.kp, kp, "kp", "output");
  take(options.kd, kd, "kd", "output");
  return std::make_shared<ComputedTorque>(problem, plant, kp, kd, options.measured);
}

}  // namespace tauflex

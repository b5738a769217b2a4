#include "tauflex/jobs/control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tauflex/base/read_fields.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/plant/computed_torque.hpp"
#include "tauflex/plant/feedback.hpp"

namespace tauflex {

namespace {

using Kind = ControllerOptions::Kind;
constexpr Kind kinds[] = {Kind::pd, Kind::computed_torque, Kind::torques_alone};

const char* name(Kind kind) {
  return kind == Kind::pd                ? "pd"
         : kind == Kind::computed_torque ? "computed_torque"
                                         : "torques alone";
}

}  // namespace

ControllerOptions ControllerOptions::of(Kind kind) {
  ControllerOptions options;
  options.kind = kind;
  if (kind == Kind::computed_torque) {
    options.measured = Measured::joint;
    options.feedforward = false;
  }
  return options;
}

std::vector<Field> gain_fields(ControllerOptions& options) {
  const bool pd = options.kind == Kind::pd;
  using namespace describe;
  return {numbers("kp", options.kp, "",
                  pd ? "proportional, one per drive, N m/rad on the motor side"
                     : "proportional, one per output, 1/s^2")
              .if_left_out(pd ? "5 Hz for each motor with what it carries" : "100"),
          numbers("kd", options.kd, "",
                  pd ? "derivative, one per drive, N m s/rad on the motor side"
                     : "derivative, one per output, 1/s")
              .if_left_out(pd ? "well damped" : "20")};
}

std::vector<Field> ControllerOptions::fields() {
  using namespace describe;
  std::vector<Field> list;
  if (measures()) {
    std::vector<Field> law = gain_fields(*this);
    law.push_back(choice("measured", measured, {Measured::motor, Measured::joint},
                         "where drives are measured"));
    list.push_back(group(name(kind), std::move(law),
                         kind == Kind::pd ? "feedback of the drives" : "feedback of the outputs"));
  }
  if (kind == Kind::pd)
    list.push_back(boolean("feedforward", feedforward, "the torques of the solution are sent too"));
  for (Field& field : sampling_fields(sample, hold, torques)) {
    if (field.key == "sample" && measures()) field.left_out = "continuous";
    if (field.key != "torques" || kind != Kind::computed_torque) list.push_back(std::move(field));
  }
  return list;
}

void ControllerOptions::check() const {
  check_fields("controller", ControllerOptions(*this).fields());
  if (sample > 0) SamplingOptions{sample, hold, torques}.check();
  if (hold == Hold::linear && measures())
    throw FieldError("controller", "hold",
                     "a controller that measures does not know its next command; hold: zero");
  if (feedforward && kind == Kind::computed_torque)
    throw FieldError("controller", "feedforward", "belongs to pd; computed torque has its own");
  if (!feedforward && torques != HeldValue::start)
    throw FieldError("controller", "torques", "are not sent by this controller");
  for (const auto& [key, gains] : {std::pair("kp", kp), std::pair("kd", kd)})
    if (gains && gains->size() > 0 && gains->minCoeff() < 0)
      throw FieldError("controller", fmt::format("{}.{}", name(kind), key),
                       fmt::format("must not be negative, got {}", shortest(gains->minCoeff())));
}

namespace {

// Keys that belong to another kind of controller.
void refuse_foreign_keys(const Node& node, Kind kind) {
  std::map<std::string, std::vector<std::string>> owners;
  std::vector<std::string> keys;
  for (const Kind any : kinds) {
    ControllerOptions options = ControllerOptions::of(any);
    for (const Field& field : options.fields()) {
      if (owners[field.key].empty()) keys.push_back(field.key);
      owners[field.key].emplace_back(name(any));
    }
  }
  node.allow(keys);
  for (const std::string& key : node.keys()) {
    const auto& own = owners[key];
    if (std::find(own.begin(), own.end(), name(kind)) == own.end())
      node.at(key).fail("belongs to " + either(own));
  }
}

}  // namespace

ControllerOptions read_controller(const Node& node) {
  if (node.has("pd") && node.has("computed_torque"))
    node.fail("expected one of pd, computed_torque, not both");
  const Kind kind = node.has("pd")                ? Kind::pd
                    : node.has("computed_torque") ? Kind::computed_torque
                                                  : Kind::torques_alone;
  refuse_foreign_keys(node, kind);
  if (kind == Kind::torques_alone && !node.has("sample"))
    node.fail("expected pd, computed_torque, or sample for the torques alone");
  for (const char* key : {"hold", "torques"})
    if (node.has(key) && !node.has("sample")) node.at(key).fail("needs 'sample', s");
  ControllerOptions options = ControllerOptions::of(kind);
  read_fields(node, options.fields());
  if (options.measures())
    options.where = node.at(name(kind)).where() + ": controller." + name(kind);
  try {
    options.check();
  } catch (const FieldError& error) {
    fail_at(node, error);
  }
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

void require_one_each(const std::optional<Vector>& gains, const char* what,
                      const ControllerOptions& options, const std::vector<std::string>& names) {
  if (gains && gains->size() != std::ssize(names))
    throw InputError(fmt::format("{}.{}: expected {}, one for each {} ({}), got {}", options.where,
                                 what, counted(names.size(), "number"),
                                 options.kind == Kind::pd ? "drive" : "output", join(names),
                                 gains->size()));
}

FeedbackReference reference(const ControllerOptions& options, const Robot& robot,
                            const Solution& solution) {
  const auto& drives = robot.actuation().drives;
  const auto n = static_cast<Eigen::Index>(drives.size());
  FeedbackReference f;
  f.t = solution.t;
  f.angle = f.rate = Matrix::Zero(n, solution.t.size());
  f.kp = f.kd = Vector::Zero(n);
  MechanicsData data(robot);
  mass_matrix(robot, data, Vector(solution.q.col(0)));
  const double omega = 2 * M_PI * 5;
  for (Eigen::Index d = 0; d < n; ++d) {
    const DriveLayout& drive = drives[d];
    const Encoder encoder =
        options.measured == Measured::motor ? motor_encoder(drive) : joint_encoder(drive);
    f.angle.row(d) = encoder.ratio * solution.q.row(encoder.q);
    f.rate.row(d) = encoder.ratio * solution.v.row(encoder.v);
    const double inertia = drive.free_rotor_inertia() + data.M(drive.joint_v, drive.joint_v) /
                                                            (drive.gear_ratio * drive.gear_ratio);
    f.kp[d] = omega * omega * inertia;
    f.kd[d] = 1.4 * omega * inertia;
  }
  f.kp = options.kp.value_or(f.kp);
  f.kd = options.kd.value_or(f.kd);
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
  if (options) options->check();
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

void require_gains(const ControllerOptions& options, const InverseProblem& problem) {
  std::vector<std::string> names = problem.task().outputs;
  if (options.kind == Kind::pd) names = problem.robot().actuation().names;
  require_one_each(options.kp, "kp", options, names);
  require_one_each(options.kd, "kd", options, names);
}

std::shared_ptr<Controller> make_controller(const ControllerOptions& options, const Robot& plant,
                                            const InverseProblem& problem,
                                            const Solution& solution) {
  options.check();
  if (!options.measures()) return nullptr;
  require_gains(options, problem);
  if (options.kind == ControllerOptions::Kind::pd)
    return std::make_shared<Feedback>(plant, reference(options, problem.robot(), solution),
                                      options.measured);
  if (!problem.robot().description().transmissions.empty())
    throw ProblemError(problem.task().where +
                       ": computed torque does not know transmissions; use pd");
  if (plant.coordinates().names != problem.robot().coordinates().names)
    throw ProblemError(problem.task().where +
                       ": computed torque measures the coordinates of the robot, which this plant "
                       "does not have; use pd");
  if (!problem.is_block_triangular())
    throw ProblemError(problem.task().where +
                       ": computed torque cannot follow a rotor; take its joint as output");
  Vector kp = Vector::Constant(problem.output_count(), 100),
         kd = Vector::Constant(problem.output_count(), 20);
  kp = options.kp.value_or(kp);
  kd = options.kd.value_or(kd);
  return std::make_shared<ComputedTorque>(problem, plant, kp, kd, options.measured);
}

}  // namespace tauflex

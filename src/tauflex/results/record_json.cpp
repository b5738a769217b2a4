#include "tauflex/results/record_json.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tauflex/base/failures.hpp"
#include "tauflex/base/fields_json.hpp"
#include "tauflex/base/version.hpp"
#include "tauflex/planning/least_torque_posture.hpp"
#include "tauflex/results/record_limits.hpp"
#include "tauflex/results/record_numbers.hpp"

namespace tauflex {

namespace {

using Json = nlohmann::ordered_json;

// What every file starts with.
Json header(const Job& job) {
  return {{"format", 1},
          {"version", version()},
          {"job", job.name},
          {"robot_notes", job.robot.notes},
          {"path_notes", job.task.notes}};
}

std::string text(const Json& json) { return json.dump(2) + "\n"; }

Json optional_number(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// Infinity is no number of JSON.
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_json(const Diagnosis& d) {
  const auto numbers = [](const Vector& x) { return std::vector<double>(x.begin(), x.end()); };
  const auto columns = [&](const Matrix& x) {
    Json list = Json::array();
    for (Eigen::Index k = 0; k < x.cols(); ++k) list.push_back(numbers(x.col(k)));
    return list;
  };
  Json phase = Json::array();
  for (const PhaseAtPoint& point : d.phase)
    phase.push_back(
        {{"t", point.t},
         {"largest_real_part",
          std::isfinite(point.largest_real_part) ? Json(point.largest_real_part) : Json(nullptr)},
         {"unstable", point.unstable},
         {"marginal", point.marginal},
         {"stable", point.stable}});
  Json zeros = Json::array();
  for (const auto& zero : d.zeros) zeros.push_back({zero.real(), zero.imag()});
  const IndexAtPoint first = d.index.available ? d.index.points.front() : IndexAtPoint{};
  const auto of_index = [&](const auto& value) {
    return d.index.available ? Json(value) : Json(nullptr);
  };
  Json blocks = Json::array();
  for (const NamedBlock& block : d.index.blocks)
    blocks.push_back({{"equations", block.equations}, {"variables", block.variables}});
  return {{"status", name(d.status)},
          {"message", d.message},
          {"differential_index", d.differential_index},
          {"reduced_index", of_index(first.differential_index)},
          {"strangeness_index", of_index(first.strangeness_index)},
          {"algebraic", of_index(d.index.algebraic)},
          {"differential", of_index(d.index.differential)},
          {"structural_index",
           d.index.structurally_regular ? of_index(d.index.structural_index) : Json(nullptr)},
          {"rank_gap", of_index(d.index.gap())},
          {"rank_threshold", of_index(d.index.threshold)},
          {"blocks", blocks},
          {"required_smoothness", d.required_smoothness},
          {"minimum_phase", d.minimum_phase},
          {"zeros", zeros},
          {"phase", phase},
          {"undamped", d.undamped},
          {"holding_torques", numbers(d.holding_torques)},
          {"torque_null_space", columns(d.torque_null_space)},
          {"self_motion", columns(d.self_motion)}};
}

Json to_json(const std::vector<LimitMargin>& margins) {
  Json list = Json::array();
  for (const LimitMargin& m : margins)
    list.push_back({{"of", m.of},
                    {"limit", name(m.kind)},
                    {"value", m.value},
                    {"bound", m.limit},
                    {"t", m.t},
                    {"margin", m.margin},
                    {"error_share", m.error_share > 0 ? Json(m.error_share) : Json(nullptr)}});
  return list;
}

Json named(const std::vector<std::string>& names, const Vector& values) {
  Json json = Json::object();
  for (Eigen::Index i = 0; i < values.size(); ++i) json[names[i]] = values[i];
  return json;
}

Json to_json(const std::vector<RingingMode>& modes) {
  Json list = Json::array();
  for (const RingingMode& mode : modes) {
    const double decay = mode.decay_time();
    list.push_back({{"frequency_Hz", mode.frequency()},
                    {"decay_time_s", std::isfinite(decay) ? Json(decay) : Json(nullptr)}});
  }
  return list;
}

Json to_json(const Ringing& ringing, const Robot& robot, const std::vector<std::string>& outputs) {
  return {{"status", name(ringing.status)},
          {"message", ringing.message},
          {"t", ringing.t},
          {"window", ringing.window},
          {"joints", named(robot.coordinates().velocity_names, ringing.q)},
          {"torques", named(robot.actuation().names, ringing.u)},
          {"modes", to_json(ringing.internal)},
          {"locked",
           {{"outputs", named(outputs, ringing.y)},
            {"rest", named(outputs, ringing.y_rest)},
            {"modes", to_json(ringing.locked)}}}};
}

}  // namespace

std::string solvability_json(const Job& job, const Solvability& result) {
  const auto points = [](const std::vector<IndexAtPoint>& list) {
    Json json = Json::array();
    for (const IndexAtPoint& point : list)
      json.push_back({{"t", point.t},
                      {"reduced_index", point.differential_index},
                      {"strangeness_index", point.strangeness_index},
                      {"algebraic_count", point.algebraic_count},
                      {"differential_count", point.differential_count},
                      {"rank_gap", point.gap}});
    return json;
  };
  Json losses = Json::array();
  for (const RankLoss& loss : result.rank_losses)
    losses.push_back({{"t", loss.t}, {"row", loss.row}, {"independence", loss.independence}});
  Json json = header(job);
  json["solvable"] = result.solvable;
  json["verdict"] = result.verdict;
  json["notes"] = result.notes;
  json["changes"] = result.changes;
  json["path_smoothness"] = result.path_smoothness;
  json["rank_losses"] = losses;
  json["on_path"] =
      points(result.diagnosis ? result.diagnosis->index.points : std::vector<IndexAtPoint>{});
  json["on_solution"] = points(result.on_solution);
  if (const auto& started = result.initial_value)
    json["initial_value"] = {
        {"log10_growth", started->log_growth},
        {"negative_inertias", started->inertia ? Json(started->inertia->negative) : Json(nullptr)}};
  json["diagnosis"] = result.diagnosis ? to_json(*result.diagnosis) : Json(nullptr);
  return text(json);
}

std::string diagnosis_json(const Job& job, const Diagnosis& diagnosis) {
  Json json = header(job);
  json["diagnosis"] = to_json(diagnosis);
  return text(json);
}

std::string plant_json(const Job& job, const PosedPlant& posed) {
  Json json = header(job);
  json["plant"] = {{"coordinates", posed.plant.nq()},
                   {"constraint_rows", posed.plant.constraint_count()},
                   {"redundant_constraints", posed.plant.redundant_constraints()},
                   {"start", named(posed.plant.coordinates().names, posed.q)}};
  return text(json);
}

std::string free_run_json(const Job& job, const FreeRun& run,
                          const std::vector<std::string>& files) {
  Json json = header(job);
  json["files"] = files;
  json["simulation"] = {{"status", name(run.simulation.status)},
                        {"message", run.simulation.message},
                        {"integrator", run.simulation.integrator},
                        {"torque", run.has_table ? Json(name(run.hold)) : Json(nullptr)},
                        {"steps", run.simulation.steps},
                        {"energy_balance_error", run.energy_balance_error},
                        {"max_constraint_violation", run.max_constraint_violation},
                        {"redundant_constraints", run.plant.redundant_constraints()}};
  return text(json);
}

namespace {

Json to_json(const MotionRegularity& regularity, const Robot& robot) {
  return {{"smallest", regularity.outputs.value},
          {"t", regularity.outputs.t},
          {"pose", named(robot.coordinates().names, regularity.outputs.q.head(robot.tree_nq()))},
          {"loops", regularity.loops.value},
          {"coupling", regularity.coupling.value}};
}

// Peaks of each drive, and their largest share of its limits.
Json drives_json(const Record& record) {
  const Robot& robot = record.robot;
  const Solution& s = record.solution;
  const SentMotion sent = sent_motion(record);
  Json drives = Json::object();
  for (int i = 0; i < std::ssize(robot.actuation().drives) && s.u.cols() > 0; ++i) {
    const DrivePeaks peaks = drive_peaks(robot, sent, i);
    const Drive::Limits& limits = robot.actuation().drives[i].limits;
    const double torque = std::abs(peaks.torque.value), rate = std::abs(peaks.torque_rate.value),
                 speed = std::abs(peaks.speed.value);
    drives[robot.actuation().names[i]] = {
        {"unit", robot.actuation().drives[i].motor_turns ? "N m" : "N"},
        {"torque", torque},
        {"torque_rate", rate},
        {"speed", speed},
        {"torque_error", s.torque_errors.size() > 0 ? Json(s.torque_errors[i]) : Json(nullptr)},
        {"share_of_limits",
         std::max({torque / limits.torque, rate / limits.torque_rate, speed / limits.speed})}};
  }
  return drives;
}

Json solution_json(const Record& record) {
  const Solution& s = record.solution;
  const Robot& robot = record.robot;
  const auto measured = [](double x) { return x > 0 ? Json(x) : Json(nullptr); };
  Json json = {{"status", name(s.status)},
               {"message", s.message},
               {"method", s.method},
               {"order", s.order},
               {"step", s.step},
               {"steps", s.steps},
               {"integrator_steps", s.integrator_steps},
               {"newton_iterations", s.newton_iterations},
               {"solve_seconds", s.solve_seconds},
               {"max_constraint_residual", s.max_constraint_residual},
               {"start_offset", s.start_offset},
               {"torque_error_estimate", measured(s.largest_torque_error())},
               {"condition", measured(s.condition)},
               {"condition_unscaled", measured(s.condition_unscaled)}};
  json["options"] = nullptr;
  if (record.method) {
    Method method = *record.method;
    json["options"] = {{name(method), Json::parse(values_json(fields(method)))}};
  }
  json["peak_torque"] = Json::object();
  for (int i = 0; i < std::ssize(robot.actuation().drives) && s.u.cols() > 0; ++i)
    json["peak_torque"][robot.actuation().names[i]] = s.u.row(i).cwiseAbs().maxCoeff();
  json["motion_errors"] = s.motion_errors.size() > 0
                              ? named(robot.coordinates().names, s.motion_errors)
                              : Json(nullptr);
  json["torque_squared"] = torque_squared(s);
  json["singularity"] = record.regularity ? to_json(*record.regularity, robot) : Json(nullptr);
  json["drives"] = drives_json(record);
  json["limits"] = to_json(record.limits);
  const LimitMargin* closest = closest_limit(record.limits);
  json["least_margin"] = closest ? finite(closest->margin) : Json(nullptr);
  json["limits_of"] = sent_motion_text(record);
  json["redundant_constraints"] = robot.redundant_constraints();
  return json;
}

Json to_json(const Verification& v, const Job& job) {
  const bool sampled = v.sent.sampled;
  return {
      {"status", name(v.status)},
      {"message", v.message},
      {"mode", name(v.mode)},
      {"integrator", v.integrator},
      {"torque", name(v.torque)},
      {"sample", sampled ? Json(job.controller->sample) : Json(nullptr)},
      {"sampled_torques", sampled ? Json(name(job.controller->torques)) : Json(nullptr)},
      {"tolerance", optional_number(v.tolerance.length ? v.tolerance.length : v.tolerance.angle)},
      {"angle_tolerance", optional_number(v.tolerance.angle)},
      {"force_tolerance", optional_number(v.tolerance.force)},
      {"standing_still_m", optional_number(v.standing_still.length)},
      {"standing_still_rad", optional_number(v.standing_still.angle)},
      {"no_force_N", optional_number(v.standing_still.force)},
      {"covered", {{"from", v.covered.from}, {"to", v.covered.to}, {"share", v.covered.share}}},
      {"plant_differences", job.plant_differences},
      {"growth", finite(v.growth())},
      {"log10_growth", v.log_growth / std::log(10.0)},
      {"segments", v.segments},
      {"max_tool_error_m", optional_number(v.max_tool_error_m)},
      {"rms_tool_error_m", optional_number(v.rms_tool_error_m)},
      {"max_orientation_error_rad", optional_number(v.max_orientation_error_rad)},
      {"max_force_error_N", optional_number(v.max_force_error_N)},
      {"max_motion_error", optional_number(v.max_motion_error)},
      {"motion_error_of", v.max_motion_error ? Json(v.motion_error_of) : Json(nullptr)},
      {"motion_error_share", v.max_motion_error ? Json(v.motion_error_share) : Json(nullptr)},
      {"doubt", v.doubt},
      {"max_constraint_violation", v.max_constraint_violation},
      {"energy_balance_error", v.energy_balance_error},
      {"integrator_steps", v.integrator_steps}};
}

Json to_json(const RigidAnswer& rigid, const std::vector<std::string>& drives) {
  Json json = {{"left_out", rigid.left_out.empty() ? Json(nullptr) : Json(rigid.left_out)}};
  if (!rigid.run) return json;
  const Verification& run = *rigid.run;
  json["mode"] = name(run.mode);
  json["max_tool_error_m"] = optional_number(run.max_tool_error_m);
  json["rms_tool_error_m"] = optional_number(run.rms_tool_error_m);
  json["max_orientation_error_rad"] = optional_number(run.max_orientation_error_rad);
  json["max_force_error_N"] = optional_number(run.max_force_error_N);
  json["peak_torque"] = Json::object();
  for (Eigen::Index i = 0; i < run.sent.u.rows(); ++i)
    json["peak_torque"][drives[i]] = run.sent.u.row(i).cwiseAbs().maxCoeff();
  json["integrator_steps"] = run.integrator_steps;
  return json;
}

Json to_json(const FinerMesh& finer) {
  Json json = {{"left_out", finer.left_out.empty() ? Json(nullptr) : Json(finer.left_out)}};
  if (!finer.run) return json;
  json["max_tool_error_m"] = optional_number(finer.run->max_tool_error_m);
  json["rms_tool_error_m"] = optional_number(finer.run->rms_tool_error_m);
  json["max_orientation_error_rad"] = optional_number(finer.run->max_orientation_error_rad);
  json["max_force_error_N"] = optional_number(finer.run->max_force_error_N);
  json["integrator_steps"] = finer.run->integrator_steps;
  return json;
}

Json to_json(const KeptModes& beam) {
  return {{"link", beam.link},
          {"kept", beam.kept},
          {"all", beam.all},
          {"left_out_from_Hz", beam.left_out_from / (2 * M_PI)},
          {"path_up_to_Hz", beam.path_frequency / (2 * M_PI)},
          {"missed_inertia", beam.missed}};
}

Json to_json(const InternalGrowth& internal) {
  return {{"growth", internal.largest},
          {"t", internal.t},
          {"first_loss", optional_number(internal.first_loss)},
          {"growing", internal.growing},
          {"marginal", internal.marginal},
          {"decaying", internal.decaying}};
}

// Accuracy and limits in a word each, and the code of a failure.
Json verdict_json(const Record& record) {
  const auto& proof = record.verification;
  const bool proved =
      record.solution.status == Status::solved && proof && proof->status == Status::solved;
  std::string accuracy(name(
      record.solution.status == Status::solved && proof ? proof->status : record.solution.status));
  if (proved) accuracy = proof->proves_standing_still() ? "as standing still" : "proved";
  if (record.solution.status == Status::solved && !proof) accuracy = "not verified";
  if (proof && proof->status == Status::missed && !proof->covered.is_whole())
    accuracy = "not proved";
  const Failure* failure = failure_of(record);
  return {{"accuracy", accuracy},
          {"limits", name(limit_state(record.limits))},
          {"code", failure ? Json(failure->code()) : Json(nullptr)}};
}

}  // namespace

nlohmann::ordered_json record_section(const Record& record, const std::string& section) {
  const auto& verification = record.verification;
  if (section == "verdict") return verdict_json(record);
  if (section == "diagnosis") {
    Json json = to_json(record.diagnosis);
    json["growth"] = verification ? finite(verification->growth()) : Json(nullptr);
    return json;
  }
  if (section == "internal" && record.internal) return to_json(*record.internal);
  if (section == "solution") return solution_json(record);
  if (section == "ringing" && record.ringing)
    return to_json(*record.ringing, record.robot, record.job.task.outputs);
  if (section == "verification" && verification) return to_json(*verification, record.job);
  if (section == "finer_mesh" && record.finer) return to_json(*record.finer);
  if (section == "rigid" && record.rigid)
    return to_json(*record.rigid, record.robot.actuation().names);
  return nullptr;
}

std::string record_json(const Record& record, const std::vector<std::string>& files) {
  Json json = header(record.job);
  json["files"] = files;
  for (const char* section : {"verdict", "diagnosis", "internal", "solution", "ringing"})
    json[section] = record_section(record, section);
  if (!record.start_choice.empty()) json["start_choice"] = record.start_choice;
  json["warnings"] = record.warnings;
  json["verification"] = record_section(record, "verification");
  json["finer_mesh"] = record_section(record, "finer_mesh");
  json["component_modes"] = Json::array();
  for (const KeptModes& beam : record.job.kept_modes)
    json["component_modes"].push_back(to_json(beam));
  json["rigid"] = record_section(record, "rigid");
  return text(json);
}

}  // namespace tauflex

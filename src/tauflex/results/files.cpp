#include "tauflex/results/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/planning/least_torque_posture.hpp"
#include "tauflex/plant/torque_signal.hpp"
#include "tauflex/results/limits.hpp"

namespace tauflex {

std::string version() { return TAUFLEX_VERSION; }

namespace {

using Json = nlohmann::ordered_json;

Json optional_number(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

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
                    {"margin", m.margin}});
  return list;
}

Json named(const std::vector<std::string>& names, const Vector& values) {
  Json json = Json::object();
  for (Eigen::Index i = 0; i < values.size(); ++i) json[names[static_cast<size_t>(i)]] = values[i];
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
          {"joints", named(robot.velocity_names(), ringing.q)},
          {"torques", named(robot.drive_names(), ringing.u)},
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
  Json json = {{"format", 1},
               {"version", version()},
               {"job", job.name},
               {"solvable", result.solvable},
               {"verdict", result.verdict},
               {"notes", result.notes},
               {"changes", result.changes},
               {"path_smoothness", result.path_smoothness},
               {"rank_losses", losses},
               {"on_path", points(result.diagnosis ? result.diagnosis->index.points
                                                   : std::vector<IndexAtPoint>{})},
               {"on_solution", points(result.on_solution)},
               {"diagnosis", result.diagnosis ? to_json(*result.diagnosis) : Json(nullptr)}};
  return json.dump(2) + "\n";
}

std::string diagnosis_json(const Job& job, const Diagnosis& diagnosis) {
  return Json{{"format", 1},
              {"version", version()},
              {"job", job.name},
              {"diagnosis", to_json(diagnosis)}}
             .dump(2) +
         "\n";
}

std::string plant_json(const Job& job, const PosedPlant& posed) {
  Json start;
  for (int i = 0; i < posed.plant.nq(); ++i)
    start[posed.plant.coordinate_names()[static_cast<size_t>(i)]] = posed.q[i];
  return Json{{"format", 1},
              {"version", version()},
              {"job", job.name},
              {"plant",
               {{"coordinates", posed.plant.nq()},
                {"constraint_rows", posed.plant.constraint_count()},
                {"redundant_constraints", posed.plant.redundant_constraints()},
                {"start", start}}}}
             .dump(2) +
         "\n";
}

std::string record_json(const Record& record) {
  Json json;
  json["format"] = 1;
  json["version"] = version();
  json["job"] = record.job.name;
  json["diagnosis"] = to_json(record.diagnosis);
  json["internal"] = nullptr;
  if (const auto& internal = record.internal)
    json["internal"] = {{"growth", internal->largest},
                        {"t", internal->t},
                        {"first_loss", internal->first_loss ? Json(*internal->first_loss) : Json()},
                        {"growing", internal->growing},
                        {"marginal", internal->marginal},
                        {"decaying", internal->decaying}};
  json["diagnosis"]["growth"] =
      record.verification ? Json(record.verification->growth) : Json(nullptr);
  const Solution& s = record.solution;
  json["solution"] = {{"status", name(s.status)},
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
                      {"torque_error_estimate",
                       s.torque_error_estimate > 0 ? Json(s.torque_error_estimate) : Json(nullptr)},
                      {"condition", s.condition > 0 ? Json(s.condition) : Json(nullptr)},
                      {"condition_unscaled",
                       s.condition_unscaled > 0 ? Json(s.condition_unscaled) : Json(nullptr)}};
  Json peaks = Json::object();
  for (size_t i = 0; record.has_motion() && i < record.robot.drive_names().size(); ++i)
    peaks[record.robot.drive_names()[i]] =
        s.u.row(static_cast<Eigen::Index>(i)).cwiseAbs().maxCoeff();
  json["solution"]["peak_torque"] = peaks;
  json["solution"]["torque_squared"] = torque_squared(s);
  json["solution"]["singularity"] = nullptr;
  if (record.regularity) {
    const MotionRegularity& r = *record.regularity;
    Json pose = Json::object();
    for (int i = 0; i < record.robot.tree_nq(); ++i)
      pose[record.robot.coordinate_names()[static_cast<size_t>(i)]] = r.outputs.q[i];
    json["solution"]["singularity"] = {{"smallest", r.outputs.value},
                                       {"t", r.outputs.t},
                                       {"pose", pose},
                                       {"loops", r.loops.value},
                                       {"coupling", r.coupling.value}};
  }
  Json drives = Json::object();
  for (size_t i = 0; i < record.robot.drive_names().size() && s.u.cols() > 0; ++i) {
    const DrivePeaks peaks_of = drive_peaks(record.robot, s, static_cast<int>(i));
    const Drive::Limits& limits = record.robot.drives()[i].limits;
    const double torque = std::abs(peaks_of.torque.value),
                 rate = std::abs(peaks_of.torque_rate.value),
                 speed = std::abs(peaks_of.speed.value);
    drives[record.robot.drive_names()[i]] = {
        {"torque", torque},
        {"torque_rate", rate},
        {"speed", speed},
        {"share_of_limits",
         std::max({torque / limits.torque, rate / limits.torque_rate, speed / limits.speed})}};
  }
  json["solution"]["drives"] = drives;
  json["solution"]["limits"] = to_json(limit_margins(record.robot, s));
  json["solution"]["redundant_constraints"] = record.robot.redundant_constraints();
  json["ringing"] = record.ringing ? to_json(*record.ringing, record.robot, record.job.task.outputs)
                                   : Json(nullptr);
  json["warnings"] = record.warnings;
  json["verification"] = nullptr;
  if (record.verification) {
    const Verification& v = *record.verification;
    json["verification"] = {
        {"status", name(v.status)},
        {"message", v.message},
        {"mode", name(v.mode)},
        {"integrator", v.integrator},
        {"torque", name(v.torque)},
        {"sample", v.sent.sampled ? Json(record.job.controller->sample) : Json(nullptr)},
        {"sampled_torques",
         v.sent.sampled ? Json(name(record.job.controller->torques)) : Json(nullptr)},
        {"tolerance", record.job.verification.tolerance},
        {"force_tolerance", record.job.verification.force_tolerance},
        {"growth", v.growth},
        {"segments", v.segments},
        {"max_tool_error_m", optional_number(v.max_tool_error_m)},
        {"rms_tool_error_m", optional_number(v.rms_tool_error_m)},
        {"max_orientation_error_rad", optional_number(v.max_orientation_error_rad)},
        {"max_force_error_N", optional_number(v.max_force_error_N)},
        {"max_constraint_violation", v.max_constraint_violation},
        {"energy_balance_error", v.energy_balance_error},
        {"integrator_steps", v.integrator_steps}};
  }
  return json.dump(2) + "\n";
}

Table trajectory_table(const Record& record, std::optional<double> rate) {
  const Solution& s = record.solution;
  const Robot& robot = record.robot;
  const auto& outputs = record.job.task.outputs;
  const auto ny = static_cast<Eigen::Index>(outputs.size());
  Table table;
  table.columns = {"t"};
  for (const auto& name : robot.coordinate_names()) table.columns.push_back("q." + name);
  for (const auto& name : robot.velocity_names()) table.columns.push_back("v." + name);
  for (const auto& name : robot.drive_names()) table.columns.push_back("u." + name);
  for (const auto& row : robot.constraints()) table.columns.push_back("lambda." + row.name);
  for (const auto& name : outputs) table.columns.push_back("y." + name);
  Matrix reactions(0, s.t.size());
  if (record.job.reactions)
    reactions =
        reaction_rows(robot, s.q, s.v, s.vdot, s.lambda, *record.job.reactions, table.columns);
  for (const auto& name : outputs) table.columns.push_back("yd." + name);

  Matrix values(s.q.rows() + s.v.rows() + s.u.rows() + s.lambda.rows() + ny + reactions.rows(),
                s.t.size());
  values << s.q, s.v, s.u, s.lambda, s.y, reactions;
  Vector t = s.t;
  if (rate) {
    const double span = s.t[s.t.size() - 1] - s.t[0];
    const auto samples = static_cast<Eigen::Index>(std::floor(span * *rate + 1e-9)) + 1;
    t = s.t[0] + Vector::LinSpaced(samples, 0, static_cast<double>(samples - 1)).array() / *rate;
    const TorqueSignal signal(s.t, values, Hold::smooth);
    Matrix sampled(values.rows(), samples);
    Instant now;
    for (Eigen::Index i = 0; i < samples; ++i) {
      signal.value(t[i], signal.interval(t[i]), sampled.col(i));
      if (s.dense && s.dense->at(t[i], now))  // all but the reactions, to the method's accuracy
        sampled.col(i).head(values.rows() - reactions.rows()) << now.q, now.v, now.u, now.lambda,
            now.y;
    }
    values = sampled;
  }
  table.values.resize(t.size(), static_cast<Eigen::Index>(table.columns.size()));
  Vector wanted(ny);
  for (Eigen::Index i = 0; i < t.size(); ++i) {
    path_values<double>(*record.job.task.path, t[i], wanted);
    table.values.row(i) << t[i], values.col(i).transpose(), wanted.transpose();
  }
  return table;
}

Table sent_table(const Robot& robot, const SentTorques& sent) {
  Table table;
  table.columns = {"t"};
  for (const auto& name : robot.drive_names()) table.columns.push_back("u." + name);
  table.values.resize(sent.t.size(), static_cast<Eigen::Index>(table.columns.size()));
  table.values << sent.t, sent.u.transpose();
  return table;
}

Matrix reaction_rows(const Robot& robot, const Matrix& q, const Matrix& v, const Matrix& vdot,
                     const Matrix& lambda, ReactionFrame frame, std::vector<std::string>& columns) {
  if (robot.is_linearized())
    throw InputError("reactions: a linearised robot has no bodies; use nonlinear dynamics");
  for (const std::string& link : robot.link_names())
    for (const char* part : {".fx", ".fy", ".fz", ".mx", ".my", ".mz"})
      columns.push_back("r." + link + part);
  MechanicsData data(robot);
  std::vector<Reaction> reactions;
  Matrix rows(6 * std::ssize(robot.link_names()), q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    joint_reactions(robot, data, q.col(i), v.col(i), vdot.col(i), lambda.col(i), frame, reactions);
    for (size_t k = 0; k < reactions.size(); ++k)
      rows.col(i).segment<6>(6 * static_cast<Eigen::Index>(k)) << reactions[k].force,
          reactions[k].moment;
  }
  return rows;
}

namespace {

Vector required_column(const Table& table, const std::filesystem::path& path,
                       const std::string& name) {
  const int index = table.find(name);
  if (index < 0)
    throw InputError(fmt::format("{}:1: column '{}' is missing{}", path.string(), name,
                                 did_you_mean(name, table.columns)));
  return table.values.col(index);
}

}  // namespace

TorqueColumns read_torques(const std::filesystem::path& path, const Robot& robot) {
  const Table table = read_table(path);
  TorqueColumns columns{required_column(table, path, "t"), {}};
  const auto n = columns.t.size();
  if (n < 2) throw InputError(path.string() + ": needs at least two rows");
  for (Eigen::Index i = 1; i < n; ++i)
    if (!(columns.t[i] > columns.t[i - 1]))
      throw InputError(fmt::format("{}:{}: times must increase, got {} after {}", path.string(),
                                   i + 2, columns.t[i], columns.t[i - 1]));
  columns.u = Matrix::Zero(static_cast<Eigen::Index>(robot.drives().size()), n);
  for (size_t d = 0; d < robot.drives().size(); ++d)
    columns.u.row(static_cast<Eigen::Index>(d)) =
        required_column(table, path, "u." + robot.drive_names()[d]);
  return columns;
}

TorqueTable read_trajectory(const std::filesystem::path& path, const InverseProblem& problem) {
  const Table table = read_table(path);
  const Robot& robot = problem.robot();
  const TorqueColumns torques = read_torques(path, robot);
  Solution s;
  s.method = "table " + path.filename().string();
  s.t = torques.t;
  s.u = torques.u;
  const auto n = s.t.size();
  s.steps = static_cast<int>(n - 1);
  s.step = (s.t[n - 1] - s.t[0]) / s.steps;
  const RestState start = consistent_start(problem);
  s.q = start.q.replicate(1, n);
  s.v = s.vdot = Matrix::Zero(robot.nv(), n);
  s.y = Matrix::Zero(problem.output_count(), n);
  s.lambda = start.lambda.replicate(1, n);
  // The motion, where every column of it is there.
  bool has_motion = true;
  const auto fill = [&](const std::string& prefix, const std::vector<std::string>& names,
                        Matrix& into) {
    for (const std::string& name : names) has_motion &= table.find(prefix + name) >= 0;
    for (size_t i = 0; has_motion && i < names.size(); ++i)
      into.row(static_cast<Eigen::Index>(i)) = required_column(table, path, prefix + names[i]);
  };
  Solution motion = s;
  std::vector<std::string> rows;
  for (const ConstraintRow& row : robot.constraints()) rows.push_back(row.name);
  fill("q.", robot.coordinate_names(), motion.q);
  fill("v.", robot.velocity_names(), motion.v);
  fill("lambda.", rows, motion.lambda);
  if (has_motion) s = std::move(motion);
  return {std::move(s), has_motion};
}

void write_files(const std::filesystem::path& folder,
                 const std::map<std::string, std::string>& files) {
  namespace fs = std::filesystem;
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("{}: cannot be written: {}", folder.string(), why));
  };
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) refuse(error.message());
  for (const auto& [name, content] : files)
    if (fs::is_directory(folder / name, error)) refuse(name + " is a folder");
  const fs::path draft = folder / fmt::format(".draft-{}", getpid());
  fs::create_directory(draft, error);
  if (error) refuse(error.message());
  struct Cleaner {
    fs::path path;
    ~Cleaner() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  } cleaner{draft};
  for (const auto& [name, content] : files) {
    std::ofstream file(draft / name, std::ios::binary);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    file.close();
    if (!file) refuse("no space left or no permission for " + name);
  }
  for (const auto& [name, content] : files) {
    fs::rename(draft / name, folder / name, error);
    if (error) refuse(error.message());
  }
}

}  // namespace tauflex

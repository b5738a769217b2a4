#include "tauflex/results/trajectory_tables.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/sizes.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/equations/consistent_start.hpp"
#include "tauflex/plant/torque_signal.hpp"
#include "tauflex/results/extra_columns.hpp"

namespace tauflex {

namespace {

std::string rate_text(double rate, double span) {
  return fmt::format("rate: {:.3g} samples per second over {:.6g} s", rate, span);
}

// q, v, u, lambda and y at the solver's own times, and rows that are derived from them.
Matrix stacked_rows(const Solution& s, const Matrix& derived) {
  Matrix values(
      s.q.rows() + s.v.rows() + s.u.rows() + s.lambda.rows() + s.y.rows() + derived.rows(),
      s.t.size());
  values << s.q, s.v, s.u, s.lambda, s.y, derived;
  return values;
}

}  // namespace

Vector regular_times(double begin, double end, double rate, Eigen::Index columns) {
  const double first = std::floor(begin * rate + 1e-9), last = std::floor(end * rate + 1e-9);
  require_room(rate_text(rate, end - begin), last - first + 1, static_cast<double>(columns));
  return Vector::LinSpaced(static_cast<Eigen::Index>(last - first) + 1, first, last) / rate;
}

Matrix motion_at(const Solution& s, const Matrix& derived, const Vector& t) {
  const Matrix values = stacked_rows(s, derived);
  const TorqueSignal signal(s.t, values, Hold::smooth);
  Matrix sampled(values.rows(), t.size());
  Instant now;
  for (Eigen::Index i = 0; i < t.size(); ++i) {
    const double time = std::max(t[i], s.t[0]);  // before it the robot stands
    signal.value(time, signal.interval(time), sampled.col(i));
    // All but what is derived, to the method's accuracy.
    if (s.dense && s.dense->at(time, now))
      sampled.col(i).head(values.rows() - derived.rows()) << now.q, now.v, now.u, now.lambda, now.y;
  }
  return sampled;
}

void require_rate(const Job& job, double rate) {
  if (!job.has_task()) return;
  const double span = job.task.hold_before + job.task.path->duration() + job.task.hold_after;
  require_room(rate_text(rate, span), span * rate,
               static_cast<double>(motion_columns(Robot(job.robot)).size()));
}

std::vector<std::string> motion_columns(const Robot& robot) {
  std::vector<std::string> columns = {"t"};
  for (const auto& name : robot.coordinates().names) columns.push_back("q." + name);
  for (const auto& name : robot.coordinates().velocity_names) columns.push_back("v." + name);
  for (const auto& name : robot.actuation().names) columns.push_back("u." + name);
  for (const auto& row : robot.constraints()) columns.push_back("lambda." + row.name);
  return columns;
}

Table trajectory_table(const Record& record, std::optional<double> rate) {
  const Solution& s = record.solution;
  const Robot& robot = record.robot;
  const auto& outputs = record.job.task.outputs;
  const auto ny = std::ssize(outputs);
  Table table{motion_columns(robot), {}};
  for (const auto& name : outputs) table.columns.push_back("y." + name);
  Matrix reactions(0, s.t.size());
  if (record.job.reactions)
    reactions =
        reaction_rows(robot, s.q, s.v, s.vdot, s.lambda, *record.job.reactions, table.columns);
  const Matrix at_joints = joint_side_rows(robot, s.q, s.v, s.vdot, s.u, table.columns);
  Matrix derived(reactions.rows() + at_joints.rows(), s.t.size());
  derived << reactions, at_joints;

  const Vector t =
      rate ? regular_times(s.t[0], s.t[s.t.size() - 1], *rate, std::ssize(table.columns) + ny)
           : s.t;
  const Matrix sampled = rate ? motion_at(s, derived, t) : Matrix();
  const Matrix frames = rate ? frame_rows(robot, record.job.columns, sampled.topRows(s.q.rows()),
                                          sampled.middleRows(s.q.rows(), s.v.rows()), table.columns)
                             : frame_rows(robot, record.job.columns, s.q, s.v, table.columns);
  for (const auto& name : outputs) table.columns.push_back("yd." + name);
  table.values.resize(t.size(), std::ssize(table.columns));
  Vector wanted(ny);
  for (Eigen::Index i = 0; i < t.size(); ++i) {
    path_values<double>(*record.job.task.path, t[i], wanted);
    if (rate)
      table.values.row(i) << t[i], sampled.col(i).transpose(), frames.col(i).transpose(),
          wanted.transpose();
    else
      table.values.row(i) << t[i], s.q.col(i).transpose(), s.v.col(i).transpose(),
          s.u.col(i).transpose(), s.lambda.col(i).transpose(), s.y.col(i).transpose(),
          derived.col(i).transpose(), frames.col(i).transpose(), wanted.transpose();
  }
  return table;
}

void warn_of_coarse_table(double rate, Record& record) {
  if (!record.verification || 1 / rate <= record.solution.step * (1 + 1e-9)) return;
  record.warnings.push_back(fmt::format(
      "the rows of trajectory.csv are {:.3g} s apart (--rate {:.6g}), the torques that were "
      "simulated {:.3g} s: the verdict is not about this table; tauflex verify is",
      1 / rate, rate, record.solution.step));
}

Table simulated_table(const Record& record) {
  const Verification& proof = *record.verification;
  const Robot& robot = record.robot;
  const auto& outputs = record.job.task.outputs;
  Table table{motion_columns(robot), {}};
  for (const auto& name : outputs) table.columns.push_back("y." + name);
  const Matrix frames = frame_rows(robot, record.job.columns, proof.q, proof.v, table.columns);
  for (const auto& name : outputs) table.columns.push_back("yd." + name);
  table.columns.emplace_back("tool_error");
  table.values.resize(proof.t.size(), std::ssize(table.columns));
  Vector wanted(std::ssize(outputs));
  for (Eigen::Index i = 0; i < proof.t.size(); ++i) {
    path_values<double>(*record.job.task.path, proof.t[i], wanted);
    table.values.row(i) << proof.t[i], proof.q.col(i).transpose(), proof.v.col(i).transpose(),
        proof.u.col(i).transpose(), proof.lambda.col(i).transpose(), proof.y.col(i).transpose(),
        frames.col(i).transpose(), wanted.transpose(), proof.tool_error[i];
  }
  return table;
}

Table sent_table(const Robot& robot, const SentTorques& sent) {
  Table table;
  table.columns = {"t"};
  for (const auto& name : robot.actuation().names) table.columns.push_back("u." + name);
  table.values.resize(sent.t.size(), std::ssize(table.columns));
  table.values << sent.t, sent.u.transpose();
  return table;
}

Matrix reaction_rows(const Robot& robot, const Matrix& q, const Matrix& v, const Matrix& vdot,
                     const Matrix& lambda, ReactionFrame frame, std::vector<std::string>& columns) {
  if (robot.is_linearized())
    throw InputError("reactions: a linearised robot has no bodies; use nonlinear dynamics");
  for (const std::string& link : robot.tree().link_names)
    for (const char* part : {".fx", ".fy", ".fz", ".mx", ".my", ".mz"})
      columns.push_back("r." + link + part);
  MechanicsData data(robot);
  std::vector<Reaction> reactions;
  Matrix rows(6 * std::ssize(robot.tree().link_names), q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    joint_reactions(robot, data, q.col(i), v.col(i), vdot.col(i), lambda.col(i), frame, reactions);
    for (int k = 0; k < std::ssize(reactions); ++k)
      rows.col(i).segment<6>(6 * k) << reactions[k].force, reactions[k].moment;
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
  const std::vector<std::string>& drives = robot.actuation().names;
  columns.u = Matrix::Zero(std::ssize(drives), n);
  for (int d = 0; d < std::ssize(drives); ++d)
    columns.u.row(d) = required_column(table, path, "u." + drives[d]);
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
    for (int i = 0; has_motion && i < std::ssize(names); ++i)
      into.row(i) = required_column(table, path, prefix + names[i]);
  };
  Solution motion = s;
  std::vector<std::string> rows;
  for (const ConstraintRow& row : robot.constraints()) rows.push_back(row.name);
  fill("q.", robot.coordinates().names, motion.q);
  fill("v.", robot.coordinates().velocity_names, motion.v);
  fill("lambda.", rows, motion.lambda);
  if (has_motion) s = std::move(motion);
  return {std::move(s), has_motion};
}

}  // namespace tauflex

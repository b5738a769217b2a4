#include "tauflex/export/exported_motion.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tauflex/base/sizes.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/base/text_file.hpp"
#include "tauflex/model/robot_file.hpp"
#include "tauflex/plant/torque_signal.hpp"
#include "tauflex/results/trajectory_tables.hpp"

namespace tauflex {

namespace fs = std::filesystem;

Matrix ExportedMotion::rows(const Table& of, const std::string& prefix,
                            const std::vector<std::string>& names) const {
  Matrix result(std::ssize(names), of.values.rows());
  for (size_t i = 0; i < names.size(); ++i) {
    const int column = of.find(prefix + names[i]);
    if (column < 0)
      throw InputError(fmt::format("{}: the trajectory has no column '{}'{}", name,
                                   prefix + names[i], did_you_mean(prefix + names[i], of.columns)));
    result.row(static_cast<Eigen::Index>(i)) = of.values.col(column).transpose();
  }
  return result;
}

ExportedMotion exported_motion(const Record& record) {
  if (!record.has_motion()) throw ProblemError(record.solution.message);
  return {record.job.name,          record.robot,
          trajectory_table(record), record.robot.is_linearized(),
          record.job.text,          {}};
}

ExportedMotion read_result(const fs::path& folder) {
  constexpr size_t largest_scene = 1024;  // MiB
  const fs::path scene = folder / "scene.json", rows = folder / "trajectory.csv";
  if (!fs::exists(folder / "record.json") || !fs::exists(scene))
    throw InputError(fmt::format(
        "{}: there is no record.json or scene.json: not the folder of a result of run, invert or "
        "fit",
        folder.string()));
  if (!fs::exists(rows))
    throw InputError(
        fmt::format("{}: there is no trajectory.csv: this result has no torques", folder.string()));
  const auto json = nlohmann::ordered_json::parse(read_text_file(scene, largest_scene), nullptr,
                                                  /*exceptions=*/false);
  if (!json.is_object() || !json.contains("job") || !json.contains("job_text") ||
      !json["job"].is_string() || !json["job_text"].is_string())
    throw InputError(scene.string() + ": is not a scene that tauflex wrote");
  // Of the job only what it is about: the robot and what it carries.
  const Node job = Node::read_text(json["job_text"], (folder / "job in scene.json").string());
  RobotDescription robot = read_robot(job.at("robot"));
  if (const auto task = job.find("task"))
    if (const auto carried = task->find("payload")) {
      const Payload payload = read_payload(*carried);
      robot = with_payload(robot, payload.link, payload.inertia, payload.where);
    }
  const bool is_linearized = robot.dynamics == DynamicsKind::linearized_at_start;
  return {json["job"],   Robot(std::move(robot)), read_table(rows),
          is_linearized, json["job_text"],        folder};
}

Table at_times(const Table& table, const Vector& t) {
  const int time = table.find("t");
  const TorqueSignal signal(table.values.col(time), table.values.transpose(), Hold::smooth);
  Table result{table.columns, Matrix(t.size(), table.values.cols())};
  Vector row(table.values.cols());
  for (Eigen::Index i = 0; i < t.size(); ++i) {
    signal.value(t[i], signal.interval(t[i]), row);
    row[time] = t[i];
    result.values.row(i) = row.transpose();
  }
  return result;
}

Table at_rate(const Table& table, double rate) {
  const auto t = table.values.col(table.find("t"));
  return at_times(table, regular_times(t[0], t[t.size() - 1], rate, std::ssize(table.columns)));
}

double interpolation_error(const Table& table) {
  constexpr double halved = 64;  // the error of degree 5 when rows are twice as close
  const Eigen::Index half = (table.values.rows() - 1) / 2;
  if (half < 6) return 1;
  Table every_second{table.columns, Matrix(half + 1, table.values.cols())};
  Vector between(half);
  const int time = table.find("t");
  for (Eigen::Index i = 0; i <= half; ++i) {
    every_second.values.row(i) = table.values.row(2 * i);
    if (i < half) between[i] = table.values(2 * i + 1, time);
  }
  const Table guessed = at_times(every_second, between);
  double error = 0, peak = 0;
  for (int c = 0; c < std::ssize(table.columns); ++c) {
    if (!table.columns[c].starts_with("u.")) continue;
    for (Eigen::Index i = 0; i < half; ++i)
      error = std::max(error, std::abs(guessed.values(i, c) - table.values(2 * i + 1, c)));
    peak = std::max(peak, table.values.col(c).cwiseAbs().maxCoeff());
  }
  return peak > 0 ? error / halved / peak : 0;
}

}  // namespace tauflex

#include "tauflex/report/pose_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tauflex/math/rotation_vector.hpp"
#include "tauflex/problem/posture_names.hpp"
#include "tauflex/report/plain_text.hpp"

namespace tauflex {

namespace {

using Json = nlohmann::ordered_json;

// Rounding around zero is zero.
double clean(double x) { return std::abs(x) < 1e-12 ? 0 : x; }

template <class Numbers>
std::string row(const Numbers& x) {
  std::string text;
  for (Eigen::Index i = 0; i < x.size(); ++i)
    text += fmt::format("{}{:.6g}", i ? " " : "", clean(x[i]));
  return text;
}

const char* unit(const Robot& robot, int coordinate) {
  return robot.coordinates().is_angle[coordinate] ? "rad" : "m";
}

// Joints with a coordinate of their own: velocity and coordinate.
std::vector<std::pair<int, int>> joints_of(const Robot& robot) {
  std::vector<std::pair<int, int>> list;
  for (int v = 0; v < robot.tree_nv(); ++v)
    if (const int q = robot.coordinates().of_velocity[v]; q >= 0) list.emplace_back(v, q);
  return list;
}

Vector quaternion_of(const Matrix3& R) {
  const Eigen::Quaterniond q(R);
  Vector numbers(4);
  numbers << q.w(), q.x(), q.y(), q.z();
  return q.w() < 0 ? Vector(-numbers) : numbers;
}

std::string range_column(const Robot& robot, const VectorRef& q, int at) {
  const double margin = range_margin(robot, q, at);
  if (std::isinf(margin)) return "no limit";
  return fmt::format("{:.4g} {} {}, range {:.4g} .. {:.4g}", std::abs(margin), unit(robot, at),
                     margin < 0 ? "OUTSIDE" : "to the limit", robot.coordinates().lowest[at],
                     robot.coordinates().highest[at]);
}

Json numbers(const VectorRef& x) { return std::vector<double>(x.begin(), x.end()); }

Json pose_json(const Pose& X) {
  Json matrix = Json::array();
  for (int i = 0; i < 3; ++i) matrix.push_back(numbers(X.R.row(i).transpose()));
  return {{"position", numbers(X.p)},
          {"rotation_vector", numbers(rotation_vector(X.R))},
          {"rpy", numbers(rpy_of(X.R))},
          {"quaternion_wxyz", numbers(quaternion_of(X.R))},
          {"matrix", matrix}};
}

Json coordinates_json(const Robot& robot, const VectorRef& q) {
  Json json = Json::object();
  for (int i = 0; i < robot.tree_nq(); ++i) json[robot.coordinates().names[i]] = q[i];
  return json;
}

Json margin_json(const Robot& robot, const VectorRef& q, int at) {
  const double margin = range_margin(robot, q, at);
  return std::isfinite(margin) ? Json(margin) : Json(nullptr);
}

}  // namespace

std::string tool_pose_text(const Robot& robot, const ToolPose& pose) {
  const Matrix3& R = pose.X_WF.R;
  std::string text = fmt::format("{} in the world\n", pose.frame);
  const auto line = [&](const char* label, const std::string& value) {
    text += fmt::format("  {:<17}{}\n", label, value);
  };
  line("position", row(pose.X_WF.p) + " m");
  line("rotation vector", row(rotation_vector(R)) + " rad");
  line("rpy", row(rpy_of(R)) + " rad");
  line("quaternion", row(quaternion_of(R)) + " (w x y z)");
  for (int i = 0; i < 3; ++i) line(i ? "" : "matrix", row(Vector3(R.row(i))));
  line("manipulability",
       fmt::format("{} (position alone {}), smallest singular-value ratio {}",
                   number(clean(pose.manipulability)), number(clean(pose.position_manipulability)),
                   number(clean(pose.independence), 2)));
  text += "joints: position, torque that holds gravity, distance to the limits\n";
  for (const auto& [v, q] : joints_of(robot))
    text += fmt::format(
        "  {:<15} {:>11.6g} {:<4}{:>11.5g} {:<5}{}\n", printable(robot.coordinates().names[q]),
        clean(pose.q[q]), unit(robot, q), clean(pose.gravity_torques[v]),
        robot.coordinates().is_angle[q] ? "N m" : "N", range_column(robot, pose.q, q));
  text +=
      "Jacobian: velocity of the origin x y z, angular velocity x y z, in the world, per joint\n";
  for (const auto& [v, q] : joints_of(robot))
    if (pose.J.col(v).norm() > 0)
      text +=
          fmt::format("  {:<15} {}\n", printable(robot.coordinates().names[q]), row(pose.J.col(v)));
  return text;
}

std::string tool_pose_json(const Robot& robot, const ToolPose& pose) {
  Json json = {{"frame", pose.frame}};
  json.update(pose_json(pose.X_WF));
  json["q"] = coordinates_json(robot, pose.q);
  json["jacobian"] = Json::object();
  json["gravity_torques"] = Json::object();
  json["distance_to_limits"] = Json::object();
  for (int v = 0; v < robot.tree_nv(); ++v) {
    const std::string& name = robot.coordinates().velocity_names[v];
    json["jacobian"][name] = numbers(pose.J.col(v));
    json["gravity_torques"][name] = pose.gravity_torques[v];
  }
  for (const auto& [v, q] : joints_of(robot))
    json["distance_to_limits"][robot.coordinates().names[q]] = margin_json(robot, pose.q, q);
  json["manipulability"] = pose.manipulability;
  json["position_manipulability"] = pose.position_manipulability;
  json["smallest_singular_value_ratio"] = pose.independence;
  return json.dump(2) + "\n";
}

std::string postures_text(const PostureReport& report) {
  const Robot& robot = report.robot;
  const std::vector<Vector>& list = report.postures.q;
  const auto names = posture_names(robot, report.frame, report.joints, list);
  std::string text;
  for (size_t i = 0; i < list.size(); ++i) {
    const Vector& q = list[i];
    text += fmt::format("  {}{}{}\n", i + 1, names[i].empty() ? "" : "  ", names[i]);
    std::string joints;
    int closest = -1;
    for (const int v : report.joints) {
      const int at = robot.coordinates().of_velocity[v];
      joints += fmt::format("{}{} {:.6g}", joints.empty() ? "" : ", ",
                            printable(robot.coordinates().names[at]), clean(q[at]));
      if (closest < 0 || range_margin(robot, q, at) < range_margin(robot, q, closest)) closest = at;
    }
    text += fmt::format("     {}\n", joints);
    const Pose X = tool_pose(robot, report.frame, q).X_WF;
    text +=
        fmt::format("     {} at {} m, turned by {} rad; {}: {}\n", printable(report.frame.name),
                    row(X.p), row(rotation_vector(X.R)),
                    printable(robot.coordinates().names[closest]), range_column(robot, q, closest));
  }
  return text;
}

std::string postures_json(const PostureReport& report) {
  const Robot& robot = report.robot;
  const auto names = posture_names(robot, report.frame, report.joints, report.postures.q);
  Json list = Json::array();
  for (size_t i = 0; i < names.size(); ++i) {
    const Vector& q = report.postures.q[i];
    Json margins = Json::object();
    for (const int v : report.joints) {
      const int at = robot.coordinates().of_velocity[v];
      margins[robot.coordinates().names[at]] = margin_json(robot, q, at);
    }
    list.push_back({{"name", names[i]},
                    {"q", coordinates_json(robot, q)},
                    {"within_ranges", range_excess(robot, q) == 0},
                    {"distance_to_limits", margins},
                    {"frame", report.frame.name},
                    {"pose", pose_json(tool_pose(robot, report.frame, q).X_WF)}});
  }
  return Json({{"all", !report.postures.redundant}, {"postures", list}}).dump(2) + "\n";
}

}  // namespace tauflex

#include "tauflex/jobs/tool_pose.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/mechanics/frame_motion.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/model/natural_units.hpp"

namespace tauflex {

namespace {

double product_of_singular_values(const Matrix& J) {
  return J.cols() > 0 ? singular_values(J).prod() : 0;
}

}  // namespace

ToolPose tool_pose(const Robot& robot, const Frame& frame, const Vector& q) {
  ToolPose pose{.frame = frame.name, .q = q, .X_WF = {}, .J = {}, .gravity_torques = {}};
  MechanicsData data(robot);
  const Vector zero = Vector::Zero(robot.nv());
  kinematics<double>(robot, data, q);
  inverse_dynamics<double>(robot, data, q, zero, zero);
  pose.gravity_torques = data.tau;
  pose.X_WF = {frame_rotation(data, frame), frame_position(data, frame)};
  pose.J = Matrix::Zero(6, robot.tree_nv());
  std::vector<int> moving;
  for_each_motion(robot, data, frame, [&](int k, const Motion<double>& X) {
    pose.J.col(k) << X.v + X.w.cross(pose.X_WF.p), X.w;
    moving.push_back(k);
  });
  const Matrix J = pose.J(Eigen::all, moving);
  pose.manipulability = product_of_singular_values(J);
  pose.position_manipulability = product_of_singular_values(J.topRows(3));
  if (moving.empty()) return pose;
  Matrix scaled = J * Vector(velocity_units(robot)(moving)).asDiagonal();
  scaled.topRows(3) /= robot_size(robot);
  const Vector sigma = singular_values(scaled);
  pose.independence = sigma[0] > 0 ? sigma[sigma.size() - 1] / sigma[0] : 0;
  return pose;
}

const Frame& meant_frame(const Robot& robot, const std::string& name) {
  const auto found = [&](const std::string& wanted) { return robot.find_frame(wanted); };
  if (name.empty()) {
    if (const int tool = found("tool"); tool >= 0) return robot.frames()[tool];
    const auto& named = robot.description().frames;
    for (auto last = named.rbegin(); last != named.rend(); ++last)
      if (const Frame& frame = robot.frames()[found(last->name)]; frame.body >= 0) return frame;
    return robot.frames()[found(robot.description().links.back().name)];
  }
  if (const int frame = found(name); frame >= 0) return robot.frames()[frame];
  std::vector<std::string> names;
  for (const Frame& frame : robot.frames()) names.push_back(frame.name);
  throw InputError(
      fmt::format("frame '{}' does not exist{}", shown(name), did_you_mean(name, names)));
}

Postures reaching(const Robot& robot, const Frame& frame, const Vector& place,
                  const std::map<std::string, double>& near) {
  if (robot.constraint_count() > 0)
    throw ProblemError("postures are looked for in robots without constraints only");
  const int index = robot.find_frame(frame.name);
  Outputs outputs;
  const auto add = [&](OutputRule rule, Quantity quantity) {
    const int first = outputs.count();
    outputs.groups.push_back({std::move(rule), quantity, {first, first + 1, first + 2}});
    for (int i = first; i < first + 3; ++i) {
      outputs.rows.push_back({frame.name, quantity});
      outputs.motions.push_back(i);
    }
  };
  add(PositionOutput{index, world_frame, {0, 1, 2}}, Quantity::length);
  if (place.size() == 6) add(OrientationOutput{index, world_frame}, Quantity::angle);
  std::vector<int> joints;
  for (const int v : moving_joints(robot))
    if (moves(robot, v, frame.body)) joints.push_back(v);
  if (joints.empty()) throw ProblemError(fmt::format("no joint moves frame '{}'", frame.name));
  const PreferredPosture preferred(robot, near);
  Vector q = robot.coordinates().neutral;
  for (const auto& [name, value] : near) q[robot.coordinates().find(name)] = value;
  Postures found = find_postures({robot, outputs, place, joints, q, preferred});
  if (!found.searched)
    throw ProblemError(
        fmt::format("postures are looked for with up to 7 joints; {} move frame '{}'",
                    joints.size(), frame.name));
  return found;
}

double range_margin(const Robot& robot, const VectorRef& q, int coordinate) {
  return std::min(q[coordinate] - robot.coordinates().lowest[coordinate],
                  robot.coordinates().highest[coordinate] - q[coordinate]);
}

}  // namespace tauflex

#include "tauflex/problem/posture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/base/text.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/least_squares.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/inverse_kinematics.hpp"
#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/postures.hpp"
#include "tauflex/problem/range_on_path.hpp"
#include "tauflex/trajectory/line.hpp"
#include "tauflex/trajectory/stacked.hpp"

namespace tauflex {

namespace {

constexpr size_t most_followed = 16;  // postures

// The pose that is found from `from` with the outputs at the beginning of the path, springs at
// rest: by how much the driven joints move.
struct PoseOnPath {
  Vector step;
  Matrix J;
  // Whether the outputs are there.
  bool reached = false;
};

PoseOnPath pose_on_path(const InverseProblem& problem, const Vector& from) {
  const Robot& robot = problem.robot();
  MechanicsData data(robot);
  const Vector none = Vector::Zero(robot.constraint_count());
  Vector y(problem.output_count());
  path_values<double>(problem.path(), problem.begin(), y);
  Matrix J = Matrix::Zero(problem.output_count(), robot.nv());
  const auto moved = [&](const Vector& step) {
    Vector q = from;
    for (size_t d = 0; d < robot.actuation().drives.size(); ++d)
      q[robot.actuation().drives[d].joint_q] += step[static_cast<Eigen::Index>(d)];
    return q;
  };
  const auto errors = [&](const Vector& step, Vector& r, Matrix& by_step) {
    const Vector q = moved(step);
    kinematics<double>(robot, data, q);
    r.resize(problem.output_count());
    output_errors<double>(robot, data, q, none, problem.outputs(), y, r);
    output_jacobian(robot, data, problem.outputs(), y, J);
    by_step.resize(J.rows(), static_cast<Eigen::Index>(robot.actuation().drives.size()));
    for (size_t d = 0; d < robot.actuation().drives.size(); ++d)
      by_step.col(static_cast<Eigen::Index>(d)) = J.col(robot.actuation().drives[d].joint_v);
  };
  const auto found = least_squares(
      errors, Vector::Zero(static_cast<Eigen::Index>(robot.actuation().drives.size())));
  return {found.x, found.jacobian,
          outputs_reached(robot, problem.outputs(), moved(found.x), y) &&
              range_excess(robot, moved(found.x)) == 0};
}

// Drives whose joints are held: those that take part most in motions without effect on the outputs.
std::vector<int> drives_to_hold(const Matrix& self_motion) {
  std::vector<int> order = pivot_columns(self_motion.transpose()).columns;
  order.resize(self_motion.cols());
  return order;
}

Matrix motion_without_effect(const Matrix& J) { return svd(J).V.rightCols(J.cols() - J.rows()); }

// Whether the joints that are not held stay within their ranges on the path.
bool stays_within_ranges(const InverseProblem& problem, const Vector& q) {
  const auto& drives = problem.robot().actuation().drives;
  const std::vector<int> held = drives_to_hold(motion_without_effect(pose_on_path(problem, q).J));
  std::vector<int> joints;
  for (int d = 0; d < std::ssize(drives); ++d)
    if (std::find(held.begin(), held.end(), d) == held.end()) joints.push_back(drives[d].joint_v);
  return range_excess_on_path(problem, joints, q) == 0;
}

// The best posture where start.near does not lead to one; without start.near one that stays within
// the ranges of the joints, if there is any.
std::optional<Vector> best_posture(const InverseProblem& problem) {
  Vector y(problem.output_count());
  path_values<double>(problem.path(), problem.begin(), y);
  const Postures found =
      find_postures({problem.robot(), problem.outputs(), y, moving_joints(problem.robot()),
                     problem.near(), PreferredPosture(problem.robot(), problem.task().near)});
  if (found.q.empty()) return std::nullopt;
  if (problem.task().near.empty())
    for (size_t i = 0; i < std::min(found.q.size(), most_followed); ++i)
      if (stays_within_ranges(problem, found.q[i])) return found.q[i];
  return found.q.front();
}

}  // namespace

Posture hold_posture(const Robot& robot, const Task& task) {
  Posture posture{task, "", Matrix(static_cast<Eigen::Index>(robot.actuation().drives.size()), 0)};
  if (robot.constraint_count() > 0 || task.outputs.empty() ||
      task.outputs.size() >= robot.actuation().drives.size())
    return posture;
  const InverseProblem problem(robot, task);
  Vector from = problem.near();
  PoseOnPath pose = pose_on_path(problem, from);
  if (task.near.empty() || !pose.reached)
    if (const auto best = best_posture(problem)) {
      from = *best;
      pose = pose_on_path(problem, from);
      for (const DriveLayout& drive : robot.actuation().drives)
        posture.task.near[robot.coordinates().names[drive.joint_q]] = from[drive.joint_q];
    }
  posture.self_motion = motion_without_effect(pose.J);
  const std::vector<int> order = drives_to_hold(posture.self_motion);
  Vector held(std::ssize(order));
  std::vector<std::string> words;
  for (Eigen::Index k = 0; k < held.size(); ++k) {
    const int d = order[k];
    const DriveLayout& drive = robot.actuation().drives[d];
    held[k] = from[drive.joint_q] + pose.step[d];
    const std::string& joint = robot.coordinates().names[drive.joint_q];
    posture.task.outputs.push_back(joint);
    words.push_back(fmt::format("'{}' at {:.6g}", joint, held[k]));
  }
  posture.task.path = std::make_shared<StackedPath>(
      task.path, std::make_shared<LinePath>(held, held, task.path->duration(), 11));
  posture.sentence = fmt::format("{} for {}: the posture is kept by holding {}",
                                 counted(robot.actuation().drives.size(), "drive"),
                                 counted(task.outputs.size(), "output"), join(words, " and "));
  return posture;
}

}  // namespace tauflex

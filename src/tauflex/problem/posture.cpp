#include "tauflex/problem/posture.hpp"

#include <fmt/format.h>

#include "tauflex/base/text.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/least_squares.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/inverse_kinematics.hpp"
#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/postures.hpp"
#include "tauflex/trajectory/line.hpp"
#include "tauflex/trajectory/stacked.hpp"

namespace tauflex {

namespace {

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

// The best posture where start.near does not lead to one.
std::optional<Vector> best_posture(const InverseProblem& problem) {
  Vector y(problem.output_count());
  path_values<double>(problem.path(), problem.begin(), y);
  const Postures found =
      find_postures({problem.robot(), problem.outputs(), y, moving_joints(problem.robot()),
                     problem.near(), PreferredPosture(problem.robot(), problem.task().near)});
  return found.q.empty() ? std::nullopt : std::optional(found.q.front());
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
  const Matrix& J = pose.J;
  const auto missing = J.cols() - J.rows();
  posture.self_motion = svd(J).V.rightCols(missing);
  const std::vector<int> order = pivot_columns(posture.self_motion.transpose()).columns;
  Vector held(missing);
  std::vector<std::string> words;
  for (Eigen::Index k = 0; k < missing; ++k) {
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

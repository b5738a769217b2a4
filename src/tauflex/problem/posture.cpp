#include "tauflex/problem/posture.hpp"

#include <fmt/format.h>

#include "tauflex/base/text.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/least_squares.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/trajectory/line.hpp"
#include "tauflex/trajectory/stacked.hpp"

namespace tauflex {

namespace {

// The pose closest to start.near with the outputs at the beginning of the path, springs at rest.
Vector pose_on_path(const InverseProblem& problem, Matrix& J) {
  const Robot& robot = problem.robot();
  MechanicsData data(robot);
  const Vector none = Vector::Zero(robot.constraint_count());
  Vector y(problem.output_count());
  path_values<double>(problem.path(), problem.begin(), y);
  J = Matrix::Zero(problem.output_count(), robot.nv());
  const auto errors = [&](const Vector& step, Vector& r, Matrix& by_step) {
    Vector q = problem.near();
    for (size_t d = 0; d < robot.actuation().drives.size(); ++d)
      q[robot.actuation().drives[d].joint_q] += step[static_cast<Eigen::Index>(d)];
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
  J = found.jacobian;
  return found.x;
}

}  // namespace

Posture hold_posture(const Robot& robot, const Task& task) {
  Posture posture{task, "", Matrix(static_cast<Eigen::Index>(robot.actuation().drives.size()), 0)};
  if (robot.constraint_count() > 0 || task.outputs.empty() ||
      task.outputs.size() >= robot.actuation().drives.size())
    return posture;
  const InverseProblem problem(robot, task);
  Matrix J;
  const Vector step = pose_on_path(problem, J);
  const auto missing = J.cols() - J.rows();
  posture.self_motion = svd(J).V.rightCols(missing);
  const std::vector<int> order = pivot_columns(posture.self_motion.transpose()).columns;
  Vector held(missing);
  std::vector<std::string> words;
  for (Eigen::Index k = 0; k < missing; ++k) {
    const int d = order[k];
    const DriveLayout& drive = robot.actuation().drives[d];
    held[k] = problem.near()[drive.joint_q] + step[d];
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

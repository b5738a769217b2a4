#include "tauflex/problem/range_on_path.hpp"

#include <algorithm>
#include <limits>

#include "tauflex/math/least_squares.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/inverse_kinematics.hpp"
#include "tauflex/problem/posture_question.hpp"

namespace tauflex {

namespace {

constexpr int times_on_path = 12;
constexpr std::ptrdiff_t most_tried = 16;

bool has_ranges(const Robot& robot) {
  const Coordinates& c = robot.coordinates();
  return c.lowest.array().isFinite().any() || c.highest.array().isFinite().any();
}

}  // namespace

double range_excess_on_path(const InverseProblem& problem, const std::vector<int>& joints,
                            const Vector& start) {
  const Robot& robot = problem.robot();
  if (!has_ranges(robot)) return 0;
  std::vector<int> at;
  for (const int v : joints) at.push_back(robot.coordinates().of_velocity[v]);
  MechanicsData data(robot);
  const Vector none = Vector::Zero(robot.constraint_count());
  Vector q = start, y(problem.output_count());
  Matrix by_v = Matrix::Zero(problem.output_count(), robot.nv());
  const auto errors = [&](const Vector& x, Vector& r, Matrix& J) {
    q(at) = x;
    kinematics<double>(robot, data, q);
    r.resize(problem.output_count());
    output_errors<double>(robot, data, q, none, problem.outputs(), y, r);
    output_jacobian(robot, data, problem.outputs(), y, by_v);
    J = by_v(Eigen::all, joints);
  };
  double largest = range_excess(robot, start);
  for (int i = 0; i <= times_on_path; ++i) {
    path_values<double>(problem.path(), problem.path().duration() * i / times_on_path, y);
    q(at) = least_squares(errors, Vector(q(at)), {.max_iterations = 30}).x;
    if (!outputs_reached(robot, problem.outputs(), q, y))
      return std::numeric_limits<double>::infinity();
    largest = std::max(largest, range_excess(robot, q));
  }
  return largest;
}

void prefer_within_ranges(const InverseProblem& problem, const std::vector<int>& joints,
                          std::vector<Vector>& postures) {
  const auto tried = postures.begin() + std::min(most_tried, std::ssize(postures));
  const auto first = std::find_if(postures.begin(), tried, [&](const Vector& q) {
    return range_excess_on_path(problem, joints, q) == 0;
  });
  if (first != tried) std::rotate(postures.begin(), first, first + 1);
}

}  // namespace tauflex

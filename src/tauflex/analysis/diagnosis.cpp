#include "tauflex/analysis/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/base/text.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/pencil.hpp"
#include "tauflex/mechanics/motion.hpp"
#include "tauflex/trajectory/smoothness.hpp"

namespace tauflex {

std::vector<QuasiStaticPoint> quasi_static_points(const InverseProblem& problem,
                                                  const RestState& start, int count) {
  std::vector<QuasiStaticPoint> points = {{problem.begin(), start}};
  for (int i = 1; i < count; ++i) {
    const double t = problem.path().duration() * i / (count - 1);
    points.push_back({t, rest_state(problem, t, points.back().state.q)});
    if (points.back().state.status != Status::solved) break;
  }
  return points;
}

namespace {

PencilStructure structure_at(const InverseProblem& problem, const RestState& state) {
  const Robot& robot = problem.robot();
  const int nq = robot.nq(), nv = robot.nv(), nu = static_cast<int>(robot.drives().size()),
            ny = problem.output_count();
  MechanicsData<double> data(robot);
  MotionDerivatives d(robot);
  const Vector zero = Vector::Zero(nv);
  motion_derivatives(robot, data, state.q, zero, zero, d);
  Matrix J = Matrix::Zero(ny, nq);
  output_jacobian<double>(robot, data, problem.outputs(), J);
  Matrix E = Matrix::Zero(nq + nv + nu, nq + nv + nu), A = E;
  E.topLeftCorner(nq, nq).setIdentity();
  E.block(nq, nq, nv, nv) = d.mass;
  A.block(0, nq, nq, nv).setIdentity();
  A.block(nq, 0, nv, nq) = -d.stiffness;
  A.block(nq, nq, nv, nv) = -d.damping;
  A.block(nq, nq + nv, nv, nu) = input_matrix(robot);
  A.bottomLeftCorner(ny, nq) = J;
  return pencil_structure(E, A);
}

}  // namespace

Diagnosis diagnose(const InverseProblem& problem, const std::vector<QuasiStaticPoint>& points) {
  Diagnosis diagnosis;
  diagnosis.largest_zero_real_part = -std::numeric_limits<double>::infinity();
  for (const QuasiStaticPoint& point : points) {
    if (point.state.status != Status::solved) {
      diagnosis.status = Status::not_solvable;
      diagnosis.message = point.state.message;
      return diagnosis;
    }
    const PencilStructure structure = structure_at(problem, point.state);
    if (!structure.regular) {
      diagnosis.status = Status::not_solvable;
      diagnosis.message = fmt::format(
          "t = {:.6g} s: the drives ({}) cannot move the outputs ({}) independently; some drive "
          "has no effect on them",
          point.t, join(problem.robot().drive_names()), join(problem.task().outputs));
      return diagnosis;
    }
    diagnosis.differential_index = std::max(diagnosis.differential_index, structure.index);
    if (&point == &points.front()) diagnosis.zeros = structure.eigenvalues;
    for (const auto& zero : structure.eigenvalues) {
      diagnosis.flat = false;
      diagnosis.largest_zero_real_part = std::max(diagnosis.largest_zero_real_part, zero.real());
      // Undamped zeros sit on the axis; rounding moves them by a little of their size.
      if (zero.real() > 1e-6 * std::abs(zero)) diagnosis.minimum_phase = false;
    }
  }
  std::sort(diagnosis.zeros.begin(), diagnosis.zeros.end(), [](const auto& a, const auto& b) {
    return std::pair(a.real(), a.imag()) < std::pair(b.real(), b.imag());
  });
  diagnosis.required_smoothness = diagnosis.differential_index - 1;
  return diagnosis;
}

std::optional<std::string> smoothness_fault(const InverseProblem& problem,
                                            const Diagnosis& diagnosis) {
  const auto corner = first_corner(problem.path(), diagnosis.required_smoothness);
  if (!corner) return std::nullopt;
  return fmt::format(
      "the {} derivative of '{}' jumps at t = {:.6g} s, but the torque depends on the path's {} "
      "derivative; "
      "use a smoother path, such as profile: polynomial{}",
      ordinal(corner->derivative), problem.outputs()[static_cast<size_t>(corner->output)].name,
      corner->time, ordinal(diagnosis.required_smoothness), 2 * diagnosis.required_smoothness + 1);
}

Vector growth_along(const Robot& plant, const Vector& t, const Matrix& q, const Matrix& v,
                    const Matrix& vdot) {
  const int nq = plant.nq(), nv = plant.nv(), n = nq + nv;
  MechanicsData<double> data(plant);
  MotionDerivatives d(plant);
  Matrix A = Matrix::Zero(n, n);
  A.topRightCorner(nq, nv).setIdentity();
  const Matrix one = Matrix::Identity(n, n);
  Matrix Phi = one;
  constexpr Eigen::Index most_points = 400;
  const Eigen::Index last = t.size() - 1;
  const Eigen::Index stride = std::max<Eigen::Index>(1, last / most_points);
  Vector growth = Vector::Ones(t.size());
  for (Eigen::Index i = 0; i < last;) {
    const Eigen::Index next = std::min(i + stride, last), middle = (i + next) / 2;
    motion_derivatives(plant, data, q.col(middle), v.col(middle), vdot.col(middle), d);
    A.bottomLeftCorner(nv, nq) = -solve_linear(d.mass, d.stiffness);
    A.bottomRightCorner(nv, nv) = -solve_linear(d.mass, d.damping);
    // exp(h A) by its (1, 1) Pade form, which never amplifies a stable mode
    const Matrix half = 0.5 * (t[next] - t[i]) * A;
    Phi = solve_linear(one - half, (one + half) * Phi);
    const double largest = std::max(growth[i], singular_values(Phi.topLeftCorner(nq, nq))[0]);
    for (Eigen::Index j = i + 1; j <= next; ++j) growth[j] = largest;
    i = next;
  }
  return growth;
}

}  // namespace tauflex

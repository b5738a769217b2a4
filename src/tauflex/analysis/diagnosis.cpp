#include "tauflex/analysis/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/analysis/linear_problem.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/pencil.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/constrained_dynamics.hpp"
#include "tauflex/mechanics/frame_motion.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/trajectory/smoothness.hpp"

namespace tauflex {

Diagnosis::Diagnosis() = default;
Diagnosis::Diagnosis(const Diagnosis&) = default;
Diagnosis::Diagnosis(Diagnosis&&) noexcept = default;
Diagnosis& Diagnosis::operator=(const Diagnosis&) = default;
Diagnosis& Diagnosis::operator=(Diagnosis&&) noexcept = default;
Diagnosis::~Diagnosis() = default;

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

Matrix torque_null_space(const Robot& robot, const Matrix& G) {
  const Svd s = svd(effect_of_torques(robot, G));
  Eigen::Index rank = 0;
  while (rank < s.sigma.size() && s.sigma[rank] > 1e-10 * s.sigma[0]) ++rank;
  return s.V.rightCols(s.V.cols() - rank);
}

// The joint without a motor that takes part most in the motion of an eigenvalue of s E - A.
std::string joint_of_zero(const InverseProblem& problem, const LinearProblem& linear,
                          std::complex<double> s) {
  const Robot& robot = problem.robot();
  const Vector share = null_vector(linear.E, linear.A, s).cwiseAbs().head(robot.nv());
  std::string name;
  double largest = -1;
  for (const int row : problem.passive_rows())
    if (share[row] > largest) {
      largest = share[row];
      name = robot.coordinates().velocity_names[row];
    }
  return name;
}

// Zeros on the imaginary axis: one sentence for each pair.
void find_undamped(const InverseProblem& problem, const LinearProblem& linear,
                   const PencilStructure& structure, double t, Diagnosis& diagnosis) {
  for (const auto& zero : structure.eigenvalues) {
    if (std::abs(zero.real()) > 1e-6 * std::abs(zero) || zero.imag() < 0) continue;
    const std::string joint = joint_of_zero(problem, linear, zero);
    diagnosis.undamped.push_back(
        zero.imag() > 0
            ? fmt::format(
                  "t = {:.6g} s: the internal motion of '{}' at {:.4g} rad/s has no damping "
                  "and never decays (zeros at +/- {:.4g}j)",
                  t, joint, zero.imag(), zero.imag())
            : fmt::format("t = {:.6g} s: the internal motion of '{}' has a zero at 0: it drifts, "
                          "and nothing brings it back",
                          t, joint));
  }
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
    const LinearProblem linear = linear_problem(problem, point.state);
    const PencilStructure structure = pencil_structure(linear.E, linear.A);
    if (!structure.regular) {
      diagnosis.status = Status::not_solvable;
      diagnosis.message = fmt::format(
          "t = {:.6g} s: the drives ({}) cannot move the outputs ({}) independently; some drive "
          "has no effect on them",
          point.t, join(problem.robot().actuation().names), join(problem.task().outputs));
      return diagnosis;
    }
    diagnosis.differential_index = std::max(diagnosis.differential_index, structure.index);
    if (&point == &points.front()) {
      diagnosis.zeros = structure.eigenvalues;
      find_undamped(problem, linear, structure, point.t, diagnosis);
      diagnosis.holding_torques = point.state.u;
      diagnosis.torque_null_space =
          torque_null_space(problem.robot(), constraint_matrix(problem.robot(), point.state.q));
    }
    PhaseAtPoint phase{point.t, -std::numeric_limits<double>::infinity()};
    phase.zeros = structure.eigenvalues;
    for (const auto& zero : structure.eigenvalues) {
      diagnosis.flat = false;
      phase.largest_real_part = std::max(phase.largest_real_part, zero.real());
      // Undamped zeros sit on the axis; rounding moves them by a little of their size.
      const double rounding = 1e-6 * std::abs(zero);
      ++(zero.real() > rounding    ? phase.unstable
         : zero.real() < -rounding ? phase.stable
                                   : phase.marginal);
    }
    if (phase.unstable > 0) diagnosis.minimum_phase = false;
    diagnosis.largest_zero_real_part =
        std::max(diagnosis.largest_zero_real_part, phase.largest_real_part);
    diagnosis.phase.push_back(phase);
  }
  std::sort(diagnosis.zeros.begin(), diagnosis.zeros.end(), [](const auto& a, const auto& b) {
    return std::pair(a.real(), a.imag()) < std::pair(b.real(), b.imag());
  });
  diagnosis.required_smoothness = diagnosis.differential_index - 1;
  diagnosis.index = report_index(problem, {points.front()});
  return diagnosis;
}

std::optional<double> first_loss_of_phase(const Diagnosis& diagnosis) {
  for (const PhaseAtPoint& point : diagnosis.phase)
    if (point.unstable > 0) return point.t;
  return std::nullopt;
}

namespace {

// The passive revolute joint closest to a frame that carries mass, and its axis.
struct PassiveJoint {
  int k;  // its velocity
  Motion<double> axis;
};
std::optional<PassiveJoint> closest_passive_joint(const InverseProblem& problem,
                                                  const MechanicsData& data, const Frame& frame) {
  const Robot& robot = problem.robot();
  const auto turns = [&](int k) {
    const int q = robot.coordinates().of_velocity[k];
    return q >= 0 && robot.coordinates().is_angle[q];
  };
  std::optional<PassiveJoint> closest;
  for_each_motion(robot, data, frame, [&](int k, const Motion<double>& X) {
    const auto& rows = problem.passive_rows();
    if (!closest && turns(k) && std::find(rows.begin(), rows.end(), k) != rows.end() &&
        carried_inertia(robot, data, k).m > 0)
      closest = {k, X};
  });
  return closest;
}

}  // namespace

std::string minimum_phase_advice(const InverseProblem& problem, const RestState& state) {
  const Robot& robot = problem.robot();
  MechanicsData data(robot);
  kinematics<double>(robot, data, state.q);
  mass_matrix(robot, data, state.q);
  for (const OutputGroup& group : problem.outputs().groups) {
    const PositionOutput* position = group.position();
    if (!position) continue;
    const Frame& tool = robot.frames()[position->frame];
    const auto joint = closest_passive_joint(problem, data, tool);
    if (!joint) continue;
    const auto& [k, axis] = *joint;
    // the axis goes through w x v
    const auto from_axis = [&w = axis.w, &v = axis.v](const Vector3& point) -> Vector3 {
      const Vector3 r = point - w.cross(v);
      return r - w * w.dot(r);
    };
    const BodyInertia<double>& carried = carried_inertia(robot, data, k);
    const Vector3 centre = from_axis(carried.mc / carried.m);
    const double arm = centre.norm();
    if (arm < 1e-9) continue;
    const double percussion = data.M(k, k) / (carried.m * arm);
    const double reach = from_axis(frame_position(data, tool)).dot(centre) / arm;
    if (reach <= percussion) continue;
    return fmt::format(
        "move the tool point inside {:.4g} m, the centre of percussion of link {}, from {:.4g} m",
        percussion, robot.coordinates().velocity_names[k], reach);
  }
  return "";
}

std::optional<std::string> smoothness_fault(const InverseProblem& problem,
                                            const Diagnosis& diagnosis) {
  const auto sentence = [&](const Corner& corner, const std::string& name) {
    return fmt::format(
        "the {} derivative of '{}' jumps at t = {:.6g} s, but the torque depends on the path's {} "
        "derivative; "
        "use a smoother path, such as profile: polynomial{}",
        ordinal(corner.derivative), name, corner.time, ordinal(diagnosis.required_smoothness),
        2 * diagnosis.required_smoothness + 1);
  };
  if (const auto corner = first_corner(problem.path(), diagnosis.required_smoothness))
    return sentence(*corner, problem.outputs().rows[corner->output].name);
  for (const ConstraintRow& row : problem.robot().constraints())
    if (row.path)
      if (const auto corner = first_corner(*row.path, diagnosis.required_smoothness);
          corner && corner->output == row.component)
        return sentence(*corner, row.name);
  return std::nullopt;
}

namespace {

// The projector on motions that the constraints allow, nv x nv.
Matrix allowed_motions(const Robot& plant, const Vector& q) {
  Matrix P = Matrix::Identity(plant.nv(), plant.nv());
  const Matrix G = constraint_matrix(plant, q);
  if (G.rows() == 0) return P;
  const Matrix held = svd(G).V.leftCols(G.rows());
  P.topLeftCorner(G.cols(), G.cols()) -= held * held.transpose();
  return P;
}

}  // namespace

Vector growth_along(const Robot& plant, const Vector& t, const Matrix& q, const Matrix& v,
                    const Matrix& vdot, const Matrix& lambda) {
  const int nv = plant.nv(), n = 2 * nv;
  ConstrainedDynamics dynamics(plant);
  const Matrix none = Matrix::Zero(nv, nv);
  Matrix A = Matrix::Zero(n, n), by_q = none, by_v = none;
  A.topRightCorner(nv, nv).setIdentity();
  const Matrix one = Matrix::Identity(n, n);
  Matrix Phi = Matrix::Zero(n, n);
  Phi.topLeftCorner(nv, nv) = Phi.bottomRightCorner(nv, nv) = allowed_motions(plant, q.col(0));
  constexpr Eigen::Index most_points = 400;
  const Eigen::Index last = t.size() - 1;
  const Eigen::Index stride = std::max<Eigen::Index>(1, last / most_points);
  Vector growth = Vector::Ones(t.size());
  for (Eigen::Index i = 0; i < last;) {
    const Eigen::Index next = std::min(i + stride, last), middle = (i + next) / 2;
    dynamics.acceleration_derivatives(q.col(middle), v.col(middle), vdot.col(middle),
                                      lambda.col(middle), none, none, by_q, by_v);
    A.bottomLeftCorner(nv, nv) = by_q;
    A.bottomRightCorner(nv, nv) = by_v;
    // exp(h A) by its (1, 1) Pade form, which never amplifies a stable mode
    const Matrix half = 0.5 * (t[next] - t[i]) * A;
    Phi = solve_linear(one - half, (one + half) * Phi);
    const double largest = std::max(growth[i], singular_values(Phi.topLeftCorner(nv, nv))[0]);
    for (Eigen::Index j = i + 1; j <= next; ++j) growth[j] = largest;
    i = next;
  }
  return growth;
}

}  // namespace tauflex

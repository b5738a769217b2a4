#include "tauflex/analysis/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/analysis/rest_structure.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/math/decompositions.hpp"
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

// Smallest kept over largest dropped singular value of a rank that is beyond doubt.
constexpr double beyond_doubt = 1e3;

Matrix torque_null_space(const Robot& robot, const Matrix& G) {
  const Svd s = svd(effect_of_torques(robot, G));
  Eigen::Index rank = 0;
  while (rank < s.sigma.size() && s.sigma[rank] > 1e-10 * s.sigma[0]) ++rank;
  return s.V.rightCols(s.V.cols() - rank);
}

// The joint without a motor that takes part most in the motion of a zero.
std::string joint_of_zero(const InverseProblem& problem, const RestStructure& structure,
                          std::complex<double> zero) {
  const Vector share = structure.participation(zero);
  std::string name;
  double largest = -1;
  for (const int row : problem.passive_rows())
    if (share[row] > largest) {
      largest = share[row];
      name = problem.robot().coordinates().velocity_names[row];
    }
  return name;
}

// Undamped zeros sit on the axis; rounding moves them by a little of their size.
double off_axis(const std::complex<double>& zero) { return 1e-6 * std::abs(zero); }

// Zeros on the imaginary axis: one sentence for each pair.
void find_undamped(const InverseProblem& problem, const RestStructure& structure, double t,
                   Diagnosis& diagnosis) {
  for (const auto& zero : structure.zeros) {
    if (std::abs(zero.real()) > off_axis(zero) || zero.imag() < 0) continue;
    const std::string joint = joint_of_zero(problem, structure, zero);
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

PhaseAtPoint phase_at(double t, const RestStructure& structure) {
  PhaseAtPoint phase{t, -std::numeric_limits<double>::infinity()};
  phase.zeros = structure.zeros;
  for (const auto& zero : structure.zeros) {
    phase.largest_real_part = std::max(phase.largest_real_part, zero.real());
    ++(zero.real() > off_axis(zero)    ? phase.unstable
       : zero.real() < -off_axis(zero) ? phase.stable
                                       : phase.marginal);
  }
  return phase;
}

// What ranks say at each pose, and the poses that say what most of them say.
struct Vote {
  std::vector<RestStructure> at;
  // Elements of `at`, ascending.
  std::vector<size_t> agree;
};

bool same(const RestStructure& a, const RestStructure& b) {
  return a.regular == b.regular && a.derivative == b.derivative && a.zeros.size() == b.zeros.size();
}

// One pose of many may be singular, or so close to it that rounding decides: most poses decide, and
// of equally many the clearer ones.
Vote vote(const InverseProblem& problem, const std::vector<QuasiStaticPoint>& points) {
  Vote result;
  for (const QuasiStaticPoint& point : points)
    result.at.push_back(structure_at_rest(problem, point.state));
  double clearest = 0;
  for (const RestStructure& candidate : result.at) {
    std::vector<size_t> agree;
    double gap = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < result.at.size(); ++i)
      if (same(result.at[i], candidate)) {
        agree.push_back(i);
        gap = std::min(gap, result.at[i].gap);
      }
    if (agree.size() < result.agree.size()) continue;
    if (agree.size() == result.agree.size() && gap <= clearest) continue;
    result.agree = agree;
    clearest = gap;
  }
  return result;
}

// Sentences about poses that disagree, and about decisions that are not clear.
void note_doubts(const Vote& vote, const std::vector<QuasiStaticPoint>& points,
                 Diagnosis& diagnosis) {
  const RestStructure& chosen = vote.at[vote.agree.front()];
  for (size_t i = 0; i < vote.at.size(); ++i) {
    const RestStructure& here = vote.at[i];
    if (same(here, chosen)) continue;
    const std::string what =
        here.regular
            ? fmt::format("index {} with {} zeros, elsewhere {} with {}", here.derivative + 1,
                          here.zeros.size(), chosen.derivative + 1, chosen.zeros.size())
            : "the outputs cannot be moved independently";
    diagnosis.notes.push_back(fmt::format(
        "t = {:.6g} s, at rest: {}; the other poses decide, and the proof judges the motion",
        points[i].t, what));
  }
  double gap = std::numeric_limits<double>::infinity();
  for (const size_t i : vote.agree) gap = std::min(gap, vote.at[i].gap);
  if (gap < beyond_doubt)
    diagnosis.notes.push_back(fmt::format(
        "the ranks at rest are uncertain: the smallest singular value taken as nonzero is only "
        "{:.1f} times the largest one taken as zero; the proof judges the motion",
        gap));
}

}  // namespace

Diagnosis diagnose(const InverseProblem& problem, const std::vector<QuasiStaticPoint>& points) {
  Diagnosis diagnosis;
  diagnosis.largest_zero_real_part = -std::numeric_limits<double>::infinity();
  const auto not_solvable = [&](std::string message) {
    diagnosis.status = Status::not_solvable;
    diagnosis.message = std::move(message);
    return diagnosis;
  };
  for (const QuasiStaticPoint& point : points)
    if (point.state.status != Status::solved) return not_solvable(point.state.message);
  const Vote votes = vote(problem, points);
  const size_t first = votes.agree.front();
  const RestStructure& chosen = votes.at[first];
  if (!chosen.regular)
    return not_solvable(fmt::format(
        "t = {:.6g} s: the drives ({}) cannot move the outputs ({}) independently; some drive "
        "has no effect on them",
        points[first].t, join(problem.robot().actuation().names), join(problem.task().outputs)));
  note_doubts(votes, points, diagnosis);
  diagnosis.required_smoothness = chosen.derivative;
  diagnosis.differential_index = chosen.derivative + 1;
  diagnosis.flat = chosen.zeros.empty();
  diagnosis.zeros = chosen.zeros;
  std::sort(diagnosis.zeros.begin(), diagnosis.zeros.end(), [](const auto& a, const auto& b) {
    return std::pair(a.real(), a.imag()) < std::pair(b.real(), b.imag());
  });
  find_undamped(problem, chosen, points[first].t, diagnosis);
  for (const size_t i : votes.agree) {
    const PhaseAtPoint phase = phase_at(points[i].t, votes.at[i]);
    if (phase.unstable > 0) diagnosis.minimum_phase = false;
    diagnosis.largest_zero_real_part =
        std::max(diagnosis.largest_zero_real_part, phase.largest_real_part);
    diagnosis.phase.push_back(phase);
  }
  diagnosis.holding_torques = points.front().state.u;
  diagnosis.torque_null_space = torque_null_space(
      problem.robot(), constraint_matrix(problem.robot(), points.front().state.q));
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
        "derivative; use a smoother path, such as profile: polynomial{}",
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

// matrix exp(log_scale): what grows without end stays a number.
struct ScaledMatrix {
  Matrix matrix;
  double log_scale = 0;
};

ScaledMatrix operator*(const ScaledMatrix& a, const ScaledMatrix& b) {
  ScaledMatrix product{a.matrix * b.matrix, a.log_scale + b.log_scale};
  const double size = product.matrix.cwiseAbs().maxCoeff();
  if (!(size > 0)) return product;
  product.matrix /= size;
  product.log_scale += std::log(size);
  return product;
}

// Units of the coordinates in which the rows and columns of K are about of one size.
Vector balanced_units(const Matrix& K) {
  Vector units = Vector::Ones(K.rows());
  for (int round = 0; round < 4; ++round)
    for (Eigen::Index i = 0; i < K.rows(); ++i) {
      double row = 0, column = 0;
      for (Eigen::Index j = 0; j < K.rows(); ++j) {
        if (j == i) continue;
        row += std::abs(K(i, j)) * units[j];
        column += std::abs(K(j, i)) / units[j];
      }
      if (row > 0 && column > 0) units[i] = std::sqrt(row / column);
    }
  return units;
}

// exp(h A) of A = (0, 1; K, D) by its (3, 3) Pade form, which never amplifies a stable mode, of a
// step so short that no mode turns far in it, squared as often as it takes.
ScaledMatrix transition(const Matrix& A, double h, const Vector& units) {
  constexpr double longest_turn = 2;  // rad; exponents err by 1e-5 of its sixth power
  const Eigen::Index nv = A.rows() / 2;
  // the row sums of |S^-1 X S|
  const auto norm = [&](const auto& X) {
    return (X.cwiseAbs() * units).cwiseQuotient(units).maxCoeff();
  };
  // no eigenvalue is larger
  const double rate =
      std::sqrt(norm(A.bottomLeftCorner(nv, nv))) + norm(A.bottomRightCorner(nv, nv));
  const int squarings =
      static_cast<int>(std::clamp(std::ceil(std::log2(h * rate / longest_turn)), 0.0, 60.0));
  const Matrix one = Matrix::Identity(2 * nv, 2 * nv), X = std::ldexp(h, -squarings) * A;
  const Matrix X2 = X * X, odd = X * (0.5 * one + X2 / 120), even = one + X2 / 10;
  ScaledMatrix step{solve_linear(even - odd, even + odd)};
  for (int i = 0; i < squarings; ++i) step = step * step;
  return step;
}

// Columns from one matrix to the next: 400 of them over the motion, more where it is long.
Eigen::Index growth_stride(const Vector& t) {
  constexpr Eigen::Index usual_points = 400, most_points = 20'000;
  constexpr double longest = 0.02;  // s
  const Eigen::Index last = t.size() - 1;
  const auto wanted = static_cast<Eigen::Index>(
      std::min(std::max((t[last] - t[0]) / longest, double(usual_points)), double(most_points)));
  return std::max<Eigen::Index>(1, last / wanted);
}

}  // namespace

Vector log_growth_along(const Robot& plant, const Vector& t, const Matrix& q, const Matrix& v,
                        const Matrix& vdot, const Matrix& lambda) {
  const int nv = plant.nv();
  ConstrainedDynamics dynamics(plant);
  const Matrix none = Matrix::Zero(nv, nv);
  Matrix A = Matrix::Zero(2 * nv, 2 * nv), by_q = none, by_v = none;
  A.topRightCorner(nv, nv).setIdentity();
  ScaledMatrix Phi{Matrix::Zero(2 * nv, 2 * nv)};
  Phi.matrix.topLeftCorner(nv, nv) = Phi.matrix.bottomRightCorner(nv, nv) =
      allowed_motions(plant, q.col(0));
  const Eigen::Index last = t.size() - 1, stride = growth_stride(t);
  Vector log_growth = Vector::Zero(t.size()), units;
  for (Eigen::Index i = 0; i < last;) {
    const Eigen::Index next = std::min(i + stride, last), middle = (i + next) / 2;
    dynamics.acceleration_derivatives(q.col(middle), v.col(middle), vdot.col(middle),
                                      lambda.col(middle), none, none, by_q, by_v);
    A.bottomLeftCorner(nv, nv) = by_q;
    A.bottomRightCorner(nv, nv) = by_v;
    if (units.size() == 0) units = balanced_units(by_q);
    Phi = transition(A, t[next] - t[i], units) * Phi;
    const double size = singular_values(Phi.matrix.topLeftCorner(nv, nv))[0];
    const double largest = std::max(log_growth[i], Phi.log_scale + std::log(size));
    for (Eigen::Index j = i + 1; j <= next; ++j) log_growth[j] = largest;
    i = next;
  }
  return log_growth;
}

}  // namespace tauflex

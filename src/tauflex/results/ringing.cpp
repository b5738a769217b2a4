#include "tauflex/results/ringing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tauflex/analysis/linear_problem.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/pencil.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/results/limits.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {

double RingingMode::frequency() const { return eigenvalue.imag() / (2 * std::numbers::pi); }

double RingingMode::decay_time() const {
  const double rate = -eigenvalue.real();
  return std::abs(rate) <= 1e-6 * std::abs(eigenvalue) ? std::numeric_limits<double>::infinity()
                                                       : 1 / rate;
}

namespace {

// Modes x_k c_k of E x' = A x, x = (positions, velocities, ...), that meet the given state of the
// links. Modes in which no link moves, such as springs of drives that settle, are left out.
struct Modes {
  Eigen::VectorXcd eigenvalues;
  Eigen::MatrixXcd x;
};

Modes modes_of(const Matrix& E, const Matrix& A, int positions, const Vector& link_q,
               const Vector& link_v) {
  const auto n = link_q.size();
  const PencilStructure pencil = pencil_structure(E, A);
  if (!pencil.regular || pencil.rates.size() == 0) return {};
  const Eigensystem system = eigensystem(pencil.rates);
  const Eigen::MatrixXcd x = pencil.states * system.vectors;
  std::vector<Eigen::Index> kept;
  double speed = std::numeric_limits<double>::infinity();  // 1/s, of the slowest
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    const Vector q = x.col(k).head(positions).cwiseAbs();
    if (q.head(n).maxCoeff() < 1e-6 * q.maxCoeff()) continue;
    kept.push_back(k);
    if (const double size = std::abs(system.values[k]); size > 0) speed = std::min(speed, size);
  }
  if (kept.empty()) return {};
  if (std::isinf(speed)) speed = 1;
  const Eigen::MatrixXcd X = x(Eigen::all, kept);
  // positions and velocities count alike in the time of the slowest mode
  Eigen::MatrixXcd links(2 * n, X.cols());
  links << X.topRows(n), X.middleRows(positions, n) / speed;
  Eigen::VectorXcd state(2 * n);
  state << link_q.cast<std::complex<double>>(), link_v.cast<std::complex<double>>() / speed;
  const Eigen::VectorXcd c = least_norm_solution(links, state);
  return {system.values(kept), X * c.asDiagonal()};
}

// Amplitudes of what `rows` pick of x: a pair of conjugate modes is one.
template <class Rows>
std::vector<RingingMode> amplitudes(const Modes& modes, const Rows& rows) {
  std::vector<RingingMode> list;
  for (Eigen::Index k = 0; k < modes.eigenvalues.size(); ++k) {
    const std::complex<double> s = modes.eigenvalues[k];
    if (s.imag() < 0) continue;  // its conjugate says it
    RingingMode mode{s, {}, {}, {}};
    rows(Eigen::VectorXcd((s.imag() > 0 ? 2.0 : 1.0) * modes.x.col(k)), mode);
    list.push_back(std::move(mode));
  }
  std::stable_sort(list.begin(), list.end(), [](const RingingMode& a, const RingingMode& b) {
    return a.q.norm() > b.q.norm();
  });
  return list;
}

// The motors are locked where they are: rotors, and joints of rigid drives, do not move.
struct LockedPlant {
  std::vector<int> free;  // tree velocities
  Matrix E, A;            // x = (q, v, lambda), of the free ones
  Vector pull;            // size of x: what rotors away from their rest add to A x
};

LockedPlant locked_plant(const Robot& robot, const LinearProblem& linear, int outputs,
                         const Vector& dq) {
  const int nv = robot.nv(), ng = robot.constraint_count(), lambda = 2 * nv + outputs;
  LockedPlant plant;
  for (int i = 0; i < robot.tree_nv(); ++i)
    if (std::none_of(robot.actuation().drives.begin(), robot.actuation().drives.end(),
                     [&](const DriveLayout& drive) { return drive.row() == i; }))
      plant.free.push_back(i);
  const int n = static_cast<int>(plant.free.size());
  std::vector<int> unknowns;  // of x = (q, v, w, lambda)
  for (const int begin : {0, nv})
    for (const int i : plant.free) unknowns.push_back(begin + i);
  for (int i = 0; i < ng; ++i) unknowns.push_back(lambda + i);
  plant.E = linear.E(unknowns, unknowns);
  plant.A = linear.A(unknowns, unknowns);
  Vector held = dq;
  for (const int i : plant.free) held[i] = 0;
  plant.pull = Vector::Zero(2 * n + ng);
  for (size_t i = 0; i < unknowns.size(); ++i)
    plant.pull[static_cast<Eigen::Index>(i)] = linear.A.row(unknowns[i]).head(nv).dot(held);
  return plant;
}

void find_locked(const InverseProblem& problem, const LinearProblem& linear, const Vector& dq,
                 const Vector& dv, Ringing& ringing) {
  const Robot& robot = problem.robot();
  const int nv = robot.nv(), ny = problem.output_count();
  const LockedPlant plant = locked_plant(robot, linear, ny, dq);
  const auto n = static_cast<Eigen::Index>(plant.free.size());
  const Matrix J = linear.A.block(2 * nv, 0, ny, nv);  // rows of forces are 0
  const Matrix J_free = J(Eigen::all, plant.free);
  Vector held = dq;
  for (const int i : plant.free) held[i] = 0;
  ringing.y_rest = J * held;
  ringing.y = Vector::Zero(ny);
  if (n == 0) return;
  // rest: A x + pull = 0
  const Vector rest = least_norm_solution(plant.A, -plant.pull);
  ringing.y_rest += J_free * rest.head(n);
  ringing.locked = amplitudes(modes_of(plant.E, plant.A, static_cast<int>(n),
                                       dq(plant.free) - rest.head(n), dv(plant.free)),
                              [&](const Eigen::VectorXcd& x, RingingMode& mode) {
                                mode.q = Vector::Zero(nv);
                                mode.q(plant.free) = x.head(n).cwiseAbs();
                                mode.y = (J_free * x.head(n)).cwiseAbs();
                              });
  for (const RingingMode& mode : ringing.locked) ringing.y += mode.y;
}

// The first sample at t or after it.
Eigen::Index sample_at(const Solution& s, double t) {
  Eigen::Index i = 0;
  while (i + 1 < s.t.size() && s.t[i] < t - 1e-9 * std::max(1.0, t)) ++i;
  return i;
}

double peak(const Vector& t, const Vector& f) {
  return std::max(highest(t, f).value, highest(t, -f).value);
}

// The solution that holds until the end of the window. That of jets is known at any time: it is
// looked at from the end of the path on only, and begins with as many steps per second as it took.
Solution held_solution(const InverseProblem& problem, const RestState& start, const Window& window,
                       Method method, const Solution& given, const Progress& progress) {
  const InverseProblem held = problem.with_window(window);
  auto* jets = std::get_if<JetOptions>(&method);
  if (!jets || given.integrator_steps == 0) return solve(held, start, method, progress);
  const double whole = held.end() - held.begin(), known = problem.end() - problem.begin();
  jets->step = whole;
  jets->first_steps = static_cast<int>(
      std::min(std::ceil(1.05 * static_cast<double>(given.integrator_steps) * whole / known),
               static_cast<double>(jets->steps_at_most(whole))));
  Solution s = solve(held, start, method, progress);
  if (s.status != Status::solved) return s;
  const double end_of_path = problem.path().duration();
  const auto count = std::lround(window.hold_after / given.step) + 1;
  s.t = Vector::LinSpaced(count, end_of_path,
                          end_of_path + given.step * static_cast<double>(count - 1));
  s.q.resize(Eigen::NoChange, count);
  s.u.resize(Eigen::NoChange, count);
  Instant now;
  for (Eigen::Index i = 0; i < count; ++i) {
    if (!s.dense->at(s.t[i], now)) {
      s.status = Status::not_converged;
      return s;
    }
    s.q.col(i) = now.q;
    s.u.col(i) = now.u;
  }
  return s;
}

// One period of the largest mode after the path, in a solution that holds so long.
void measure(const InverseProblem& problem, const RestState& start, const RestState& rest,
             const Method& method, const Solution& given, const Progress& progress,
             Ringing& ringing) {
  constexpr double longest = 2;  // s
  const RingingMode& mode = ringing.internal.front();
  const double window =
      std::min(longest, mode.frequency() > 0 ? 1 / mode.frequency() : std::abs(mode.decay_time()));
  const bool holds_too_shortly = given.window.hold_after < window;
  Solution longer;
  if (holds_too_shortly) {
    Window wider = given.window;
    wider.hold_after = std::ceil(window / given.step) * given.step;  // the path ends at a sample
    longer = held_solution(problem, start, wider, method, given, progress);
    if (longer.status != Status::solved) return;
  }
  const Solution& s = holds_too_shortly ? longer : given;
  const Eigen::Index from = sample_at(s, ringing.t),
                     count = sample_at(s, ringing.t + window) - from + 1;
  const Vector t = s.t.segment(from, count);
  Matrix dq(ringing.q.size(), count);
  for (Eigen::Index i = 0; i < count; ++i)
    velocity_of_rate<double>(problem.robot(), rest.q, s.q.col(from + i) - rest.q, dq.col(i));
  for (Eigen::Index i = 0; i < dq.rows(); ++i) ringing.q[i] = peak(t, dq.row(i).transpose());
  for (Eigen::Index d = 0; d < ringing.u.size(); ++d)
    ringing.u[d] = peak(t, s.u.row(d).segment(from, count).transpose().array() - rest.u[d]);
  ringing.window = window;
}

}  // namespace

Ringing ringing_after(const InverseProblem& problem, const RestState& start, const RestState& rest,
                      const Method& method, const Solution& s, const Progress& progress) try {
  const Robot& robot = problem.robot();
  const int nv = robot.nv(), ny = problem.output_count();
  Ringing ringing;
  ringing.t = problem.path().duration();
  for (const ConstraintRow& row : robot.constraints())
    if (row.path) {
      ringing.status = Status::not_solvable;
      ringing.message = "constraint '" + row.name + "' moves on when the path has ended";
      return ringing;
    }
  if (rest.status != Status::solved) {
    ringing.status = rest.status;
    ringing.message = rest.message;
    return ringing;
  }
  const Eigen::Index end = sample_at(s, ringing.t);
  Vector dq(nv);
  velocity_of_rate<double>(robot, rest.q, s.q.col(end) - rest.q, dq);
  const Vector dv = s.v.col(end);
  const LinearProblem linear = linear_problem(problem, rest);
  const int links = robot.tree_nv();  // rotors follow them
  ringing.internal = amplitudes(modes_of(linear.E, linear.A, nv, dq.head(links), dv.head(links)),
                                [&](const Eigen::VectorXcd& x, RingingMode& mode) {
                                  mode.q = x.head(nv).cwiseAbs();
                                  mode.u = (linear.Q * x.segment(2 * nv, ny)).cwiseAbs();
                                });
  ringing.q = Vector::Zero(nv);
  ringing.u = Vector::Zero(static_cast<Eigen::Index>(robot.actuation().drives.size()));
  for (const RingingMode& mode : ringing.internal) {
    ringing.q += mode.q;
    ringing.u += mode.u;
  }
  if (!ringing.internal.empty()) measure(problem, start, rest, method, s, progress, ringing);
  find_locked(problem, linear, dq, dv, ringing);
  return ringing;
} catch (const Error& error) {  // the solution stands without it
  Ringing unknown;
  unknown.status = Status::not_solvable;
  unknown.message = error.what();
  unknown.t = problem.path().duration();
  return unknown;
}

}  // namespace tauflex

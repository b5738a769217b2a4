#include "tauflex/problem/internal_dynamics.hpp"

#include <algorithm>

#include "tauflex/base/errors.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/equilibration.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/mechanics/position_series.hpp"
#include "tauflex/model/natural_units.hpp"
#include "tauflex/model/robot_kind.hpp"

namespace tauflex {

InternalDynamics::InternalDynamics(const InverseProblem& problem)
    : problem_(problem),
      robot_(problem.robot()),
      n_(robot_.tree_nv()),
      nq_(robot_.tree_nq()),
      ng_(robot_.constraint_count()),
      p_(n_ - problem.motion_output_count() - ng_),
      rows_(problem),
      drives_(robot_),
      least_(problem),
      chosen_at_(robot_.coordinates().neutral),
      units_(Matrix::Zero(p_, n_)),
      mechanics_(robot_),
      P_(Matrix::Zero(n_, n_)),
      W_(Matrix::Zero(n_ + ng_, n_ + ng_)),
      N_(robot_.nq(), robot_.nv()),
      by_q_(Matrix::Zero(robot_.nq(), robot_.nq())),
      zero_(Vector::Zero(robot_.nv())),
      r_(n_),
      x_(n_),
      right_(n_ + ng_),
      w_(n_ + ng_),
      qdot_(robot_.nq()),
      qddot_(robot_.nq()),
      change_(nq_) {
  const std::string& where = problem.task().where;
  if (!problem.is_block_triangular())
    throw ProblemError(where +
                       ": an output is a rotor, so the method of jets does not apply; use bdf");
  is_direct_ = p_ == 0 && (drives_.size() == 0 || problem.is_redundant());
  if (!is_direct_ && problem.is_redundant())
    throw ProblemError(where +
                       ": more drives than outputs, and outputs and constraints do not determine "
                       "every joint; the torques would not be unique");
}

InternalDynamics::~InternalDynamics() = default;

void InternalDynamics::integrate_the_same(const InternalDynamics& other) {
  free_ = other.free_;
  turns_ = other.turns_;
  chosen_at_ = other.chosen_at_;
  units_ = other.units_;
  newton_ = other.newton_;
  accuracy_ = other.accuracy_;
}

InternalMotion InternalDynamics::motion() const {
  InternalMotion m;
  m.q = robot_.coordinates().neutral;
  m.v = m.a = Vector::Zero(robot_.nv());
  m.lambda = Vector::Zero(ng_);
  m.load = Vector::Zero(drives_.size());
  m.tau = Vector::Zero(n_);
  m.y = Matrix::Zero(problem_.output_count(), 3);
  m.chart = Matrix::Zero(p_, nq_);
  m.sddot = Vector::Zero(p_);
  center(chosen_at_, m);
  return m;
}

void InternalDynamics::center(const VectorRef& q, InternalMotion& m) const {
  by_coordinates(robot_, q, units_, m.chart);
}

void InternalDynamics::rates(const InternalMotion& m, const VectorRef& q, const VectorRef& v,
                             VectorOut rate) {
  position_rate<double>(robot_, q, v, qdot_);
  rate.noalias() = m.chart * qdot_.head(nq_);
}

void InternalDynamics::rate_rows(const InternalMotion& m, const VectorRef& q, MatrixOut E) {
  N_.setZero();
  add_position_rate_derivatives(robot_, q, zero_, by_q_, N_);
  E.noalias() = m.chart * N_.topLeftCorner(nq_, n_);
}

void InternalDynamics::choose(const VectorRef& q) {
  Matrix y(problem_.output_count(), 1);
  problem_.path().derivatives(problem_.begin(), y);
  rows_.evaluate(mechanics_, problem_.begin(), q, y.col(0));
  // What a spring holds is small and rather part of s: as a difference of larger angles it would
  // have their rounding, and its stiffness makes forces of that. Orientations are rather not: their
  // part of s ends at half a turn.
  constexpr double springs = 0.03, orientations = 10;
  // lengths and angles beside each other, in units of the robot
  Matrix C = servo_units(problem_).cwiseInverse().asDiagonal() * rows_.C() *
             velocity_units(robot_).head(n_).asDiagonal();
  const std::vector<int>& coordinate = robot_.coordinates().of_velocity;
  const std::vector<bool> held = held_by_springs(robot_);
  for (int k = 0; k < n_; ++k) {
    if (coordinate[k] < 0) C.col(k) *= orientations;
    if (held[k]) C.col(k) *= springs;
  }
  const std::vector<int> order = pivot_columns(C).columns;
  free_.assign(order.end() - p_, order.end());
  std::sort(free_.begin(), free_.end());
  turns_ = std::any_of(free_.begin(), free_.end(), [&](int k) { return coordinate[k] < 0; });
  chosen_at_ = q;
  units_.setZero();
  for (int k = 0; k < p_; ++k) units_(k, free_[k]) = 1;
}

bool InternalDynamics::is_regular(const VectorRef& q) {
  choose(q);
  InternalMotion m = motion();
  m.q = q;
  if (!solve(problem_.begin(), m.chart * q.head(nq_), Vector::Zero(p_), m)) return false;
  if (is_direct_ && !problem_.is_redundant()) return true;
  Matrix W = is_direct_ ? least_.matrix() : W_;
  if (is_direct_) {  // squares of lengths beside lengths: in units of the robot
    Vector units = Vector::Ones(W.rows());
    units.head(ng_) = constraint_units(robot_).cwiseInverse();
    W = units.asDiagonal() * W * units.asDiagonal();
  }
  const Scales scales = equilibrate(W.cwiseAbs());
  const Vector sigma = singular_values(scales.rows.asDiagonal() * W * scales.columns.asDiagonal());
  return sigma.size() == 0 || sigma[sigma.size() - 1] > 1e-10 * sigma[0];
}

bool InternalDynamics::solve(double t, const VectorRef& s, const VectorRef& rate, InternalMotion& m,
                             double pace, long* iterations) {
  m.failure = {};
  problem_.path().derivatives(t, m.y);
  m.y.col(1) *= pace;
  m.y.col(2) *= pace * pace;
  normalize(robot_, m.q);
  for (int k = 0; k < p_; ++k)
    if (const int i = robot_.coordinates().of_velocity[free_[k]]; i >= 0) m.q[i] = s[k];
  if (!find_positions(t, s, m, iterations)) return false;
  rows_.rates(t, m.y, r_.head(n_ - p_));
  r_.tail(p_) = rate;
  m.positions.solve(r_, x_);
  m.v.head(n_) = x_;
  return find_accelerations(t, m);
}

bool InternalDynamics::find_positions(double t, const VectorRef& s, InternalMotion& m,
                                      long* iterations) {
  bool renewed = false;
  const auto correct = [&](const NewtonState&) {
    rows_.evaluate(mechanics_, t, m.q, m.y.col(0));
    factorize(m);
    r_.head(n_ - p_) = rows_.value();
    r_.tail(p_).setZero();
    if (turns_) {
      r_.tail(p_) = -s;
      r_.tail(p_).noalias() += m.chart * m.q.head(nq_);
    }
    m.positions.solve(r_, x_);
    x_ *= -1;
    move(robot_, x_, m.q);
    if (iterations != nullptr) ++*iterations;
    return x_.cwiseAbs().maxCoeff() / (1 + m.q.head(nq_).cwiseAbs().maxCoeff());
  };
  if (n_ > p_ || turns_) {
    const NewtonResult found = newton(newton_, correct);
    if (!found.converged || !m.q.allFinite()) {
      if (rows_.size() > 0 && rows_.value().allFinite())
        m.failure.value = rows_.value().cwiseAbs().maxCoeff(&m.failure.row);
      return false;
    }
    // else the matrices are those of this pose, as far as it matters
    renewed = found.size <= accuracy_;
  }
  if (!renewed) {
    rows_.evaluate(mechanics_, t, m.q, m.y.col(0));
    factorize(m);
  }
  m.G = rows_.G();
  return true;
}

void InternalDynamics::factorize(InternalMotion& m) {
  P_.topRows(n_ - p_) = rows_.C();
  if (turns_) {
    rate_rows(m, m.q, P_.bottomRows(p_));
  } else {
    P_.bottomRows(p_).setZero();
    for (int k = 0; k < p_; ++k) P_(n_ - p_ + k, free_[k]) = 1;
  }
  m.positions.compute(P_);
}

// s'' = L q'' with q'' = N(q) v' + N(q') v
void InternalDynamics::find_sddot(InternalMotion& m) {
  if (!turns_) {
    for (int k = 0; k < p_; ++k) m.sddot[k] = m.a[free_[k]];
    return;
  }
  position_rate<double>(robot_, m.q, m.v, qdot_);
  position_rate<double>(robot_, m.q, m.a, qddot_);
  position_rate_change(robot_, qdot_.head(nq_), m.v.head(n_), change_);
  change_ += qddot_.head(nq_);
  m.sddot.noalias() = m.chart * change_;
}

bool InternalDynamics::find_accelerations(double t, InternalMotion& m) {
  rows_.accelerations(mechanics_, t, m.q, m.v, m.y, right_.head(n_ - p_));
  if (is_direct_) {
    m.positions.solve(right_.head(n_), x_);
    m.a.head(n_) = x_;
    if (drives_.size() > 0) {  // for series of the load
      mass_matrix(robot_, mechanics_, m.q);
      m.M = mechanics_.M;
    }
    joint_torques<double>(robot_, mechanics_, m.q, m.v, m.a);
    least_.solve(mechanics_.tau, m.G, m.y.col(0), m.lambda);
    m.tau = mechanics_.tau;
  } else {
    mass_matrix(robot_, mechanics_, m.q);
    m.M = mechanics_.M;
    joint_torques<double>(robot_, mechanics_, m.q, m.v, zero_);
    W_.setZero();
    W_.topLeftCorner(n_ - p_, n_) = rows_.C();
    int row = n_ - p_;
    for (const int passive : problem_.passive_rows()) {
      W_.row(row).head(n_) = m.M.row(passive);
      W_.row(row).tail(ng_) = -m.G.col(passive).transpose();
      right_[row++] = -mechanics_.tau[passive];
    }
    for (const auto [output, constraint] : problem_.force_outputs()) {
      W_(row, n_ + constraint) = 1;
      right_[row++] = m.y(output, 0);
    }
    m.accelerations.compute(W_);
    m.accelerations.solve(right_, w_);
    m.a.head(n_) = w_.head(n_);
    m.lambda = w_.tail(ng_);
    m.tau = mechanics_.tau;
    m.tau.noalias() += m.M * m.a.head(n_);
  }
  if (!m.a.allFinite() || !m.lambda.allFinite()) {
    m.failure.reason =
        "the equations of motion give no finite accelerations: the pose is singular, or the path "
        "far too fast";
    return false;
  }
  m.tau.noalias() -= m.G.transpose() * m.lambda;
  drives_.loads(m.tau, m.load);
  find_sddot(m);
  return true;
}

}  // namespace tauflex

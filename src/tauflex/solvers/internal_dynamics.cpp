#include "tauflex/solvers/internal_dynamics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "tauflex/base/errors.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/equilibration.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/mechanics/spring_laws.hpp"

namespace tauflex {

namespace {

size_t at(int i) { return static_cast<size_t>(i); }

}  // namespace

InternalDynamics::InternalDynamics(const InverseProblem& problem)
    : problem_(problem),
      robot_(problem.robot()),
      n_(robot_.tree_nv()),
      ny_(problem.output_count()),
      ng_(robot_.constraint_count()),
      p_(n_ - problem.motion_output_count() - ng_),
      mechanics_(robot_),
      poses_(robot_),
      forces2_(robot_),
      forces1_(robot_),
      y_(Matrix::Zero(ny_, 5)),
      J_out_(Matrix::Zero(ny_, robot_.nv())),
      G_(Matrix::Zero(ng_, n_)),
      C_(Matrix::Zero(n_ - p_, n_)),
      P_(Matrix::Zero(n_, n_)),
      W_(Matrix::Zero(n_ + ng_, n_ + ng_)),
      c_(ny_),
      g_(ng_),
      r_(n_),
      x_(n_),
      rate_(ny_),
      acceleration_(ny_),
      bias_(ny_),
      zero_(Vector::Zero(robot_.nv())),
      right_(n_ + ng_),
      w_(n_ + ng_),
      tau_(n_),
      q4_(robot_.nq()),
      lambda4_(ng_),
      y4_(ny_),
      c4_(ny_),
      g4_(ng_),
      q2_(robot_.nq()),
      v2_(robot_.nv()),
      a2_(robot_.nv()),
      lambda2_(ng_),
      q1_(robot_.nq()),
      v1_(robot_.nv()),
      a1_(robot_.nv()),
      lambda1_(ng_),
      angles_(robot_.rotors()),
      spring_(robot_.rotors()),
      changes_(robot_),
      q_change_(robot_.nq()),
      lambda_change_(ng_),
      y_change_(ny_),
      c_change_(ny_),
      g_change_(ng_) {
  const std::string& where = problem.task().where;
  if (!problem.is_block_triangular())
    throw ProblemError(where +
                       ": an output is a rotor, so the method of jets does not apply; use bdf");
  if (problem.is_redundant())
    throw ProblemError(where + ": more drives than outputs: the least torque is found by bdf");
  if (!robot_.quaternions().empty())
    throw ProblemError(where +
                       ": the method of jets has no spherical or floating joints yet; use bdf");
  moving_ = problem.motion_outputs();
  for (const ForceRow& force : problem.force_outputs()) forces_.push_back(force.output);
  const int nr = robot_.rotors();
  K_ = D_ = gears_ = Matrix::Zero(nr, nr);
  for (const SpringEntry& e : robot_.drive_springs()) {
    K_(e.row, e.column) = e.stiffness;
    D_(e.row, e.column) = e.damping;
  }
  for (const Gear& gear : robot_.gears()) gears_(gear.spring, gear.rotor) = gear.ratio;
  for (int k = 0; k < nr; ++k) (D_.row(k).isZero(0) ? undamped_ : damped_).push_back(k);
  for (const int k : undamped_)
    if (!D_.col(k).isZero(0) || !K_(damped_, k).isZero(0) || !K_(k, damped_).isZero(0))
      throw ProblemError(where + ": springs couple damped and undamped drives; use bdf");
  if (nr > 0) gear_lu_.compute(gears_);
  if (!damped_.empty()) {
    D_lu_.compute(D_(damped_, damped_));
    if (condition_number(D_(damped_, damped_)) > 1e12)
      throw ProblemError(where + ": the damping matrix of the drives is singular; use bdf");
  }
}

void InternalDynamics::positions(double t, const VectorRef& q, const VectorRef& lambda) {
  kinematics<double>(robot_, mechanics_, q);
  output_errors<double>(robot_, mechanics_, q, lambda, problem_.outputs(), y_.col(0), c_);
  output_jacobian(robot_, mechanics_, problem_.outputs(), y_.col(0), J_out_);
  constraint_values<double>(robot_, mechanics_, q, t, g_);
  constraint_jacobian(robot_, mechanics_, G_);
  int row = 0;
  for (const int i : moving_) {
    r_[row] = c_[i];
    C_.row(row++) = J_out_.row(i).head(n_);
  }
  r_.segment(row, ng_) = g_;
  C_.bottomRows(ng_) = G_;
}

void InternalDynamics::choose(const VectorRef& q) {
  problem_.path().derivatives(problem_.begin(), y_.leftCols(3));
  positions(problem_.begin(), q, Vector::Zero(ng_));
  const std::vector<int> order = pivot_columns(C_).columns;
  free_.assign(order.end() - p_, order.end());
  std::sort(free_.begin(), free_.end());
}

bool InternalDynamics::is_regular(const VectorRef& q) {
  choose(q);
  Motion m = motion();
  m.q = q;
  if (!solve(problem_.begin(), m.q(free_), Vector::Zero(p_), m)) return false;
  const Scales scales = equilibrate(W_.cwiseAbs());
  const Vector sigma = singular_values(scales.rows.asDiagonal() * W_ * scales.columns.asDiagonal());
  return sigma.size() == 0 || sigma[sigma.size() - 1] > 1e-10 * sigma[0];
}

InternalDynamics::Motion InternalDynamics::motion() const {
  return {Vector::Zero(robot_.nq()), Vector::Zero(robot_.nv()), Vector::Zero(robot_.nv()),
          Vector::Zero(ng_), Vector::Zero(robot_.rotors())};
}

bool InternalDynamics::solve(double t, const VectorRef& s, const VectorRef& rate, Motion& m) {
  problem_.path().derivatives(t, y_.leftCols(3));
  y_.col(1) *= pace_;
  y_.col(2) *= pace_ * pace_;
  for (int k = 0; k < p_; ++k) m.q[free_[at(k)]] = s[k];
  bool found = n_ == p_;
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 20; ++iteration) {
    positions(t, m.q, m.lambda);
    P_.topRows(n_ - p_) = C_;
    P_.bottomRows(p_).setZero();
    for (int k = 0; k < p_; ++k) P_(n_ - p_ + k, free_[at(k)]) = 1;
    P_lu_.compute(P_);
    if (found) break;
    r_.tail(p_).setZero();
    P_lu_.solve(r_, x_);
    const double size = x_.cwiseAbs().maxCoeff(), scale = 1 + m.q.head(n_).cwiseAbs().maxCoeff();
    if (!std::isfinite(size)) break;
    m.q.head(n_) -= x_;
    if (size <= accuracy_ * scale) {  // the matrices are those of this pose, as far as it matters
      found = true;
      break;
    }
    found = size * size <= 1e-16 * scale || (size >= 0.5 * last && size < 1e-9 * scale);
    last = size;
  }
  if (!found || !m.q.allFinite()) {
    c_.size() > 0 ? c_.cwiseAbs().maxCoeff(&worst_) : 0;
    return false;
  }
  // velocities
  output_rates(problem_.outputs(), y_, rate_, acceleration_);
  int row = 0;
  for (const int i : moving_) r_[row++] = rate_[i];
  constraint_rates(robot_, t, g_);
  r_.segment(row, ng_) = g_;
  r_.tail(p_) = rate;
  P_lu_.solve(r_, x_);
  m.v.head(n_) = x_;
  // accelerations and multipliers
  constraint_bias(robot_, mechanics_, m.q, m.v, t, g_);
  output_bias(robot_, mechanics_, problem_.outputs(), y_.col(0), bias_);
  row = 0;
  for (const int i : moving_) right_[row++] = acceleration_[i] - bias_[i];
  right_.segment(row, ng_) = -g_;
  row += ng_;
  mass_matrix(robot_, mechanics_, m.q);
  W_.setZero();
  W_.topLeftCorner(n_ - p_, n_) = C_;
  const int first_passive = row;
  for (const int passive : problem_.passive_rows()) {
    W_.row(row).head(n_) = mechanics_.M.row(passive).head(n_);
    W_.row(row).tail(ng_) = -G_.col(passive).transpose();
    ++row;
  }
  for (const auto [output, constraint] : problem_.force_outputs()) {
    W_(row, n_ + constraint) = 1;
    right_[row++] = y_(output, 0);
  }
  joint_torques<double>(robot_, mechanics_, m.q, m.v, zero_);
  row = first_passive;
  for (const int passive : problem_.passive_rows()) right_[row++] = -mechanics_.tau[passive];
  W_lu_.compute(W_);
  W_lu_.solve(right_, w_);
  if (!w_.allFinite()) return false;
  m.a.head(n_) = w_.head(n_);
  m.lambda = w_.tail(ng_);
  for (int k = 0; k < robot_.rotors(); ++k) {
    const int joint = robot_.elastic_drive(k).joint_v;
    m.load[k] = mechanics_.tau[joint] + mechanics_.M.row(joint).dot(w_.head(n_)) -
                G_.col(joint).dot(m.lambda);
  }
  return true;
}

void InternalDynamics::jacobian(const Motion& m, MatrixOut J) {
  joint_torque_derivatives(robot_, mechanics_, m.q, m.v, m.a);
  if (ng_ > 0)
    add_constraint_force_derivative(robot_, mechanics_, m.lambda, -1,
                                    mechanics_.dtau_dq.topLeftCorner(n_, n_));
  // directions that the outputs and constraints leave free: P T = (0, 1)
  Matrix T = Matrix::Zero(n_, p_);
  T.bottomRows(p_).setIdentity();
  T = P_lu_.solve(T);
  Matrix right = Matrix::Zero(n_ + ng_, 2 * p_);
  int row = n_ - p_;
  for (const int passive : problem_.passive_rows()) {
    right.row(row).head(p_) = -mechanics_.dtau_dq.row(passive).head(n_) * T;
    right.row(row).tail(p_) = -mechanics_.dtau_dv.row(passive).head(n_) * T;
    ++row;
  }
  right = W_lu_.solve(right);
  for (int k = 0; k < p_; ++k) J.row(k) = right.row(free_[at(k)]);
}

// How the first and second time derivative of outputs and constraints change with the pose, along
// the motion (q, v, v').
void InternalDynamics::change_of_rows(double t, const Motion& m, const VectorRef& dq,
                                      VectorOut first, VectorOut second) {
  for (int i = 0; i < n_; ++i) {
    q_change_[i][0] = Dual(m.q[i], dq[i]);
    q_change_[i][1] = m.v[i];
    q_change_[i][2] = m.a[i] / 2;
  }
  for (int i = 0; i < ny_; ++i)
    for (int k = 0; k <= 2; ++k) y_change_[i][k] = k == 2 ? y_(i, k) / 2 : y_(i, k);
  kinematics<ShortJetOfDual>(robot_, changes_, q_change_);
  output_errors<ShortJetOfDual>(robot_, changes_, q_change_, lambda_change_, problem_.outputs(),
                                y_change_, c_change_);
  constraint_values<ShortJetOfDual>(robot_, changes_, q_change_, ShortJetOfDual::time(t, 2),
                                    g_change_);
  int row = 0;
  for (const int i : moving_) {
    first[row] = c_change_[i][1].slope;
    second[row++] = 2 * c_change_[i][2].slope;
  }
  for (int i = 0; i < ng_; ++i) {
    first[row] = g_change_[i][1].slope;
    second[row++] = 2 * g_change_[i][2].slope;
  }
}

void InternalDynamics::linearize(double t, const Motion& m, MatrixOut J) {
  joint_torque_derivatives(robot_, mechanics_, m.q, m.v, m.a);
  if (ng_ > 0)
    add_constraint_force_derivative(robot_, mechanics_, m.lambda, -1,
                                    mechanics_.dtau_dq.topLeftCorner(n_, n_));
  const int rows = n_ - p_;
  Matrix T = Matrix::Zero(n_, p_), V(n_, p_);
  T.bottomRows(p_).setIdentity();
  T = P_lu_.solve(T);
  Matrix first(rows, p_), second(rows, p_), of_rate(rows, p_), unused(rows, 1);
  for (int k = 0; k < p_; ++k) change_of_rows(t, m, T.col(k), first.col(k), second.col(k));
  V.topRows(rows) = -first;
  V.bottomRows(p_).setZero();
  V = P_lu_.solve(V);
  for (int k = 0; k < p_; ++k) change_of_rows(t, m, V.col(k), of_rate.col(k), unused.col(0));
  Matrix right = Matrix::Zero(n_ + ng_, 2 * p_);
  right.topLeftCorner(rows, p_) = -second - 2 * of_rate;
  right.topRightCorner(rows, p_) = -2 * first;
  int row = rows;
  for (const int passive : problem_.passive_rows()) {
    const auto by_q = mechanics_.dtau_dq.row(passive).head(n_);
    const auto by_v = mechanics_.dtau_dv.row(passive).head(n_);
    right.row(row).head(p_) = -by_q * T - by_v * V;
    right.row(row).tail(p_) = -by_v * T;
    ++row;
  }
  right = W_lu_.solve(right);
  for (int k = 0; k < p_; ++k) J.row(k) = right.row(free_[at(k)]);
}

// Jets of q with coefficients 0 .. last, the rest 0.
void InternalDynamics::fill_poses(const Matrix& Q, int last) {
  for (int i = 0; i < n_; ++i) {
    q4_[i] = ShortJet4();
    for (int k = 0; k <= last; ++k) q4_[i][k] = Q(i, k);
  }
}

// tau_: coefficient k of what the joints ask for, with coefficients k of v' and lambda still 0.
void InternalDynamics::torque_coefficient(const Matrix& Q, const Matrix& L, int k) {
  if (k == 1) {  // the slope along the motion
    for (int i = 0; i < n_; ++i) {
      q1_[i] = Dual(Q(i, 0), Q(i, 1));
      v1_[i] = Dual(Q(i, 1), 2 * Q(i, 2));
      a1_[i] = 2 * Q(i, 2);
    }
    for (int i = 0; i < ng_; ++i) lambda1_[i] = L(i, 0);
    joint_torques<Dual>(robot_, forces1_, q1_, v1_, a1_);
    add_constraint_forces<Dual>(robot_, forces1_, lambda1_, -1, forces1_.tau);
    for (int i = 0; i < n_; ++i) tau_[i] = forces1_.tau[i].slope;
    return;
  }
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j <= 2; ++j) {
      q2_[i][j] = Q(i, j);
      v2_[i][j] = (j + 1) * Q(i, j + 1);
      a2_[i][j] = j < 2 ? (j + 1) * (j + 2) * Q(i, j + 2) : 0;
    }
  for (int i = 0; i < ng_; ++i)
    for (int j = 0; j <= 2; ++j) lambda2_[i][j] = j < 2 ? L(i, j) : 0;
  joint_torques<ShortJet2>(robot_, forces2_, q2_, v2_, a2_);
  add_constraint_forces<ShortJet2>(robot_, forces2_, lambda2_, -1, forces2_.tau);
  for (int i = 0; i < n_; ++i) tau_[i] = forces2_.tau[i][2];
}

void InternalDynamics::series(double t, const Motion& m, int order, Matrix& Q, Matrix& L,
                              Matrix& load) {
  assert(order <= 2);
  const int nr = robot_.rotors();
  Q.resize(n_, order + 3);
  L.resize(ng_, order + 1);
  load.resize(nr, order + 1);
  Q.col(0) = m.q.head(n_);
  Q.col(1) = m.v.head(n_);
  Q.col(2) = m.a.head(n_) / 2;
  L.col(0) = m.lambda;
  load.col(0) = m.load;
  if (order == 0) return;
  const ShortJet4 time = ShortJet4::time(t, 4);
  problem_.path().derivatives(t, y_.leftCols(order + 3));
  for (int i = 0; i < ny_; ++i) {
    double factorial = 1;
    for (int k = 0; k <= order + 2; ++k) {
      if (k > 1) factorial *= k;
      y4_[i][k] = y_(i, k) / factorial;
    }
  }
  for (int k = 1; k <= order; ++k) {
    // rows of outputs and constraints, coefficient k + 2
    const double factor = (k + 1) * (k + 2);
    fill_poses(Q, k + 1);
    kinematics<ShortJet4>(robot_, poses_, q4_);
    output_errors<ShortJet4>(robot_, poses_, q4_, lambda4_, problem_.outputs(), y4_, c4_);
    constraint_values<ShortJet4>(robot_, poses_, q4_, time, g4_);
    int row = 0;
    for (const int i : moving_) right_[row++] = -factor * c4_[i][k + 2];
    for (int i = 0; i < ng_; ++i) right_[row++] = -factor * g4_[i][k + 2];
    // rows of joints without a drive, coefficient k
    torque_coefficient(Q, L, k);
    for (const int passive : problem_.passive_rows()) right_[row++] = -tau_[passive];
    for (const int i : forces_) right_[row++] = y4_[i][k];
    W_lu_.solve(right_, w_);
    Q.col(k + 2) = w_.head(n_) / factor;
    L.col(k) = w_.tail(ng_);
    for (int r = 0; r < nr; ++r) {
      const int joint = robot_.elastic_drive(r).joint_v;
      load(r, k) =
          tau_[joint] + mechanics_.M.row(joint).dot(w_.head(n_)) - G_.col(joint).dot(L.col(k));
    }
  }
}

// What the springs give beyond K d, coefficient k, with the stretch known up to there.
void InternalDynamics::add_hardening(const Matrix& series, int k, VectorOut torque) const {
  for (const HardeningEntry& e : robot_.drive_hardening()) {
    Jet x = Jet::zero(std::max(k, 1));
    for (int j = 0; j <= k; ++j) x[j] = series(e.row, j);
    torque[e.row] += hardening_torque(e.law, x).coefficient(k);
  }
}

bool InternalDynamics::stretch_series(const Matrix& load, const VectorRef& d, Matrix& series) {
  const int orders = static_cast<int>(load.cols());
  series.setZero(robot_.rotors(), orders + 1);
  for (int k = 0; k < stretches(); ++k) series(damped_[at(k)], 0) = d[k];
  const auto tangent = [&] {  // of the undamped springs
    Matrix S = K_;
    for (const HardeningEntry& e : robot_.drive_hardening())
      S(e.row, e.row) += hardening_stiffness(e.law, series(e.row, 0));
    return Matrix(S(undamped_, undamped_));
  };
  Lu lu;
  if (!undamped_.empty()) {  // algebra, order 0
    bool found = false;
    for (int iteration = 0; iteration < 50 && !found; ++iteration) {
      spring_.noalias() = K_ * series.col(0);
      add_hardening(series, 0, spring_);
      spring_ -= load.col(0);
      lu.compute(tangent());
      const Vector step = lu.solve(spring_(undamped_));
      for (size_t k = 0; k < undamped_.size(); ++k)
        series(undamped_[k], 0) -= step[static_cast<Eigen::Index>(k)];
      const double size = step.cwiseAbs().maxCoeff();
      if (!std::isfinite(size)) return false;
      found = robot_.drive_hardening().empty() ||
              size <= 1e-15 * (1e-3 + series.col(0).cwiseAbs().maxCoeff());
    }
    if (!found) return false;
  }
  for (int k = 0; k < orders; ++k) {
    // damped: (k + 1) D d_(k+1) = load_k - K d_k - hardening_k
    if (!damped_.empty()) {
      spring_.noalias() = K_ * series.col(k);
      add_hardening(series, k, spring_);
      next_.resize(stretches());
      for (int i = 0; i < stretches(); ++i)
        next_[i] = (load(damped_[at(i)], k) - spring_[damped_[at(i)]]) / (k + 1);
      solved_.resize(stretches());
      D_lu_.solve(next_, solved_);
      for (int i = 0; i < stretches(); ++i) series(damped_[at(i)], k + 1) = solved_[i];
    }
    // undamped: K d_(k+1) + hardening_(k+1) = load_(k+1)
    if (!undamped_.empty() && k + 1 < orders) {
      spring_ = load.col(k + 1);
      spring_.noalias() -= K_ * series.col(k + 1);
      Vector beyond = Vector::Zero(spring_.size());
      add_hardening(series, k + 1, beyond);
      const Vector next = lu.solve((spring_ - beyond)(undamped_));
      for (size_t i = 0; i < undamped_.size(); ++i)
        series(undamped_[i], k + 1) = next[static_cast<Eigen::Index>(i)];
    }
  }
  return true;
}

bool InternalDynamics::instant(double t, const VectorRef& s, const VectorRef& rate,
                               const VectorRef& d, Motion& m, Instant& out) {
  if (!solve(t, s, rate, m)) return false;
  out.q = m.q;
  out.v = m.v;
  out.vdot = m.a;
  out.lambda = m.lambda;
  out.u.resize(static_cast<Eigen::Index>(robot_.drives().size()));
  out.y.resize(ny_);
  const int nr = robot_.rotors();
  if (nr > 0) {
    const int order = torque_order();
    series(t, m, order, Q_, L_, load_);
    if (!stretch_series(load_, d, stretch_)) return false;
    double factorial = 1;
    for (int k = 0; k <= 2; ++k) {
      if (k > 1) factorial *= k;
      for (int r = 0; r < nr; ++r)
        angles_[r] = factorial * (stretch_(r, k) + Q_(robot_.elastic_drive(r).joint_v, k));
      gear_lu_.solve(angles_, spring_);
      for (int r = 0; r < nr; ++r) {
        const DriveLayout& drive = robot_.elastic_drive(r);
        if (k == 0) out.q[drive.rotor_q] = spring_[r];
        if (k == 1) out.v[drive.rotor_v] = spring_[r];
        if (k == 2) out.vdot[drive.rotor_v] = spring_[r];
      }
    }
  }
  // tau of solve() was without accelerations and multipliers
  mechanics_.tau.noalias() += mechanics_.M * m.a.head(n_);
  mechanics_.tau.noalias() -= G_.transpose() * m.lambda;
  // What the springs carry is what the joints ask for; through K d + D d' it would be rounded more.
  for (int r = 0; r < nr; ++r)
    mechanics_.spring_torque[r] = mechanics_.tau[robot_.elastic_drive(r).joint_v];
  motor_torques<double>(robot_, mechanics_, out.v, out.vdot, out.u);
  output_values(robot_, mechanics_, out.q, out.lambda, problem_.outputs(), out.y);
  output_errors<double>(robot_, mechanics_, out.q, out.lambda, problem_.outputs(), y_.col(0), c_);
  constraint_values<double>(robot_, mechanics_, out.q, t, g_);
  out.residual = 0;
  for (const int i : moving_) out.residual = std::max(out.residual, std::abs(c_[i]));
  for (const double x : g_) out.residual = std::max(out.residual, std::abs(x));
  return out.u.allFinite();
}

std::string InternalDynamics::worst_equation() const {
  return ny_ > 0 ? problem_.output_row_name(static_cast<int>(worst_))
                 : problem_.constraint_row_name(0);
}

bool jets_apply(const InverseProblem& problem, const RestState& start) {
  try {
    return InternalDynamics(problem).is_regular(start.q);
  } catch (const ProblemError&) {
    return false;
  }
}

}  // namespace tauflex

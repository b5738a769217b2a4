#include "tauflex/solvers/internal_dynamics.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

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
      jets_(robot_),
      y_(Matrix::Zero(ny_, 3)),
      J_out_(Matrix::Zero(ny_, robot_.nv())),
      G_(Matrix::Zero(ng_, n_)),
      C_(Matrix::Zero(n_ - p_, n_)),
      P_(Matrix::Zero(n_, n_)),
      W_(Matrix::Zero(n_ + ng_, n_ + ng_)),
      c_(ny_),
      g_(ng_),
      r_(n_),
      rate_(ny_),
      acceleration_(ny_),
      bias_(ny_),
      zero_(Vector::Zero(robot_.nv())),
      right_(n_ + ng_),
      P_lu_(n_),
      W_lu_(n_ + ng_),
      q_jet_(robot_.nq()),
      v_jet_(robot_.nv()),
      a_jet_(robot_.nv()),
      lambda_jet_(ng_),
      y_jet_(ny_),
      c_jet_(ny_),
      g_jet_(ng_) {
  const std::string& where = problem.task().where;
  if (!problem.is_block_triangular())
    throw ProblemError(where +
                       ": an output is a rotor, so the method of jets does not apply; use bdf");
  if (problem.is_redundant())
    throw ProblemError(where + ": more drives than outputs: the least torque is found by bdf");
  if (!robot_.quaternions().empty())
    throw ProblemError(where +
                       ": the method of jets has no spherical or floating joints yet; use bdf");
  for (int i = 0; i < ny_; ++i)
    (problem.outputs()[at(i)].constraint < 0 ? moving_ : forces_).push_back(i);
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
  if (!damped_.empty()) D_lu_.compute(D_(damped_, damped_));
}

void InternalDynamics::positions(double t, const VectorRef& q, const VectorRef& lambda) {
  kinematics<double>(robot_, mechanics_, q);
  output_errors<double>(robot_, mechanics_, q, lambda, problem_.outputs(), y_.col(0), c_);
  output_jacobian(robot_, mechanics_, problem_.outputs(), y_.col(0), J_out_);
  constraint_values<double>(robot_, mechanics_, q, t, g_);
  constraint_jacobian<double>(robot_, mechanics_, G_);
  int row = 0;
  for (const int i : moving_) {
    r_[row] = c_[i];
    C_.row(row++) = J_out_.row(i).head(n_);
  }
  r_.segment(row, ng_) = g_;
  C_.bottomRows(ng_) = G_;
}

void InternalDynamics::choose(const VectorRef& q) {
  positions(problem_.begin(), q, Vector::Zero(ng_));
  const Eigen::ColPivHouseholderQR<Matrix> qr(C_);
  const auto& order = qr.colsPermutation().indices();
  free_.clear();
  for (int k = n_ - p_; k < n_; ++k) free_.push_back(order[k]);
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
  problem_.path().derivatives(t, y_);
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
    r_ = P_lu_.solve(r_);
    const double size = r_.cwiseAbs().maxCoeff(), scale = 1 + m.q.head(n_).cwiseAbs().maxCoeff();
    if (!std::isfinite(size)) break;
    m.q.head(n_) -= r_;
    found = size * size <= 1e-18 * scale || (size >= 0.5 * last && size < 1e-9 * scale);
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
  m.v.head(n_) = P_lu_.solve(r_);
  // accelerations and multipliers
  constraint_bias(robot_, mechanics_, m.q, m.v, t, g_);
  output_bias(robot_, mechanics_, problem_.outputs(), y_.col(0), bias_);
  row = 0;
  for (const int i : moving_) right_[row++] = acceleration_[i] - bias_[i];
  right_.segment(row, ng_) = -g_;
  row += ng_;
  mass_matrix<double>(robot_, mechanics_, m.q);
  W_.setZero();
  W_.topLeftCorner(n_ - p_, n_) = C_;
  const int first_passive = row;
  for (const int passive : problem_.passive_rows()) {
    W_.row(row).head(n_) = mechanics_.M.row(passive).head(n_);
    W_.row(row).tail(ng_) = -G_.col(passive).transpose();
    ++row;
  }
  for (const int i : forces_) {
    W_(row, n_ + problem_.outputs()[at(i)].constraint) = 1;
    right_[row++] = y_(i, 0);
  }
  joint_torques<double>(robot_, mechanics_, m.q, m.v, zero_);
  row = first_passive;
  for (const int passive : problem_.passive_rows()) right_[row++] = -mechanics_.tau[passive];
  W_lu_.compute(W_);
  right_ = W_lu_.solve(right_);
  if (!right_.allFinite()) return false;
  m.a.head(n_) = right_.head(n_);
  m.lambda = right_.tail(ng_);
  if (robot_.rotors() > 0) {
    joint_torques<double>(robot_, mechanics_, m.q, m.v, m.a);
    add_constraint_forces<double>(robot_, mechanics_, m.lambda, -1, mechanics_.tau);
    for (int k = 0; k < robot_.rotors(); ++k)
      m.load[k] = mechanics_.tau[robot_.elastic_drive(k).joint_v];
  }
  return true;
}

void InternalDynamics::jacobian(const Motion& m, MatrixOut J) {
  joint_torque_derivatives<double>(robot_, mechanics_, m.q, m.v, m.a);
  if (ng_ > 0)
    add_constraint_force_derivative(robot_, mechanics_, m.lambda, -1,
                                    mechanics_.dtau_dq.topLeftCorner(n_, n_));
  // directions that the outputs and constraints leave free: P T = (0, 1)
  Matrix T = Matrix::Zero(n_, p_);
  T.bottomRows(p_).setIdentity();
  T = P_lu_.solve(T).eval();
  Matrix right = Matrix::Zero(n_ + ng_, 2 * p_);
  int row = n_ - p_;
  for (const int passive : problem_.passive_rows()) {
    right.row(row).head(p_) = -mechanics_.dtau_dq.row(passive).head(n_) * T;
    right.row(row).tail(p_) = -mechanics_.dtau_dv.row(passive).head(n_) * T;
    ++row;
  }
  right = W_lu_.solve(right).eval();
  for (int k = 0; k < p_; ++k) J.row(k) = right.row(free_[at(k)]);
}

void InternalDynamics::series(double t, const Motion& m, int order, Matrix& Q, Matrix& L,
                              Matrix& load) {
  const int nr = robot_.rotors();
  Q = Matrix::Zero(n_, order + 3);
  L = Matrix::Zero(ng_, order + 1);
  load = Matrix::Zero(nr, order + 1);
  Q.col(0) = m.q.head(n_);
  Q.col(1) = m.v.head(n_);
  Q.col(2) = m.a.head(n_) / 2;
  L.col(0) = m.lambda;
  load.col(0) = m.load;
  // Jets of q to order `length`, and of v, v' as far as they are used.
  const auto fill = [&](int length) {
    for (int i = 0; i < robot_.nq(); ++i) q_jet_[i] = Jet::zero(length);
    for (int i = 0; i < robot_.nv(); ++i) v_jet_[i] = a_jet_[i] = Jet::zero(length);
    for (int i = 0; i < n_; ++i)
      for (int k = 0; k <= length; ++k) {
        if (k < Q.cols()) q_jet_[i][k] = Q(i, k);
        if (k + 1 < Q.cols()) v_jet_[i][k] = (k + 1) * Q(i, k + 1);
        if (k + 2 < Q.cols()) a_jet_[i][k] = (k + 1) * (k + 2) * Q(i, k + 2);
      }
    for (int i = 0; i < ng_; ++i) {
      lambda_jet_[i] = Jet::zero(length);
      for (int k = 0; k <= std::min(length, order); ++k) lambda_jet_[i][k] = L(i, k);
    }
  };
  for (int k = 1; k <= order; ++k) {
    // rows of outputs and constraints, coefficient k + 2
    const double factor = (k + 1) * (k + 2);
    fill(k + 2);
    const Jet time = Jet::time(t, k + 2);
    kinematics<Jet>(robot_, jets_, q_jet_);
    path_values<Jet>(problem_.path(), time, y_jet_);
    output_errors<Jet>(robot_, jets_, q_jet_, lambda_jet_, problem_.outputs(), y_jet_, c_jet_);
    constraint_values<Jet>(robot_, jets_, q_jet_, time, g_jet_);
    int row = 0;
    for (const int i : moving_) right_[row++] = -factor * c_jet_[i].coefficient(k + 2);
    for (int i = 0; i < ng_; ++i) right_[row++] = -factor * g_jet_[i].coefficient(k + 2);
    const int first_passive = row;
    row += static_cast<int>(problem_.passive_rows().size());
    for (const int i : forces_) right_[row++] = y_jet_[i].coefficient(k);
    // rows of joints without a drive, coefficient k
    if (!problem_.passive_rows().empty()) {
      fill(k);
      joint_torques<Jet>(robot_, jets_, q_jet_, v_jet_, a_jet_);
      add_constraint_forces<Jet>(robot_, jets_, lambda_jet_, -1, jets_.tau);
      row = first_passive;
      for (const int passive : problem_.passive_rows())
        right_[row++] = -jets_.tau[passive].coefficient(k);
    }
    right_ = W_lu_.solve(right_).eval();
    Q.col(k + 2) = right_.head(n_) / factor;
    L.col(k) = right_.tail(ng_);
  }
  if (nr == 0 || order == 0) return;
  fill(order);
  joint_torques<Jet>(robot_, jets_, q_jet_, v_jet_, a_jet_);
  add_constraint_forces<Jet>(robot_, jets_, lambda_jet_, -1, jets_.tau);
  for (int r = 0; r < nr; ++r)
    for (int k = 1; k <= order; ++k)
      load(r, k) = jets_.tau[robot_.elastic_drive(r).joint_v].coefficient(k);
}

Vector InternalDynamics::hardening(const VectorRef& d) const {
  Vector torque = Vector::Zero(robot_.rotors());
  for (const HardeningEntry& e : robot_.drive_hardening())
    torque[e.row] += hardening_torque(e.law, d[e.row]);
  return torque;
}

bool InternalDynamics::stretch_series(const Matrix& load, const VectorRef& d, Matrix& series) {
  const int nr = robot_.rotors(), orders = static_cast<int>(load.cols());
  series = Matrix::Zero(nr, orders + 1);
  for (int k = 0; k < stretches(); ++k) series(damped_[at(k)], 0) = d[k];
  // What the springs give beyond K d, coefficient k, with the stretch known up to there.
  const auto hardened = [&](int k) {
    Vector torque = Vector::Zero(nr);
    for (const HardeningEntry& e : robot_.drive_hardening()) {
      Jet x = Jet::zero(std::max(k, 1));
      for (int j = 0; j <= k; ++j) x[j] = series(e.row, j);
      torque[e.row] += hardening_torque(e.law, x).coefficient(k);
    }
    return torque;
  };
  if (!undamped_.empty()) {  // algebra, order 0
    for (int iteration = 0; iteration < 50; ++iteration) {
      const Vector r = K_ * series.col(0) + hardened(0) - load.col(0);
      Matrix S = K_;
      for (const HardeningEntry& e : robot_.drive_hardening())
        S(e.row, e.row) += hardening_stiffness(e.law, series(e.row, 0));
      const Vector step = solve_linear(S(undamped_, undamped_), r(undamped_));
      for (size_t k = 0; k < undamped_.size(); ++k)
        series(undamped_[k], 0) -= step[static_cast<Eigen::Index>(k)];
      const double size = step.cwiseAbs().maxCoeff();
      if (!std::isfinite(size)) return false;
      if (size <= 1e-15 * (1e-3 + series.col(0).cwiseAbs().maxCoeff())) break;
    }
  }
  for (int k = 0; k < orders; ++k) {
    // damped: (k + 1) D d_(k+1) = load_k - K d_k - hardening_k
    const Vector r = load.col(k) - K_ * series.col(k) - hardened(k);
    if (!damped_.empty()) {
      const Vector next = D_lu_.solve(r(damped_)) / (k + 1);
      for (int i = 0; i < stretches(); ++i) series(damped_[at(i)], k + 1) = next[i];
    }
    // undamped: K d_(k+1) + hardening_(k+1) = load_(k+1)
    if (!undamped_.empty() && k + 1 < orders) {
      Matrix S = K_;
      for (const HardeningEntry& e : robot_.drive_hardening())
        S(e.row, e.row) += hardening_stiffness(e.law, series(e.row, 0));
      const Vector rest = load.col(k + 1) - K_ * series.col(k + 1) - hardened(k + 1);
      const Vector next = solve_linear(S(undamped_, undamped_), rest(undamped_));
      for (size_t i = 0; i < undamped_.size(); ++i)
        series(undamped_[i], k + 1) = next[static_cast<Eigen::Index>(i)];
    }
  }
  return true;
}

void InternalDynamics::stretch_rate(const VectorRef& load, const VectorRef& d,
                                    VectorOut rate) const {
  Vector all = Vector::Zero(robot_.rotors());
  for (int k = 0; k < stretches(); ++k) all[damped_[at(k)]] = d[k];
  const Vector r = load - K_ * all - hardening(all);
  rate = D_lu_.solve(r(damped_));
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
      Vector angles(nr);
      for (int r = 0; r < nr; ++r)
        angles[r] = stretch_(r, k) + Q_(robot_.elastic_drive(r).joint_v, k);
      angles = gear_lu_.solve(angles).eval() * factorial;
      for (int r = 0; r < nr; ++r) {
        const DriveLayout& drive = robot_.elastic_drive(r);
        if (k == 0) out.q[drive.rotor_q] = angles[r];
        if (k == 1) out.v[drive.rotor_v] = angles[r];
        if (k == 2) out.vdot[drive.rotor_v] = angles[r];
      }
    }
  }
  joint_torques<double>(robot_, mechanics_, out.q, out.v, out.vdot);
  add_constraint_forces<double>(robot_, mechanics_, out.lambda, -1, mechanics_.tau);
  // What the springs carry is what the joints ask for; through K d + D d' it would be rounded more.
  for (int r = 0; r < nr; ++r)
    mechanics_.spring_torque[r] = mechanics_.tau[robot_.elastic_drive(r).joint_v];
  motor_torques<double>(robot_, mechanics_, out.v, out.vdot, out.u);
  output_values(robot_, mechanics_, out.q, out.lambda, problem_.outputs(), out.y);
  output_errors<double>(robot_, mechanics_, out.q, out.lambda, problem_.outputs(), y_.col(0), c_);
  constraint_values<double>(robot_, mechanics_, out.q, t, g_);
  out.residual = 0;
  for (const double x : c_) out.residual = std::max(out.residual, std::abs(x));
  for (const double x : g_) out.residual = std::max(out.residual, std::abs(x));
  return out.u.allFinite();
}

std::string InternalDynamics::worst_equation() const {
  return ny_ > 0 ? problem_.output_row_name(static_cast<int>(worst_))
                 : problem_.constraint_row_name(0);
}

}  // namespace tauflex

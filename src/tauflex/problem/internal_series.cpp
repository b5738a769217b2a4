#include "tauflex/problem/internal_series.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/position_series.hpp"

namespace tauflex {

InternalSeries::InternalSeries(const InternalDynamics& dynamics)
    : dynamics_(dynamics),
      problem_(dynamics.problem()),
      robot_(problem_.robot()),
      drives_(dynamics.drives()),
      n_(robot_.tree_nv()),
      nq_(robot_.tree_nq()),
      ng_(robot_.constraint_count()),
      stretch_(drives_),
      mechanics_(robot_),
      servo_(problem_),
      rows_(problem_),
      forces2_(robot_),
      forces1_(robot_),
      q4_(robot_.nq()),
      y4_(problem_.output_count()),
      values_(dynamics.rows().size()),
      y2_(problem_.output_count()),
      q2_(robot_.nq()),
      v2_(robot_.nv()),
      a2_(robot_.nv()),
      lambda2_(ng_),
      q1_(robot_.nq()),
      v1_(robot_.nv()),
      a1_(robot_.nv()),
      lambda1_(ng_),
      y_(problem_.output_count(), 5),
      right_(n_ + ng_),
      w_(n_ + ng_),
      tau_(n_) {
  const std::string& where = problem_.task().where;
  if (!stretch_.modes().exist())
    throw ProblemError(where + ": the stiffness matrix of the drives is singular; use bdf");
  if (problem_.is_redundant()) least_.emplace(problem_);
}

InternalSeries::Least::Least(const InverseProblem& problem)
    : torque(problem),
      rows(problem),
      x(problem.robot().tree_nv(), 3),
      known(problem.robot().constraint_count()),
      wanted(problem.output_count()),
      tau(problem.robot().tree_nv()) {
  const auto n = problem.robot().tree_nv();
  for (Matrix& coefficient : C)
    coefficient = Matrix::Zero(problem.motion_output_count() + known.size(), n);
}

// lambda and mu at the pose, and how G changes along the motion.
void InternalSeries::begin_least_torque(const InternalMotion& m, const JointSeries& s) {
  Least& least = *least_;
  least.tau = m.tau;
  least.tau.noalias() += m.G.transpose() * m.lambda;
  least.torque.solve(least.tau, m.G, m.y.col(0), least.known);
  least.torque.weighted(m.tau, least.x.col(0));
  for (int i = 0; i < nq_; ++i)
    for (int j = 0; j <= 2; ++j) q2_[i][j] = s.q(i, j);
  for (Eigen::Index i = 0; i < y2_.size(); ++i)
    for (int j = 0; j <= 2; ++j) y2_[i][j] = y4_[i][j];
  least.rows.evaluate(q2_, y2_);
  least.rows.derivative(1, least.C[0]);
  least.rows.derivative(2, least.C[1]);
  least.C[1] /= 2;
}

// right_: C A_k. Leaves tau - G^T lambda of coefficient k in tau_.
void InternalSeries::least_torque_coefficient(const InternalMotion& m, int k) {
  Least& least = *least_;
  m.positions.solve(right_.head(n_), w_.head(n_));
  tau_.noalias() += m.M * w_.head(n_);
  least.known.setZero();
  for (int j = 1; j <= k; ++j)
    least.known.noalias() += least.C[j - 1].bottomRows(ng_) * least.x.col(k - j);
  for (Eigen::Index i = 0; i < least.wanted.size(); ++i) least.wanted[i] = y4_[i][k];
  least.torque.solve_coefficient(tau_, m.G, least.wanted, least.known, w_.tail(ng_));
  tau_.noalias() -= m.G.transpose() * w_.tail(ng_);
  least.torque.weighted(tau_, least.x.col(k));
}

// tau_: coefficient k of what the joints ask for, with coefficients k of v' and lambda still 0.
void InternalSeries::torque_coefficient(const JointSeries& s, int k) {
  const Matrix &Q = s.q, &V = s.v, &L = s.lambda;
  if (k == 1) {  // the slope along the motion
    for (int i = 0; i < nq_; ++i) q1_[i] = Dual(Q(i, 0), Q(i, 1));
    for (int i = 0; i < n_; ++i) {
      v1_[i] = Dual(V(i, 0), V(i, 1));
      a1_[i] = V(i, 1);
    }
    for (int i = 0; i < ng_; ++i) lambda1_[i] = L(i, 0);
    joint_torques<Dual>(robot_, forces1_, q1_, v1_, a1_);
    add_constraint_forces<Dual>(robot_, forces1_, lambda1_, -1, forces1_.tau);
    for (int i = 0; i < n_; ++i) tau_[i] = forces1_.tau[i].slope;
    return;
  }
  for (int i = 0; i < nq_; ++i)
    for (int j = 0; j <= 2; ++j) q2_[i][j] = Q(i, j);
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j <= 2; ++j) {
      v2_[i][j] = V(i, j);
      a2_[i][j] = j < 2 ? (j + 1) * V(i, j + 1) : 0;
    }
  for (int i = 0; i < ng_; ++i)
    for (int j = 0; j <= 2; ++j) lambda2_[i][j] = j < 2 ? L(i, j) : 0;
  joint_torques<ShortJet2>(robot_, forces2_, q2_, v2_, a2_);
  add_constraint_forces<ShortJet2>(robot_, forces2_, lambda2_, -1, forces2_.tau);
  for (int i = 0; i < n_; ++i) tau_[i] = forces2_.tau[i][2];
}

// values_: rows of outputs and constraints, with coefficients of v known up to k only: what is
// missing in coefficient k + 2 is C times that of q.
void InternalSeries::servo_coefficient(double t, int k, JointSeries& s) {
  s.v.col(k + 1).setZero();
  next_position_coefficient(robot_, k + 1, s.v, s.q);
  for (int i = 0; i < nq_; ++i) {
    q4_[i] = ShortJet4();
    for (int j = 0; j <= k + 2; ++j) q4_[i][j] = s.q(i, j);
  }
  rows_.evaluate(ShortJet4::time(t, 4), q4_, y4_, values_);
}

// w_ = (A_k, L_k), from rows of outputs and constraints in right_ and of joints without a drive in
// tau_. Leaves tau - G^T lambda of coefficient k in tau_.
void InternalSeries::solve_coefficient(const InternalMotion& m, int k) {
  Eigen::Index row = values_.size();
  for (const int passive : problem_.passive_rows()) right_[row++] = -tau_[passive];
  for (const auto [output, constraint] : problem_.force_outputs()) right_[row++] = y4_[output][k];
  m.accelerations.solve(right_, w_);
  tau_.noalias() += m.M * w_.head(n_);
  tau_.noalias() -= m.G.transpose() * w_.tail(ng_);
}

void InternalSeries::take_path(double t, int order) {
  problem_.path().derivatives(t, y_.leftCols(order + 3));
  for (Eigen::Index i = 0; i < y_.rows(); ++i) {
    double factorial = 1;
    for (int k = 0; k <= order + 2; ++k) {
      if (k > 1) factorial *= k;
      y4_[i][k] = y_(i, k) / factorial;
    }
  }
}

void InternalSeries::joints(double t, const InternalMotion& m, int order, JointSeries& out) {
  assert(order <= 2);
  out.q.resize(nq_, order + 3);
  out.v.resize(n_, order + 2);
  out.lambda.resize(ng_, order + 1);
  out.load.resize(drives_.size(), order + 1);
  out.q.col(0) = m.q.head(nq_);
  out.v.col(0) = m.v.head(n_);
  out.v.col(1) = m.a.head(n_);
  for (const int k : {0, 1}) next_position_coefficient(robot_, k, out.v, out.q);
  out.lambda.col(0) = m.lambda;
  out.load.col(0) = m.load;
  if (order == 0) return;
  take_path(t, order);
  if (least_) begin_least_torque(m, out);
  for (int k = 1; k <= order; ++k) {
    servo_coefficient(t, k, out);
    const double factor = (k + 1) * (k + 2);
    for (Eigen::Index row = 0; row < values_.size(); ++row)
      right_[row] = -factor * values_[row][k + 2];
    torque_coefficient(out, k);
    if (least_)
      least_torque_coefficient(m, k);
    else
      solve_coefficient(m, k);
    out.v.col(k + 1) = w_.head(n_) / (k + 1);
    next_position_coefficient(robot_, k + 1, out.v, out.q);
    out.lambda.col(k) = w_.tail(ng_);
    drives_.loads(tau_, out.load.col(k));
  }
}

bool InternalSeries::instant(double t, const InternalMotion& m, const StretchState& stretch,
                             Instant& out) {
  out.q = m.q;
  out.v = m.v;
  out.vdot = m.a;
  out.lambda = m.lambda;
  out.u.resize(std::ssize(robot_.actuation().drives));
  out.y.resize(problem_.output_count());
  if (drives_.size() > 0) {
    joints(t, m, stretch.following > 0 ? 2 : 1, series_);
    if (!stretch_.compute(series_.load, stretch)) {
      failure_.reason = no_stretch;
      return false;
    }
    stretch_.stretches(stretch, stretches_);
    drives_.set_rotor_positions(stretches_.col(0), out.q);
    drives_.set_rotor_rates(stretches_.col(1), out.v);
    stretches_.col(2) *= 2;
    drives_.set_rotor_rates(stretches_.col(2), out.vdot);
  }
  // What the springs carry is what the joints ask for; through K d + D d' it would be rounded more.
  mechanics_.tau = m.tau;
  mechanics_.spring_torque = m.load;
  motor_torques<double>(robot_, mechanics_, out.v, out.vdot, out.u);
  servo_.evaluate_value(mechanics_, t, out.q, m.y.col(0));
  output_values(robot_, mechanics_, out.q, out.lambda, problem_.outputs(), out.y);
  out.residual = servo_.size() > 0 ? servo_.value().cwiseAbs().maxCoeff() : 0;
  if (out.u.allFinite()) return true;
  failure_.reason = "the torques of the motors are not finite";
  return false;
}

bool jets_apply(const InverseProblem& problem, const VectorRef& start) {
  try {
    InternalDynamics dynamics(problem);
    InternalSeries series(dynamics);
    return dynamics.is_regular(start);
  } catch (const ProblemError&) {
    return false;
  }
}

}  // namespace tauflex

#include "tauflex/mechanics/articulated_beam.hpp"

#include <cmath>

namespace tauflex {

namespace {

using Vector6 = MechanicsData::Vector6;

Vector6 stack(const Motion<double>& m) {
  Vector6 x;
  x << m.w, m.v;
  return x;
}

// L of A = L L^T in place, A symmetric and positive definite; elements that are not neighbours are
// not coupled where nothing shortens.
void factor_cholesky(Matrix& A) {
  const Eigen::Index n = A.rows();
  for (Eigen::Index j = 0; j < n; ++j) {
    A(j, j) = std::sqrt(A(j, j));
    A.col(j).tail(n - j - 1) /= A(j, j);
    for (Eigen::Index k = j + 1; k < n; ++k)
      if (A(k, j) != 0) A.col(k).tail(n - k) -= A(k, j) * A.col(j).tail(n - k);
  }
}

// L^-1 x and L^-T x.
template <class X>
void solve_lower(const Matrix& L, X&& x) {
  for (Eigen::Index j = 0; j < L.rows(); ++j) {
    x[j] /= L(j, j);
    x.tail(L.rows() - j - 1) -= x[j] * L.col(j).tail(L.rows() - j - 1);
  }
}
template <class X>
void solve_lower_transposed(const Matrix& L, X&& x) {
  for (Eigen::Index j = L.rows(); j-- > 0;)
    x[j] = (x[j] - L.col(j).tail(L.rows() - j - 1).dot(x.tail(L.rows() - j - 1))) / L(j, j);
}

}  // namespace

// tau = M vdot + U^T A + b of the coordinates, F = I A + U vdot + p on the start: theory (B.10)
void eliminate_beam(const Robot& robot, MechanicsData& data, int i, const VectorRef& v,
                    const VectorRef& tau) {
  const Body& body = robot.tree().bodies[i];
  const BeamLayout& beam = layout_of(robot, i);
  BeamMotion<double>& at = data.beam[body.beam];
  BeamMatrices& m = data.beam_matrices[body.beam];
  beam_mass(robot, data, i);
  // forces of the beam's own mass for A = 0 and vdot = 0
  const VectorRef own = v.segment(body.v_begin, beam.n);
  beam_forces<double>(beam, data.velocity[body.parent], Motion<double>::zero(), own, Vector(), at);
  m.torque = tau.segment(body.v_begin, beam.n);
  m.torque *= -1;
  add_beam_torques<double>(beam, at, m.torque.data());
  m.torque *= -1;

  const auto& IA = data.articulated[i];
  const Vector6 end = data.bias[i] + IA * stack(m.coriolis);
  m.factor = m.M;
  m.hinge = m.start;
  const int first = first_that_moves_end(beam);
  for (int k = first; k < beam.n; ++k) {
    const Vector6 axis = stack(data.axis[body.v_begin + k]), U = IA * axis;
    for (int l = k; l < beam.n; ++l) m.factor(l, k) += stack(data.axis[body.v_begin + l]).dot(U);
    m.hinge.col(k) += U;
    m.torque[k] -= axis.dot(end);
  }
  factor_cholesky(m.factor);
  m.solved = m.hinge.transpose();
  for (int c = 0; c < 6; ++c) solve_lower(m.factor, m.solved.col(c));
  solve_lower(m.factor, m.torque);

  const BodyInertia<double> I = beam_inertia(robot, data, i);
  auto& parent_inertia = data.articulated[body.parent];
  auto& parent_bias = data.bias[body.parent];
  parent_inertia += IA;
  parent_inertia.topLeftCorner<3, 3>() += I.J;
  parent_inertia.topRightCorner<3, 3>() += skew<double>(I.mc);
  parent_inertia.bottomLeftCorner<3, 3>() -= skew<double>(I.mc);
  parent_inertia.bottomRightCorner<3, 3>() += Matrix3::Identity() * I.m;
  for (int a = 0; a < 6; ++a) {
    for (int b = 0; b < 6; ++b) parent_inertia(a, b) -= m.solved.col(a).dot(m.solved.col(b));
    parent_bias[a] += m.solved.col(a).dot(m.torque);
  }
  parent_bias += end;
  parent_bias.head<3>() += at.force.n;
  parent_bias.tail<3>() += at.force.f;
}

void accelerate_beam(const Robot& robot, MechanicsData& data, int i, Motion<double>& A,
                     VectorOut vdot) {
  const Body& body = robot.tree().bodies[i];
  BeamMatrices& m = data.beam_matrices[body.beam];
  const Vector6 a = stack(A);
  for (int c = 0; c < 6; ++c) m.torque -= m.solved.col(c) * a[c];
  solve_lower_transposed(m.factor, m.torque);
  A += m.coriolis;
  for (int k = 0; k < body.v_count; ++k) {
    vdot[body.v_begin + k] = m.torque[k];
    A += data.axis[body.v_begin + k] * m.torque[k];
  }
}

}  // namespace tauflex

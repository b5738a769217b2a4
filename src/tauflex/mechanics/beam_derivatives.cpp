#include "tauflex/mechanics/beam_derivatives.hpp"

#include <cmath>

namespace tauflex {

namespace {

// T(phi) and its time derivatives, as matrices.
struct TurnMatrices {
  Matrix3 T, T_rate, T_acceleration;
};
TurnMatrices turn_matrices(const Vector3& phi, const Vector3& rate, const Vector3& acceleration) {
  Vector3Of<ShortJet2> series;
  for (int c = 0; c < 3; ++c) {
    series[c][0] = phi[c];
    series[c][1] = rate[c];
    series[c][2] = acceleration[c] / 2;
  }
  TurnMatrices of;
  for (int j = 0; j < 3; ++j) {
    const Vector3Of<ShortJet2> column =
        turn_rate<ShortJet2>(series, Vector3Of<ShortJet2>(Vector3(Vector3::Unit(j))));
    for (int c = 0; c < 3; ++c) {
      of.T(c, j) = column[c][0];
      of.T_rate(c, j) = column[c][1];
      of.T_acceleration(c, j) = 2 * column[c][2];
    }
  }
  return of;
}

// How r and phi of the end change with one coordinate, with time derivatives.
struct EndColumn {
  Vector3 r = Vector3::Zero(), phi = Vector3::Zero();
  void add(int component, double a) { (component < 3 ? r[component] : phi[component - 3]) += a; }
};

// A term of the end times x, as a part of (phi, r).
void add_component(Motion<double>& sum, const BeamLayout::Term& term, double x) {
  (term.component < 3 ? sum.v[term.component] : sum.w[term.component - 3]) += term.a * x;
}

// Adds dS_c/dq_k . F of the end to by_q(k, c). Seen from the start, with n the moment of F about
// the end,
//   n . w_kc + f . (r_kc + r_k x w_c),   w_kc = T phi_kc + (dT/dq_k) phi_c           theory (B.9)
void add_axis_changes(const Robot& robot, const MechanicsData& data, int i, const Force<double>& F,
                      Matrix& by_q) {
  const Body& body = robot.tree().bodies[i];
  const BeamLayout& beam = layout_of(robot, i);
  const BeamMotion<double>& at = data.beam[body.beam];
  const Vector3 f = at.R.transpose() * F.f,
                n = at.R.transpose() * (F.n - at.p.cross(F.f)) - at.r.cross(f),
                turned = turn_rate<double>(-at.phi, n);  // T(phi)^T n
  for (const BeamLayout::Term& term : beam.end) {
    if (term.z < beam.n) continue;
    const auto [k, l] = beam.pairs[term.z - beam.n];
    const double force =
        term.a * (term.component < 3 ? f[term.component] : turned[term.component - 3]);
    by_q(k, l) += force;
    by_q(l, k) += force;
  }
  Matrix3 change;  // n . dT(e_a) e_b
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      change(a, b) = n.dot(turn_rate_change(at.phi, Vector3::Unit(a), Vector3::Unit(b)));
  const int first = first_that_moves_end(beam);
  for (int c = first; c < beam.n; ++c) {
    if (at.phi_by_q[c].isZero(0)) continue;
    // r_k . (w_c x f) as a force at the world origin
    const Vector3 across = (at.R.transpose() * data.axis[body.v_begin + c].w).cross(f),
                  across_W = at.R * across;
    const Force<double> on_axis{at.p.cross(across_W) - at.R * across.cross(at.r), across_W};
    const Vector3 by_phi = change * at.phi_by_q[c];
    for (int k = first; k < beam.n; ++k)
      by_q(k, c) += dot(data.axis[body.v_begin + k], on_axis) + at.phi_by_q[k].dot(by_phi);
  }
}

}  // namespace

void beam_axis_rates(const Robot& robot, MechanicsData& data, int i) {
  const Body& body = robot.tree().bodies[i];
  const BeamLayout& beam = layout_of(robot, i);
  const BeamMotion<double>& at = data.beam[body.beam];
  const Motion<double>&V = data.velocity[body.parent], &A = data.acceleration[body.parent];
  EndColumn rate, acceleration;
  for (const BeamLayout::Term& term : beam.end) {
    rate.add(term.component, term.a * at.z_rate[term.z]);
    acceleration.add(term.component, term.a * at.z_acceleration[term.z]);
  }
  const TurnMatrices turn = turn_matrices(at.phi, rate.phi, acceleration.phi);
  // rates of r_k and phi_k first, by products; axis_rate and axis_acceleration hold them
  for (int k = body.v_begin; k < body.v_begin + beam.n; ++k)
    data.axis_rate[k] = data.axis_rate_v[k] = data.axis_acceleration[k] = Motion<double>::zero();
  for (const BeamLayout::Term& term : beam.end) {
    if (term.z < beam.n) continue;
    const auto add = [&](int k, int l) {
      add_component(data.axis_rate[body.v_begin + k], term, at.z_rate[l]);
      add_component(data.axis_acceleration[body.v_begin + k], term, at.z_acceleration[l]);
    };
    const auto [k, l] = beam.pairs[term.z - beam.n];
    add(k, l);
    add(l, k);
  }
  for (int k = first_that_moves_end(beam); k < beam.n; ++k) {
    const Vector3& phi = at.phi_by_q[k];
    const Motion<double>& S = data.axis[body.v_begin + k];
    const Motion<double> s1 = data.axis_rate[body.v_begin + k],
                         s2 = data.axis_acceleration[body.v_begin + k];
    const Vector3 w = turn.T * phi, w1 = turn.T_rate * phi + turn.T * s1.w,
                  w2 = turn.T_acceleration * phi + 2 * turn.T_rate * s1.w + turn.T * s2.w;
    const Motion<double> S1 = in_world<double>(at, w1, s1.v + rate.r.cross(w) + at.r.cross(w1));
    const Motion<double> S2 = in_world<double>(
        at, w2, s2.v + acceleration.r.cross(w) + 2 * rate.r.cross(w1) + at.r.cross(w2));
    const Motion<double> carried = cross(V, S);
    data.axis_rate[body.v_begin + k] = data.axis_rate_v[body.v_begin + k] = carried + S1;
    data.axis_acceleration[body.v_begin + k] =
        cross(A, S) + cross(V, carried) + cross(V, S1) * 2.0 + S2;
  }
}

namespace {

// How the start moves, in its axes.
struct StartMotion {
  Vector3 w, alpha, v, a;
};

// J_rate and J_acceleration of a part as seen from the world, and what its points add to the sums
// of the parent; then J^T J, J^T J_rate, J^T J_acceleration.
void sum_over_part(const BeamLayout& beam, int e, const BeamMotion<double>& at,
                   const StartMotion& start, BeamMatrices& m, Force<double>& momentum,
                   Matrix3& twist_rate) {
  const PartColumns part = part_columns(beam, e);
  const int moving = part.moving();
  auto turned = m.part_v.block(moving + 6, 0, 3, moving);  // moments J x f
  auto gyro = m.part_M.block(moving + 6, 0, 3, moving);    // 2 v x J
  const auto L = m.J.block(part.first_row, 0, part.rows, moving + 6);
  const auto X1 = m.J_rate.block(part.first_row, 0, part.rows, moving),
             X2 = m.J_acceleration.block(part.first_row, 0, part.rows, moving);
  gyro.setZero();
  turned.setZero();
  for (int g = part.first_row / 3; g < (part.first_row + part.rows) / 3; ++g) {
    const double mass = beam.points[g].mass, root = std::sqrt(mass);
    const Vector3 r = m.r.col(g), r_rate = m.r_rate.col(g);
    const Vector3 v = start.v + start.w.cross(r) + r_rate;
    const Vector3 f =
        mass * (start.a + start.alpha.cross(r) + start.w.cross(start.w.cross(r) + 2 * r_rate) +
                m.r_acceleration.col(g).head<3>());
    for (int k = 0; k < moving; ++k) {
      const Vector3 J = m.J.block<3, 1>(3 * g, k), J1 = m.J_rate.block<3, 1>(3 * g, k);
      const Vector3 wJ = start.w.cross(J);
      m.J_acceleration.block<3, 1>(3 * g, k) += start.alpha.cross(J) + start.w.cross(wJ + 2 * J1);
      m.J_rate.block<3, 1>(3 * g, k) += wJ;
      gyro.col(k) += (2 * root) * v.cross(J);
      turned.col(k) += J.cross(f) / root;
    }
    const Vector3 p_W = at.p + at.R * r, v_W = at.R * v;
    const Vector3 moved = mass * v_W;
    momentum += {p_W.cross(moved), moved};
    twist_rate += 2 * (p_W.dot(moved) * Matrix3::Identity() - moved * p_W.transpose());
  }
  set_products(L, L.leftCols(moving), m.part_M.topLeftCorner(moving + 6, moving));
  set_products(L, X1, m.part_v.topLeftCorner(moving + 6, moving));
  set_products(L, X2, m.part_q.topLeftCorner(moving + 6, moving));
  m.part_q.block(moving, 0, 3, moving) += turned;
}

// Columns that act by sums have J = B c, J' = B c' + (w x B) c and J'' likewise: theory (B.14)
void hand_on_derivatives(const BeamLayout& beam, int e, BeamMatrices& m) {
  const PartColumns part = part_columns(beam, e);
  const int own = part.own, kinds = part.kinds;
  m.sum_v.near.leftCols(own) = 2 * m.part_v.leftCols(own);
  m.sum_v.far.leftCols(kinds) = 2 * m.part_v.middleCols(own, kinds);
  m.sum_v.far.middleCols(kinds, kinds) = 2 * m.part_M.middleCols(own, kinds);
  hand_on(beam, e, 2, m, m.sum_v, m.by_v);
  m.sum_q.near.leftCols(own) = m.part_q.leftCols(own);
  m.sum_q.far.leftCols(kinds) = m.part_q.middleCols(own, kinds);
  m.sum_q.far.middleCols(kinds, kinds) = 2 * m.part_v.middleCols(own, kinds);
  m.sum_q.far.rightCols(kinds) = m.part_M.middleCols(own, kinds);
  hand_on(beam, e, 3, m, m.sum_q, m.by_q);
}

// Of the beam's own mass: M, start, by_q, by_v, start_by_q, start_by_v and twist_rate; adds to the
// sums of the parent.
void derivatives_of_points(const Robot& robot, MechanicsData& data, int i) {
  const Body& body = robot.tree().bodies[i];
  const BeamLayout& beam = layout_of(robot, i);
  const BeamMotion<double>& at = data.beam[body.beam];
  BeamMatrices& m = data.beam_matrices[body.beam];
  beam_jacobians(beam, at, true, m);
  const Motion<double>&V = data.velocity[body.parent], &A = data.acceleration[body.parent];
  const Vector3 v_0 = V.v + V.w.cross(at.p);
  const StartMotion start{at.R.transpose() * V.w, at.R.transpose() * A.w, at.R.transpose() * v_0,
                          at.R.transpose() * (A.v + A.w.cross(at.p) + V.w.cross(v_0))};
  Matrix3& sum = data.twist_rate[body.parent];
  start_sum(m.sum_M, m.M);
  start_sum(m.sum_v, m.by_v);
  start_sum(m.sum_q, m.by_q);
  for (auto e = static_cast<int>(beam.parts.size()); e-- > 0;) {
    sum_over_part(beam, e, at, start, m, data.momentum[body.parent], sum);
    hand_on_mass(beam, e, m);
    hand_on_derivatives(beam, e, m);
  }
  start_in_world(at, m.sum_M.others, m.start);
  start_in_world(at, m.sum_v.others, m.start_by_v);
  start_in_world(at, m.sum_q.others, m.start_by_q);
  add_twist_mass(beam, at, m);
  for (size_t j = 0; j < beam.pairs.size(); ++j) {
    const auto [k, l] = beam.pairs[j];
    m.by_q(k, l) += at.load[beam.n + j];
    m.by_q(l, k) += at.load[beam.n + j];
  }
  // twisting sections: a moment along x that turns with the start
  const Vector3 x = at.R.col(0), gyro = V.w.cross(x);
  sum -= beam.twist.dot(at.z_rate.head(beam.n)) * skew<double>(x);
  for (int k = 0; k < beam.n; ++k) {
    m.twist_rate.col(k) = at.R * m.sum_M.others.col(k).tail<3>() + beam.twist[k] * gyro;
    m.start_by_v.col(k).head<3>() += beam.twist[k] * gyro;
  }
}

}  // namespace

void beam_derivatives(const Robot& robot, MechanicsData& data, int i) {
  const Body& body = robot.tree().bodies[i];
  const BeamLayout& beam = layout_of(robot, i);
  BeamMatrices& m = data.beam_matrices[body.beam];
  derivatives_of_points(robot, data, i);
  const BodyInertia<double>& I = data.inertia[i];
  const Matrix3& b = data.twist_rate[i];
  const Vector3& l = data.momentum[i].f;
  const Force<double>& F = data.force[i];
  const auto two_B = [&](const Motion<double>& x) -> Force<double> {
    return {b * x.w, l.cross(x.w) * -2};
  };
  const int first = body.v_begin, moves = first_that_moves_end(beam);
  const auto& parent = robot.tree().dof_parent;
  add_axis_changes(robot, data, i, F, m.by_q);
  data.M.block(first, first, beam.n, beam.n) = m.M;
  data.dtau_dv.block(first, first, beam.n, beam.n) = m.by_v;
  data.dtau_dq.block(first, first, beam.n, beam.n) = m.by_q;
  for (int c = 0; c < beam.n; ++c) {
    const Motion<double>& axis = data.axis[first + c];
    const Motion<double>& rate = data.axis_rate[first + c];
    const Force<double> end_a = I * axis, end_v = two_B(axis) + I * (rate * 2.0),
                        end_q = two_B(rate) + I * data.axis_acceleration[first + c];
    for (int k = moves; k < beam.n && c >= moves; ++k) {
      const Motion<double>& S = data.axis[first + k];
      data.M(first + k, first + c) += dot(S, end_a);
      data.dtau_dv(first + k, first + c) += dot(S, end_v);
      data.dtau_dq(first + k, first + c) += dot(S, end_q);
    }
    const Force<double> F_a = end_a + column_force(m.start, c),
                        F_v = end_v + column_force(m.start_by_v, c),
                        F_q = end_q + cross(axis, F) + column_force(m.start_by_q, c);
    const Vector3 G = b.transpose() * axis.w + l.cross(axis.v) * 2 + m.twist_rate.col(c).head<3>();
    for (int j = parent[first]; j >= 0; j = parent[j]) {
      const Motion<double>& S = data.axis[j];
      data.M(j, first + c) = data.M(first + c, j) = dot(S, F_a);
      data.dtau_dv(j, first + c) = dot(S, F_v);
      data.dtau_dq(j, first + c) = dot(S, F_q);
      data.dtau_dv(first + c, j) = G.dot(S.w) + 2 * dot(data.axis_rate_v[j], F_a);
      data.dtau_dq(first + c, j) = G.dot(data.axis_rate[j].w) + dot(data.axis_acceleration[j], F_a);
    }
  }
  data.inertia[body.parent] += I;
  data.inertia[body.parent] += beam_inertia(robot, data, i);
  data.momentum[body.parent] += data.momentum[i];
  data.twist_rate[body.parent] += b;
}

}  // namespace tauflex

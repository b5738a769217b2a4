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
  for (int k = 0; k < beam.n; ++k) {
    EndColumn s, s_rate, s_acceleration;
    s.phi = at.phi_by_q[k];
    for (int c = 0; c < 6; ++c) {
      s_rate.add(c, beam.end_second[c].col(k).dot(at.z_rate.head(beam.n)));
      s_acceleration.add(c, beam.end_second[c].col(k).dot(at.z_acceleration.head(beam.n)));
    }
    const Motion<double>& S = data.axis[body.v_begin + k];
    const Vector3 w = turn.T * s.phi, w1 = turn.T_rate * s.phi + turn.T * s_rate.phi,
                  w2 = turn.T_acceleration * s.phi + 2 * turn.T_rate * s_rate.phi +
                       turn.T * s_acceleration.phi;
    const Motion<double> S1 = in_world<double>(at, w1, s_rate.r + rate.r.cross(w) + at.r.cross(w1));
    const Motion<double> S2 = in_world<double>(
        at, w2, s_acceleration.r + acceleration.r.cross(w) + 2 * rate.r.cross(w1) + at.r.cross(w2));
    const Motion<double> carried = cross(V, S);
    data.axis_rate[body.v_begin + k] = data.axis_rate_v[body.v_begin + k] = carried + S1;
    data.axis_acceleration[body.v_begin + k] =
        cross(A, S) + cross(V, carried) + cross(V, S1) * 2.0 + S2;
  }
}

namespace {

// Of the beam's own mass: by_q, by_v, start_by_q, start_by_v and twist_rate; adds to the sums of
// the parent.
void derivatives_of_points(const Robot& robot, MechanicsData& data, int i) {
  const Body& body = robot.tree().bodies[i];
  const BeamLayout& beam = layout_of(robot, i);
  const BeamMotion<double>& at = data.beam[body.beam];
  BeamMatrices& m = data.beam_matrices[body.beam];
  beam_jacobians(beam, at, true, m);
  mass_of_points(beam, at, m);
  const Motion<double>&V = data.velocity[body.parent], &A = data.acceleration[body.parent];
  const Vector3 w = at.R.transpose() * V.w, alpha = at.R.transpose() * A.w;
  const Vector3 v_0 = at.R.transpose() * (V.v + V.w.cross(at.p));
  const Vector3 a_0 = at.R.transpose() * (A.v + A.w.cross(at.p) + V.w.cross(V.v + V.w.cross(at.p)));
  Matrix3& sum = data.twist_rate[body.parent];
  Matrix& G = m.twist_rate;
  Matrix& turned = m.start_by_q;  // moments J x f first
  G.setZero();
  turned.setZero();
  for (Eigen::Index g = 0; g < m.r.cols(); ++g) {
    const double mass = beam.points[g].mass, root = std::sqrt(mass);
    const Vector3 r = m.r.col(g), r_rate = m.r_rate.col(g);
    const Vector3 v = v_0 + w.cross(r) + r_rate;
    const Vector3 f = mass * (a_0 + alpha.cross(r) + w.cross(w.cross(r) + 2 * r_rate) +
                              m.r_acceleration.col(g).head<3>());
    for (int k = 0; k < beam.n; ++k) {
      const Vector3 J = m.J.block<3, 1>(3 * g, k), J1 = m.J_rate.block<3, 1>(3 * g, k);
      const Vector3 wJ = w.cross(J);
      m.J_acceleration.block<3, 1>(3 * g, k) += alpha.cross(J) + w.cross(wJ + 2 * J1);
      m.J_rate.block<3, 1>(3 * g, k) += wJ;
      G.col(k) += (2 * root) * v.cross(J);
      turned.col(k).head<3>() += J.cross(f) / root;
    }
    const Vector3 p_W = at.p + at.R * r, v_W = at.R * v;
    const Vector3 momentum = mass * v_W;
    data.momentum[body.parent] += {p_W.cross(momentum), momentum};
    sum += 2 * (p_W.dot(momentum) * Matrix3::Identity() - momentum * p_W.transpose());
  }
  m.by_q.noalias() = m.J.transpose() * m.J_acceleration;
  m.by_v.noalias() = 2 * (m.J.transpose() * m.J_rate);
  for (size_t j = 0; j < beam.pairs.size(); ++j) {
    const auto [k, l] = beam.pairs[j];
    m.by_q(k, l) += at.load[beam.n + j];
    m.by_q(l, k) += at.load[beam.n + j];
  }
  m.start_by_v.setZero();
  add_at_start(beam, at, m, m.J_rate, m.start_by_v);
  m.start_by_v *= 2;
  // twisting sections: a moment along x that turns with the start
  const Vector3 x = at.R.col(0), gyro = V.w.cross(x);
  sum -= beam.twist.dot(at.z_rate.head(beam.n)) * skew<double>(x);
  for (int k = 0; k < beam.n; ++k) {
    const Vector3 moment = at.R * turned.col(k).head<3>();
    G.col(k) = at.R * G.col(k).head<3>() + beam.twist[k] * gyro;
    m.start_by_v.col(k).head<3>() += beam.twist[k] * gyro;
    turned.col(k).head<3>() = moment;
  }
  add_at_start(beam, at, m, m.J_acceleration, m.start_by_q);
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
  const int first = body.v_begin;
  const auto& parent = robot.tree().dof_parent;
  for (int c = 0; c < beam.n; ++c) {
    const Motion<double>& axis = data.axis[first + c];
    const Motion<double>& rate = data.axis_rate[first + c];
    const Force<double> end_a = I * axis, end_v = two_B(axis) + I * (rate * 2.0),
                        end_q = two_B(rate) + I * data.axis_acceleration[first + c];
    for (int k = 0; k < beam.n; ++k) {
      const Motion<double>& S = data.axis[first + k];
      data.M(first + k, first + c) = m.M(k, c) + dot(S, end_a);
      data.dtau_dv(first + k, first + c) = m.by_v(k, c) + dot(S, end_v);
      data.dtau_dq(first + k, first + c) =
          m.by_q(k, c) + dot(S, end_q) +
          dot(beam_axis_change(robot, data, i, first + k, first + c), F);
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

#include "tauflex/mechanics/beam_dynamics.hpp"

#include <cmath>

namespace tauflex {

void beam_jacobians(const BeamLayout& beam, const BeamMotion<double>& at, bool rates,
                    BeamMatrices& m) {
  m.r.setZero();
  m.J.setZero();
  if (rates) {
    m.r_rate.setZero();
    m.r_acceleration.setZero();
    m.J_rate.setZero();
    m.J_acceleration.setZero();
  }
  for (Eigen::Index g = 0; g < m.r.cols(); ++g) {
    const BeamLayout::Point& point = beam.points[g];
    const double root = std::sqrt(point.mass);
    m.r.col(g).head<3>() = point.at;
    for (const BeamLayout::Term& term : point.terms) {
      const double a = root * term.a;
      const Eigen::Index row = 3 * g + term.component;
      m.r(term.component, g) += term.a * at.z[term.z];
      if (rates) {
        m.r_rate(term.component, g) += term.a * at.z_rate[term.z];
        m.r_acceleration(term.component, g) += term.a * at.z_acceleration[term.z];
      }
      if (term.z < beam.n) {
        m.J(row, term.z) += a;
        continue;
      }
      const auto [k, l] = beam.pairs[term.z - beam.n];
      m.J(row, k) += a * at.z[l];
      m.J(row, l) += a * at.z[k];
      if (!rates) continue;
      m.J_rate(row, k) += a * at.z_rate[l];
      m.J_rate(row, l) += a * at.z_rate[k];
      m.J_acceleration(row, k) += a * at.z_acceleration[l];
      m.J_acceleration(row, l) += a * at.z_acceleration[k];
    }
  }
}

void add_at_start(const BeamLayout& beam, const BeamMotion<double>& at, const BeamMatrices& m,
                  const Matrix& columns, Matrix& sum) {
  for (Eigen::Index k = 0; k < columns.cols(); ++k) {
    Vector3 f = Vector3::Zero(), n = Vector3::Zero();
    for (Eigen::Index g = 0; g < m.r.cols(); ++g) {
      const Vector3 part = columns.block<3, 1>(3 * g, k) * std::sqrt(beam.points[g].mass);
      f += part;
      n += m.r.col(g).head<3>().cross(part);
    }
    const Vector3 f_W = at.R * f;
    sum.col(k).head<3>() += at.R * n + at.p.cross(f_W);
    sum.col(k).tail<3>() += f_W;
  }
}

void mass_of_points(const BeamLayout& beam, const BeamMotion<double>& at, BeamMatrices& m) {
  m.M.noalias() = m.J.transpose() * m.J;
  for (const BeamLayout::Entry& entry : beam.twist_mass)
    m.M(entry.row, entry.column) += entry.value;
  m.start.setZero();
  add_at_start(beam, at, m, m.J, m.start);
  for (int k = 0; k < beam.n; ++k) m.start.col(k).head<3>() += at.R.col(0) * beam.twist[k];
}

void beam_mass(const Robot& robot, MechanicsData& data, int i) {
  const int b = robot.tree().bodies[i].beam;
  beam_jacobians(robot.tree().beams[b], data.beam[b], false, data.beam_matrices[b]);
  mass_of_points(robot.tree().beams[b], data.beam[b], data.beam_matrices[b]);
}

BodyInertia<double> beam_inertia(const Robot& robot, const MechanicsData& data, int i) {
  const int b = robot.tree().bodies[i].beam;
  const BeamLayout& beam = robot.tree().beams[b];
  const BeamMotion<double>& at = data.beam[b];
  BodyInertia<double> sum{0, Vector3::Zero(), Matrix3::Zero()};
  for (size_t g = 0; g < beam.points.size(); ++g) {
    const double mass = beam.points[g].mass;
    const Vector3 r = data.beam_matrices[b].r.col(static_cast<Eigen::Index>(g));
    const Vector3 p = at.p + at.R * r;
    sum.m += mass;
    sum.mc += mass * p;
    sum.J += mass * (p.squaredNorm() * Matrix3::Identity() - p * p.transpose());
  }
  return sum;
}

void add_beam_mass(const Robot& robot, MechanicsData& data, int i) {
  beam_mass(robot, data, i);
  const Body& body = robot.tree().bodies[i];
  const BeamMatrices& m = data.beam_matrices[body.beam];
  const auto& parent = robot.tree().dof_parent;
  for (int k = 0; k < body.v_count; ++k) {
    const int row = body.v_begin + k;
    const Force<double> end = data.inertia[i] * data.axis[row];
    for (int l = 0; l <= k; ++l)
      data.M(row, body.v_begin + l) = data.M(body.v_begin + l, row) =
          m.M(k, l) + dot(data.axis[body.v_begin + l], end);
    const Force<double> F = end + column_force(m.start, k);
    for (int j = parent[body.v_begin]; j >= 0; j = parent[j])
      data.M(j, row) = data.M(row, j) = dot(data.axis[j], F);
  }
  data.inertia[body.parent] += data.inertia[i];
  data.inertia[body.parent] += beam_inertia(robot, data, i);
}

Motion<double> beam_axis_change(const Robot& robot, const MechanicsData& data, int i, int j,
                                int k) {
  const Body& body = robot.tree().bodies[i];
  const BeamLayout& beam = robot.tree().beams[body.beam];
  const BeamMotion<double>& at = data.beam[body.beam];
  const int a = j - body.v_begin, b = k - body.v_begin;
  const Vector3 w_j = at.R.transpose() * data.axis[j].w, w_k = at.R.transpose() * data.axis[k].w;
  const Vector3 r_j =
      at.R.transpose() * (data.axis[j].v - at.p.cross(data.axis[j].w)) - at.r.cross(w_j);
  const auto& second = beam.end_second;
  const Vector3 phi_jk(second[3](a, b), second[4](a, b), second[5](a, b));
  Vector3 w_jk = Vector3::Zero();
  if (!phi_jk.isZero(0)) w_jk = turn_rate<double>(at.phi, phi_jk);
  // inner nodes do not turn the end
  if (!at.phi_by_q[a].isZero(0) && !at.phi_by_q[b].isZero(0))
    w_jk += turn_rate_change(at.phi, at.phi_by_q[a], at.phi_by_q[b]);
  const Vector3 r_jk(second[0](a, b), second[1](a, b), second[2](a, b));
  return in_world<double>(at, w_jk, r_jk + r_j.cross(w_k) + at.r.cross(w_jk));
}

Motion<double> beam_velocity_change(const Robot& robot, const MechanicsData& data, int body, int j,
                                    const VectorRef& x) {
  Motion<double> sum = Motion<double>::zero();
  const Body& joint = robot.tree().bodies[body];
  for (int k = joint.v_begin; k < joint.v_begin + joint.v_count && joint.beam >= 0; ++k)
    sum += beam_axis_change(robot, data, body, j, k) * x[k];
  return sum;
}

}  // namespace tauflex

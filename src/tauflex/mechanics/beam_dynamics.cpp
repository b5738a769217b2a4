#include "tauflex/mechanics/beam_dynamics.hpp"

#include <cmath>

namespace tauflex {

void start_in_world(const BeamMotion<double>& at, const Matrix& forces, Matrix& in_world) {
  for (Eigen::Index k = 0; k < in_world.cols(); ++k) {
    const Vector3 f_W = at.R * forces.col(k).segment<3>(3);
    in_world.col(k).head<3>() = at.R * forces.col(k).head<3>() + at.p.cross(f_W);
    in_world.col(k).segment<3>(3) = f_W;
  }
}

namespace {

void add_twist(const BeamLayout& beam, const BeamMotion<double>& at, Matrix& start) {
  for (int k = 0; k < beam.n; ++k) start.col(k).head<3>() += at.R.col(0) * beam.twist[k];
}

}  // namespace

void add_twist_mass(const BeamLayout& beam, const BeamMotion<double>& at, BeamMatrices& m) {
  for (const BeamLayout::Entry& entry : beam.twist_mass)
    m.M(entry.row, entry.column) += entry.value;
  add_twist(beam, at, m.start);
}

void hand_on_mass(const BeamLayout& beam, int e, BeamMatrices& m) {
  const PartColumns part = part_columns(beam, e);
  m.sum_M.near.leftCols(part.own) = m.part_M.leftCols(part.own);
  m.sum_M.far.leftCols(part.kinds) = m.part_M.middleCols(part.own, part.kinds);
  hand_on(beam, e, 1, m, m.sum_M, m.M);
}

namespace {

// Where nothing shortens J and M never change, and of the forces on the start only the moments do.
void renew_moments(const BeamLayout& beam, const BeamMotion<double>& at, BeamMatrices& m) {
  m.sum_M.others.topRows<3>().setZero();
  for (const BeamLayout::Part& part : beam.parts)
    for (int g = part.first_point; g < part.first_point + part.points; ++g) {
      const BeamLayout::Point& point = beam.points[g];
      Vector3 r = point.at;
      for (const BeamLayout::Term& term : point.terms) r[term.component] += term.a * at.z[term.z];
      m.r.col(g) = r;
      const Vector3 arm = std::sqrt(point.mass) * r;
      for (int k = part.begin; k < part.end; ++k)
        m.sum_M.others.col(k).head<3>() += arm.cross(m.J.block<3, 1>(3 * g, k - part.begin));
    }
}

}  // namespace

void beam_mass(const Robot& robot, MechanicsData& data, int i) {
  const int b = robot.tree().bodies[i].beam;
  const BeamLayout& beam = robot.tree().beams[b];
  BeamMatrices& m = data.beam_matrices[b];
  if (beam.pairs.empty() && m.M(0, 0) != 0) {
    renew_moments(beam, data.beam[b], m);
    start_in_world(data.beam[b], m.sum_M.others, m.start);
    add_twist(beam, data.beam[b], m.start);
    return;
  }
  beam_jacobians(beam, data.beam[b], false, m);
  start_sum(m.sum_M, m.M);
  for (auto e = static_cast<int>(beam.parts.size()); e-- > 0;) {
    const PartColumns part = part_columns(beam, e);
    const auto L = m.J.block(part.first_row, 0, part.rows, part.moving() + 6);
    set_products(L, L.leftCols(part.moving()),
                 m.part_M.topLeftCorner(part.moving() + 6, part.moving()));
    hand_on_mass(beam, e, m);
  }
  start_in_world(data.beam[b], m.sum_M.others, m.start);
  add_twist_mass(beam, data.beam[b], m);
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
  const int first = first_that_moves_end(robot.tree().beams[body.beam]);
  data.M.block(body.v_begin, body.v_begin, body.v_count, body.v_count) = m.M;
  for (int k = 0; k < body.v_count; ++k) {
    const int row = body.v_begin + k;
    Force<double> end = Force<double>::zero();
    if (k >= first) end = data.inertia[i] * data.axis[row];
    for (int l = first; l <= k; ++l)
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
  const auto& second = beam.end_second;
  const Vector3 phi_jk(second[3](a, b), second[4](a, b), second[5](a, b));
  Vector3 w_jk = Vector3::Zero(), r_jk(second[0](a, b), second[1](a, b), second[2](a, b));
  if (!phi_jk.isZero(0)) w_jk = turn_rate<double>(at.phi, phi_jk);
  // inner nodes do not turn the end
  if (!at.phi_by_q[b].isZero(0)) {
    if (!at.phi_by_q[a].isZero(0)) w_jk += turn_rate_change(at.phi, at.phi_by_q[a], at.phi_by_q[b]);
    const Vector3 w_j = at.R.transpose() * data.axis[j].w, w_k = at.R.transpose() * data.axis[k].w;
    const Vector3 r_j =
        at.R.transpose() * (data.axis[j].v - at.p.cross(data.axis[j].w)) - at.r.cross(w_j);
    r_jk += r_j.cross(w_k);
  }
  return in_world<double>(at, w_jk, r_jk + at.r.cross(w_jk));
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

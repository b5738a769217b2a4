#include "tauflex/mechanics/forward_dynamics.hpp"

#include "tauflex/mechanics/articulated_beam.hpp"
#include "tauflex/mechanics/frame_springs.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/mechanics/spring_laws.hpp"

namespace tauflex {

namespace {

// Solves M x = b in place for a symmetric positive definite M, over any scalar, without the heap.
void solve_cholesky(Matrix& M, VectorOut x) {
  using std::sqrt;
  const int n = static_cast<int>(M.rows());
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k) M(j, j) -= M(j, k) * M(j, k);
    M(j, j) = sqrt(M(j, j));
    for (int i = j + 1; i < n; ++i) {
      for (int k = 0; k < j; ++k) M(i, j) -= M(i, k) * M(j, k);
      M(i, j) /= M(j, j);
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= M(i, k) * x[k];
    x[i] /= M(i, i);
  }
  for (int i = n; i-- > 0;) {
    for (int k = i + 1; k < n; ++k) x[i] -= M(k, i) * x[k];
    x[i] /= M(i, i);
  }
}

template <class S>
Eigen::Matrix<S, 6, 1> stacked(const Motion<S>& m) {
  Eigen::Matrix<S, 6, 1> x;
  x << m.w, m.v;
  return x;
}

}  // namespace

void tree_accelerations(const Robot& robot, MechanicsData& data, const VectorRef& q,
                        const VectorRef& v, const VectorRef& tau, VectorOut vdot) {
  kinematics(robot, data, q);
  if (robot.is_linearized()) {
    data.M = robot.constant_mass();
    vdot = tau;
    solve_cholesky(data.M, vdot);
    return;
  }
  const auto& bodies = robot.tree().bodies;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    const Motion<double> V_parent =
        body.parent < 0 ? Motion<double>::zero() : data.velocity[body.parent];
    Motion<double> V = V_parent;
    if (body.beam >= 0) {
      const BeamLayout& beam = robot.tree().beams[body.beam];
      Motion<double>& coriolis = data.beam_matrices[body.beam].coriolis = Motion<double>::zero();
      beam_rates<double>(beam, v.segment(body.v_begin, beam.n), Vector(), data.beam[body.beam]);
      move_beam_end<double>(beam, data.beam[body.beam], V, coriolis);
    }
    for (int k = body.v_begin; k < body.v_begin + body.v_count && body.beam < 0; ++k) {
      const Motion<double> joint = data.axis[k] * v[k];
      data.coriolis[k] = cross(V_parent, joint);
      V += joint;
    }
    data.velocity[i] = V;
    const BodyInertia<double> I = world_inertia(body, data.R[i], data.p[i]);
    auto& IA = data.articulated[i];
    IA.topLeftCorner<3, 3>() = I.J;
    IA.topRightCorner<3, 3>() = skew<double>(I.mc);
    IA.bottomLeftCorner<3, 3>() = -skew<double>(I.mc);
    IA.bottomRightCorner<3, 3>() = Matrix3::Identity() * I.m;
    const Force<double> bias = cross(V, I * V);
    data.bias[i] << bias.n, bias.f;
  }
  for (size_t i = bodies.size(); i-- > 0;) {
    const Body& body = bodies[i];
    if (body.beam >= 0) {
      eliminate_beam(robot, data, static_cast<int>(i), v, tau);
      continue;
    }
    auto& IA = data.articulated[i];
    auto& pA = data.bias[i];
    for (int k = body.v_begin + body.v_count; k-- > body.v_begin;) {
      const auto axis = stacked(data.axis[k]);
      auto& U = data.hinge[k];
      U = IA * axis;
      const double D = axis.dot(U) + robot.actuation().armature[k];
      const double torque = tau[k] - axis.dot(pA);
      data.hinge_inertia[k] = D;
      data.hinge_torque[k] = torque;
      IA -= U * (U / D).transpose();
      pA += IA * stacked(data.coriolis[k]) + U * (torque / D);
    }
    if (body.parent >= 0) {
      data.articulated[body.parent] += IA;
      data.bias[body.parent] += pA;
    }
  }
  for (size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    Motion<double> A = body.parent < 0 ? Motion<double>{Vector3::Zero(), -robot.gravity()}
                                       : data.acceleration[body.parent];
    if (body.beam >= 0) accelerate_beam(robot, data, static_cast<int>(i), A, vdot);
    for (int k = body.v_begin; k < body.v_begin + body.v_count && body.beam < 0; ++k) {
      A += data.coriolis[k];
      vdot[k] = (data.hinge_torque[k] - data.hinge[k].dot(stacked(A))) / data.hinge_inertia[k];
      A += data.axis[k] * vdot[k];
    }
    data.acceleration[i] = A;
  }
}

void forward_dynamics(const Robot& robot, MechanicsData& data, const VectorRef& q,
                      const VectorRef& v, const VectorRef& u, VectorOut vdot) {
  forward_dynamics(robot, data, q, v, q, v, u, vdot);
}

void forward_dynamics(const Robot& robot, MechanicsData& data, const VectorRef& q,
                      const VectorRef& v, const VectorRef& q_drive, const VectorRef& v_drive,
                      const VectorRef& u, VectorOut vdot) {
  drive_spring_torques(robot, data, q_drive, v_drive);
  data.tau.setZero();
  for (const SpringEntry& e : robot.springs().joint)
    data.tau[e.row] -= e.stiffness * (q[robot.coordinates().of_velocity[e.column]] -
                                      robot.springs().rest[e.column]) +
                       e.damping * v[e.column];
  for (const HardeningEntry& e : robot.springs().joint_hardening)
    data.tau[e.row] -= hardening_torque<double>(
        e.law, q[robot.coordinates().of_velocity[e.row]] - robot.springs().rest[e.row]);
  int rotor = 0;
  for (size_t d = 0; d < robot.actuation().drives.size(); ++d) {
    const DriveLayout& drive = robot.actuation().drives[d];
    const double n(drive.gear_ratio);
    const double motor = u[static_cast<Eigen::Index>(d)];
    if (drive.rotor_v < 0) {
      data.tau[drive.joint_v] += n * (motor - motor_friction<double>(drive, n * v[drive.joint_v]));
    } else {
      data.tau[drive.joint_v] += data.spring_torque[rotor++];
      vdot[drive.rotor_v] =
          (motor - motor_friction<double>(drive, v[drive.rotor_v])) / drive.rotor_inertia;
    }
  }
  for (const Gear& gear : robot.actuation().gears) {
    const DriveLayout& drive = robot.actuation().elastic_drive(gear.rotor);
    vdot[drive.rotor_v] -= (gear.ratio / drive.rotor_inertia) * data.spring_torque[gear.spring];
  }
  if (!robot.springs().between_frames.empty()) {
    kinematics(robot, data, q);
    data.tau *= -1;
    add_frame_spring_forces<double>(robot, data, v, data.tau);
    data.tau *= -1;
  }
  tree_accelerations(robot, data, q, v, data.tau, data.tree_acceleration);
  vdot.head(robot.tree_nv()) = data.tree_acceleration;
}

}  // namespace tauflex

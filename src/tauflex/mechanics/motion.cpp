#include "tauflex/mechanics/motion.hpp"

#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/scalars.hpp"

namespace tauflex {

template <class S>
void motion_forces(const Robot& robot, MechanicsData<S>& data, const VectorRefOf<S>& q,
                   const VectorRefOf<S>& v, const VectorRefOf<S>& vdot, VectorOutOf<S> r) {
  joint_torques(robot, data, q, v, vdot);
  drive_spring_torques(robot, data, q, v);
  r.head(robot.tree_nv()) = data.tau;
  for (int k = 0; k < robot.rotors(); ++k) {
    const DriveLayout& drive = robot.elastic_drive(k);
    r[drive.joint_v] -= data.spring_torque[k];
    r[drive.rotor_v] = S(drive.rotor_inertia) * vdot[drive.rotor_v] +
                       S(drive.friction) * v[drive.rotor_v] +
                       data.spring_torque[k] / S(drive.gear_ratio);
  }
}

void motion_derivatives(const Robot& robot, MechanicsData<double>& data, const VectorRef& q,
                        const VectorRef& v, const VectorRef& vdot, MotionDerivatives& out) {
  joint_torque_derivatives<double>(robot, data, q, v, vdot);
  const int n = robot.tree_nv(), nr = robot.rotors();
  out.stiffness.topLeftCorner(n, n) = data.dtau_dq;
  out.damping.topLeftCorner(n, n) = data.dtau_dv;
  out.mass.topLeftCorner(n, n) = data.M;
  out.stiffness.rightCols(nr).setZero();
  out.damping.rightCols(nr).setZero();
  out.stiffness.bottomRows(nr).setZero();
  out.damping.bottomRows(nr).setZero();
  for (int k = 0; k < nr; ++k) {
    const DriveLayout& drive = robot.elastic_drive(k);
    out.mass(drive.rotor_v, drive.rotor_v) = drive.rotor_inertia;
    out.damping(drive.rotor_v, drive.rotor_v) = drive.friction;
  }
  // tau_s of row drive a with respect to the angles of drive b, at the joint (-1) and the rotor
  // (1/n)
  for (const SpringEntry& e : robot.drive_springs()) {
    const DriveLayout& a = robot.elastic_drive(e.row);
    const DriveLayout& b = robot.elastic_drive(e.column);
    const double na = 1 / a.gear_ratio, nb = 1 / b.gear_ratio;
    const auto add = [&](Matrix& m, double value, int joint_column, int rotor_column) {
      m(a.joint_v, joint_column) += value;
      m(a.joint_v, rotor_column) -= value * nb;
      m(a.rotor_v, joint_column) -= value * na;
      m(a.rotor_v, rotor_column) += value * na * nb;
    };
    add(out.stiffness, e.stiffness, b.joint_v, b.rotor_v);
    add(out.damping, e.damping, b.joint_v, b.rotor_v);
  }
}

Matrix input_matrix(const Robot& robot) {
  Matrix B = Matrix::Zero(robot.nv(), static_cast<Eigen::Index>(robot.drives().size()));
  for (size_t d = 0; d < robot.drives().size(); ++d)
    B(robot.drives()[d].row(), static_cast<Eigen::Index>(d)) = robot.drives()[d].lever();
  return B;
}

#define TAUFLEX_INSTANTIATE(S)                                                           \
  template void motion_forces<S>(const Robot&, MechanicsData<S>&, const VectorRefOf<S>&, \
                                 const VectorRefOf<S>&, const VectorRefOf<S>&, VectorOutOf<S>);
TAUFLEX_FOR_EACH_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex

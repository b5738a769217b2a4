#include "tauflex/mechanics/motion.hpp"

#include <algorithm>
#include <span>

#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/scalars.hpp"
#include "tauflex/mechanics/spring_laws.hpp"

namespace tauflex {

template <class S>
void motion_forces(const Robot& robot, MotionData<S>& data, const VectorRefOf<S>& q,
                   const VectorRefOf<S>& v, const VectorRefOf<S>& vdot, VectorOutOf<S> r) {
  joint_torques(robot, data, q, v, vdot);
  drive_spring_torques(robot, data, q, v);
  r.head(robot.tree_nv()) = data.tau;
  for (int k = 0; k < robot.rotors(); ++k) {
    const DriveLayout& drive = robot.actuation().elastic_drive(k);
    r[drive.joint_v] -= data.spring_torque[k];
    r[drive.rotor_v] =
        S(drive.rotor_inertia) * vdot[drive.rotor_v] + motor_friction<S>(drive, v[drive.rotor_v]);
  }
  for (const Gear& gear : robot.actuation().gears)
    r[robot.actuation().elastic_drive(gear.rotor).rotor_v] +=
        S(gear.ratio) * data.spring_torque[gear.spring];
}

void motion_derivatives(const Robot& robot, MechanicsData& data, const VectorRef& q,
                        const VectorRef& v, const VectorRef& vdot, MotionDerivatives& out) {
  joint_torque_derivatives(robot, data, q, v, vdot);
  const int n = robot.tree_nv(), nr = robot.rotors();
  out.stiffness.topLeftCorner(n, n) = data.dtau_dq;
  out.damping.topLeftCorner(n, n) = data.dtau_dv;
  out.mass.topLeftCorner(n, n) = data.M;
  out.stiffness.rightCols(nr).setZero();
  out.damping.rightCols(nr).setZero();
  out.stiffness.bottomRows(nr).setZero();
  out.damping.bottomRows(nr).setZero();
  for (int k = 0; k < nr; ++k) {
    const DriveLayout& drive = robot.actuation().elastic_drive(k);
    out.mass(drive.rotor_v, drive.rotor_v) = drive.rotor_inertia;
    out.damping(drive.rotor_v, drive.rotor_v) = motor_friction_slope(drive, v[drive.rotor_v]);
  }
  // tau_s of spring a by the angles of spring b: at its joint (-1) and at the rotors that turn it
  const auto of_spring = [&](int spring) {
    const auto& gears = robot.actuation().gears;
    const auto [first, last] =
        std::equal_range(gears.begin(), gears.end(), Gear{spring, 0, 0},
                         [](const Gear& x, const Gear& y) { return x.spring < y.spring; });
    return std::span<const Gear>(first, last);
  };
  const auto add = [&](Matrix& m, int a, int b, double value) {
    const int joint_a = robot.actuation().elastic_drive(a).joint_v,
              joint_b = robot.actuation().elastic_drive(b).joint_v;
    m(joint_a, joint_b) += value;
    for (const Gear& gb : of_spring(b))
      m(joint_a, robot.actuation().elastic_drive(gb.rotor).rotor_v) -= value * gb.ratio;
    for (const Gear& ga : of_spring(a)) {
      const int rotor_a = robot.actuation().elastic_drive(ga.rotor).rotor_v;
      m(rotor_a, joint_b) -= value * ga.ratio;
      for (const Gear& gb : of_spring(b))
        m(rotor_a, robot.actuation().elastic_drive(gb.rotor).rotor_v) +=
            value * ga.ratio * gb.ratio;
    }
  };
  for (const SpringEntry& e : robot.actuation().springs) {
    add(out.stiffness, e.row, e.column, e.stiffness);
    add(out.damping, e.row, e.column, e.damping);
  }
  if (!robot.actuation().hardening.empty()) drive_spring_torques<double>(robot, data, q, v);
  for (const HardeningEntry& e : robot.actuation().hardening)
    add(out.stiffness, e.row, e.row, hardening_stiffness(e.law, data.stretch[e.row]));
}

bool may_be_stiff(const Robot& robot) {
  return !robot.springs().joint.empty() || !robot.actuation().springs.empty() ||
         !robot.springs().between_frames.empty();
}

Matrix input_matrix(const Robot& robot) {
  Matrix B = Matrix::Zero(robot.nv(), static_cast<Eigen::Index>(robot.actuation().drives.size()));
  for (size_t d = 0; d < robot.actuation().drives.size(); ++d)
    B(robot.actuation().drives[d].row(), static_cast<Eigen::Index>(d)) =
        robot.actuation().drives[d].lever();
  return B;
}

#define TAUFLEX_INSTANTIATE(S)                                                        \
  template void motion_forces<S>(const Robot&, MotionData<S>&, const VectorRefOf<S>&, \
                                 const VectorRefOf<S>&, const VectorRefOf<S>&, VectorOutOf<S>);
TAUFLEX_FOR_EACH_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex

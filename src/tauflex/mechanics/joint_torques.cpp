#include "tauflex/mechanics/joint_torques.hpp"

#include "tauflex/mechanics/frame_springs.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/scalars.hpp"
#include "tauflex/mechanics/spring_laws.hpp"

namespace tauflex {

namespace {

template <class S>
void add_springs(const Robot& robot, MotionData<S>& data, const VectorRefOf<S>& q,
                 const VectorRefOf<S>& v) {
  for (const SpringEntry& e : robot.springs().joint)
    data.tau[e.row] += S(e.stiffness) * (q[robot.coordinates().of_velocity[e.column]] -
                                         S(robot.springs().rest[e.column])) +
                       S(e.damping) * v[e.column];
  add_frame_spring_forces<S>(robot, data, v, data.tau);
  for (const HardeningEntry& e : robot.springs().joint_hardening)
    data.tau[e.row] += hardening_torque<S>(
        e.law, q[robot.coordinates().of_velocity[e.row]] - S(robot.springs().rest[e.row]));
  for (const DriveLayout& drive : robot.actuation().drives)
    if (drive.rotor_v < 0)
      data.tau[drive.joint_v] +=
          S(drive.gear_ratio) * motor_friction<S>(drive, S(drive.gear_ratio) * v[drive.joint_v]);
}

}  // namespace

template <class S>
void add_armatures_and_springs(const Robot& robot, MotionData<S>& data, const VectorRefOf<S>& q,
                               const VectorRefOf<S>& v, const VectorRefOf<S>& vdot) {
  for (int k = 0; k < robot.tree_nv(); ++k)
    data.tau[k] += S(robot.actuation().armature[k]) * vdot[k];
  add_springs(robot, data, q, v);
}

template <class S>
void joint_torques(const Robot& robot, MotionData<S>& data, const VectorRefOf<S>& q,
                   const VectorRefOf<S>& v, const VectorRefOf<S>& vdot) {
  if (robot.is_linearized()) {
    kinematics(robot, data, q);
    data.tau.setZero();
    for (int j = 0; j < robot.tree_nv(); ++j)
      for (int i = 0; i < robot.tree_nv(); ++i)
        data.tau[i] += vdot[j] * robot.constant_mass()(i, j);
    add_springs(robot, data, q, v);
  } else {
    // not in link frames: who asks for these torques needs the poses in world axes too
    body_forces(robot, data, q, v, vdot);
    add_armatures_and_springs(robot, data, q, v, vdot);
  }
}

void joint_torque_derivatives(const Robot& robot, MechanicsData& data, const VectorRef& q,
                              const VectorRef& v, const VectorRef& vdot) {
  if (robot.is_linearized()) {
    joint_torques(robot, data, q, v, vdot);
    data.M = robot.constant_mass();
    data.dtau_dq.setZero();
    data.dtau_dv.setZero();
  } else {
    inverse_dynamics_derivatives(robot, data, q, v, vdot);
    add_armatures_and_springs<double>(robot, data, q, v, vdot);
  }
  add_frame_spring_derivatives(robot, data, v, data.dtau_dq, data.dtau_dv);
  for (const SpringEntry& e : robot.springs().joint) {
    data.dtau_dq(e.row, e.column) += e.stiffness;
    data.dtau_dv(e.row, e.column) += e.damping;
  }
  for (const HardeningEntry& e : robot.springs().joint_hardening)
    data.dtau_dq(e.row, e.row) += hardening_stiffness<double>(
        e.law, q[robot.coordinates().of_velocity[e.row]] - robot.springs().rest[e.row]);
  for (const DriveLayout& drive : robot.actuation().drives)
    if (drive.rotor_v < 0)
      data.dtau_dv(drive.joint_v, drive.joint_v) +=
          (drive.gear_ratio * drive.gear_ratio) *
          motor_friction_slope<double>(drive, drive.gear_ratio * v[drive.joint_v]);
}

template <class S>
void drive_spring_torques(const Robot& robot, MotionData<S>& data, const VectorRefOf<S>& q,
                          const VectorRefOf<S>& v) {
  for (int k = 0; k < robot.rotors(); ++k) {
    data.stretch[k] = -q[robot.actuation().elastic_drive(k).joint_q];
    data.stretch_rate[k] = -v[robot.actuation().elastic_drive(k).joint_v];
  }
  for (const Gear& gear : robot.actuation().gears) {
    data.stretch[gear.spring] +=
        S(gear.ratio) * q[robot.actuation().elastic_drive(gear.rotor).rotor_q];
    data.stretch_rate[gear.spring] +=
        S(gear.ratio) * v[robot.actuation().elastic_drive(gear.rotor).rotor_v];
  }
  data.spring_torque.setZero();
  for (const SpringEntry& e : robot.actuation().springs)
    data.spring_torque[e.row] +=
        S(e.stiffness) * data.stretch[e.column] + S(e.damping) * data.stretch_rate[e.column];
  for (const HardeningEntry& e : robot.actuation().hardening)
    data.spring_torque[e.row] += hardening_torque<S>(e.law, data.stretch[e.row]);
}

template <class S>
void motor_torques(const Robot& robot, const MotionData<S>& data, const VectorRefOf<S>& v,
                   const VectorRefOf<S>& vdot, VectorOutOf<S> u) {
  for (size_t d = 0; d < robot.actuation().drives.size(); ++d) {
    const DriveLayout& drive = robot.actuation().drives[d];
    if (drive.rotor_v < 0)
      u[static_cast<Eigen::Index>(d)] = data.tau[drive.joint_v] / S(drive.gear_ratio);
    else
      u[static_cast<Eigen::Index>(d)] =
          S(drive.rotor_inertia) * vdot[drive.rotor_v] + motor_friction<S>(drive, v[drive.rotor_v]);
  }
  for (const Gear& gear : robot.actuation().gears)
    u[robot.actuation().elastic[gear.rotor]] += S(gear.ratio) * data.spring_torque[gear.spring];
}

#define TAUFLEX_INSTANTIATE(S)                                                        \
  template void joint_torques<S>(const Robot&, MotionData<S>&, const VectorRefOf<S>&, \
                                 const VectorRefOf<S>&, const VectorRefOf<S>&);
TAUFLEX_FOR_EACH_FORCE_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE
template void add_armatures_and_springs<double>(const Robot&, MotionData<double>&, const VectorRef&,
                                                const VectorRef&, const VectorRef&);

#define TAUFLEX_INSTANTIATE(S)                                                               \
  template void drive_spring_torques<S>(const Robot&, MotionData<S>&, const VectorRefOf<S>&, \
                                        const VectorRefOf<S>&);
TAUFLEX_FOR_EACH_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

#define TAUFLEX_INSTANTIATE(S)                                                              \
  template void motor_torques<S>(const Robot&, const MotionData<S>&, const VectorRefOf<S>&, \
                                 const VectorRefOf<S>&, VectorOutOf<S>);
TAUFLEX_INSTANTIATE(double)
TAUFLEX_INSTANTIATE(Dual)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex

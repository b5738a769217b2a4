#include "tauflex/mechanics/joint_torques.hpp"

#include "tauflex/mechanics/frame_springs.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/scalars.hpp"

namespace tauflex {

namespace {

template <class S>
void add_springs(const Robot& robot, MechanicsData<S>& data, const VectorRefOf<S>& q,
                 const VectorRefOf<S>& v) {
  for (const SpringEntry& e : robot.joint_springs())
    data.tau[e.row] +=
        S(e.stiffness) * (q[robot.coordinate_of(e.column)] - S(robot.rest()[e.column])) +
        S(e.damping) * v[e.column];
  add_frame_spring_forces<S>(robot, data, v, data.tau);
  for (const DriveLayout& drive : robot.drives())
    if (drive.rotor_v < 0)
      data.tau[drive.joint_v] +=
          S(drive.gear_ratio * drive.gear_ratio * drive.friction) * v[drive.joint_v];
}

}  // namespace

template <class S>
void joint_torques(const Robot& robot, MechanicsData<S>& data, const VectorRefOf<S>& q,
                   const VectorRefOf<S>& v, const VectorRefOf<S>& vdot) {
  if (robot.is_linearized()) {
    kinematics(robot, data, q);
    data.tau.noalias() = robot.constant_mass().template cast<S>() * vdot.head(robot.tree_nv());
  } else {
    inverse_dynamics(robot, data, q, v, vdot);
    for (int k = 0; k < robot.tree_nv(); ++k) data.tau[k] += S(robot.armature()[k]) * vdot[k];
  }
  add_springs(robot, data, q, v);
}

template <class S>
void joint_torque_derivatives(const Robot& robot, MechanicsData<S>& data, const VectorRefOf<S>& q,
                              const VectorRefOf<S>& v, const VectorRefOf<S>& vdot) {
  if (robot.is_linearized()) {
    joint_torques(robot, data, q, v, vdot);
    data.M = robot.constant_mass().template cast<S>();
    data.dtau_dq.setZero();
    data.dtau_dv.setZero();
  } else {
    inverse_dynamics_derivatives(robot, data, q, v, vdot);
    for (int k = 0; k < robot.tree_nv(); ++k) data.tau[k] += S(robot.armature()[k]) * vdot[k];
    add_springs(robot, data, q, v);
  }
  add_frame_spring_derivatives<S>(robot, data, v, data.dtau_dq, data.dtau_dv);
  for (const SpringEntry& e : robot.joint_springs()) {
    data.dtau_dq(e.row, e.column) += S(e.stiffness);
    data.dtau_dv(e.row, e.column) += S(e.damping);
  }
  for (const DriveLayout& drive : robot.drives())
    if (drive.rotor_v < 0)
      data.dtau_dv(drive.joint_v, drive.joint_v) +=
          S(drive.gear_ratio * drive.gear_ratio * drive.friction);
}

template <class S>
void drive_spring_torques(const Robot& robot, MechanicsData<S>& data, const VectorRefOf<S>& q,
                          const VectorRefOf<S>& v) {
  data.spring_torque.setZero();
  for (const SpringEntry& e : robot.drive_springs()) {
    const DriveLayout& drive = robot.elastic_drive(e.column);
    const S n(drive.gear_ratio);
    data.spring_torque[e.row] += S(e.stiffness) * (q[drive.rotor_q] / n - q[drive.joint_q]) +
                                 S(e.damping) * (v[drive.rotor_v] / n - v[drive.joint_v]);
  }
}

template <class S>
void motor_torques(const Robot& robot, const MechanicsData<S>& data, const VectorRefOf<S>& v,
                   const VectorRefOf<S>& vdot, VectorOutOf<S> u) {
  int rotor = 0;
  for (size_t d = 0; d < robot.drives().size(); ++d) {
    const DriveLayout& drive = robot.drives()[d];
    const S n(drive.gear_ratio);
    if (drive.rotor_v < 0)
      u[static_cast<Eigen::Index>(d)] = data.tau[drive.joint_v] / n;
    else
      u[static_cast<Eigen::Index>(d)] = S(drive.rotor_inertia) * vdot[drive.rotor_v] +
                                        S(drive.friction) * v[drive.rotor_v] +
                                        data.spring_torque[rotor++] / n;
  }
}

#define TAUFLEX_INSTANTIATE(S)                                                                  \
  template void joint_torques<S>(const Robot&, MechanicsData<S>&, const VectorRefOf<S>&,        \
                                 const VectorRefOf<S>&, const VectorRefOf<S>&);                 \
  template void joint_torque_derivatives<S>(const Robot&, MechanicsData<S>&,                    \
                                            const VectorRefOf<S>&, const VectorRefOf<S>&,       \
                                            const VectorRefOf<S>&);                             \
  template void drive_spring_torques<S>(const Robot&, MechanicsData<S>&, const VectorRefOf<S>&, \
                                        const VectorRefOf<S>&);                                 \
  template void motor_torques<S>(const Robot&, const MechanicsData<S>&, const VectorRefOf<S>&,  \
                                 const VectorRefOf<S>&, VectorOutOf<S>);
TAUFLEX_FOR_EACH_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex

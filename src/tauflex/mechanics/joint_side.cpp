#include "tauflex/mechanics/joint_side.hpp"

#include <algorithm>

#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/spring_laws.hpp"

namespace tauflex {

bool has_gear(const Robot& robot) {
  const auto& drives = robot.actuation().drives;
  return std::any_of(drives.begin(), drives.end(),
                     [](const DriveLayout& drive) { return drive.gear_ratio != 1; });
}

void joint_side_torques(const Robot& robot, MechanicsData& data, const VectorRef& q,
                        const VectorRef& v, const VectorRef& vdot, const VectorRef& u,
                        VectorOut tau) {
  const Actuation& actuation = robot.actuation();
  drive_spring_torques<double>(robot, data, q, v);
  for (int k = 0; k < actuation.rotors(); ++k) tau[actuation.elastic[k]] = data.spring_torque[k];
  for (int d = 0; d < actuation.count(); ++d) {
    const DriveLayout& drive = actuation.drives[d];
    if (drive.rotor_v >= 0) continue;
    const double n = drive.gear_ratio;
    tau[d] = n * (u[d] - motor_friction<double>(drive, n * v[drive.joint_v])) -
             actuation.armature[drive.joint_v] * vdot[drive.joint_v];
  }
}

}  // namespace tauflex

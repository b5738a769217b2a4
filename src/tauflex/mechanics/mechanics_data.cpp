#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

MechanicsData::MechanicsData(const Robot& robot)
    : MotionData<double>(robot),
      inertia(robot.bodies().size()),
      M(Matrix::Zero(robot.tree_nv(), robot.tree_nv())),
      momentum(robot.bodies().size()),
      twist_rate(robot.bodies().size()),
      axis_rate(axis.size()),
      axis_rate_v(axis.size()),
      axis_acceleration(axis.size()),
      dtau_dq(M),
      dtau_dv(M),
      articulated(robot.bodies().size()),
      bias(robot.bodies().size()),
      hinge(axis.size()),
      coriolis(axis.size()),
      hinge_inertia(Vector::Zero(robot.tree_nv())),
      hinge_torque(hinge_inertia),
      tree_acceleration(hinge_inertia) {}

}  // namespace tauflex

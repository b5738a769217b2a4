#include "tauflex/mechanics/mechanics_data.hpp"

#include "tauflex/mechanics/scalars.hpp"

namespace tauflex {

template <class S>
MotionData<S>::MotionData(const Robot& robot)
    : q(VectorOf<S>::Constant(robot.tree_nq(), S(std::numeric_limits<double>::quiet_NaN()))),
      R(robot.tree().bodies.size()),
      p(robot.tree().bodies.size()),
      axis(robot.tree().dof_body.size()),
      velocity(robot.tree().bodies.size()),
      acceleration(robot.tree().bodies.size()),
      force(robot.tree().bodies.size()),
      tau(VectorOf<S>::Zero(robot.tree_nv())),
      stretch(VectorOf<S>::Zero(robot.rotors())),
      stretch_rate(stretch),
      spring_torque(stretch) {}

template <class S>
MotionData<S>::MotionData(const MotionData&) = default;
template <class S>
MotionData<S>& MotionData<S>::operator=(const MotionData&) = default;
template <class S>
MotionData<S>::~MotionData() = default;

#define TAUFLEX_INSTANTIATE(S) template struct MotionData<S>;
TAUFLEX_FOR_EACH_SCALAR(TAUFLEX_INSTANTIATE)
TAUFLEX_INSTANTIATE(ShortJet2)
TAUFLEX_INSTANTIATE(ShortJet4)
TAUFLEX_INSTANTIATE(Complex)
#undef TAUFLEX_INSTANTIATE

MechanicsData::MechanicsData(const Robot& robot)
    : MotionData<double>(robot),
      inertia(robot.tree().bodies.size()),
      M(Matrix::Zero(robot.tree_nv(), robot.tree_nv())),
      momentum(robot.tree().bodies.size()),
      twist_rate(robot.tree().bodies.size()),
      axis_rate(axis.size()),
      axis_rate_v(axis.size()),
      axis_acceleration(axis.size()),
      dtau_dq(M),
      dtau_dv(M),
      articulated(robot.tree().bodies.size()),
      bias(robot.tree().bodies.size()),
      hinge(axis.size()),
      coriolis(axis.size()),
      hinge_inertia(Vector::Zero(robot.tree_nv())),
      hinge_torque(hinge_inertia),
      tree_acceleration(hinge_inertia) {}

MechanicsData::MechanicsData(const MechanicsData&) = default;
MechanicsData& MechanicsData::operator=(const MechanicsData&) = default;
MechanicsData::~MechanicsData() = default;

}  // namespace tauflex

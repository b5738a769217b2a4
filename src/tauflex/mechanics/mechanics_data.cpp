#include "tauflex/mechanics/mechanics_data.hpp"

#include "tauflex/mechanics/scalars.hpp"

namespace tauflex {

namespace {

template <class S>
std::vector<BeamMotion<S>> beam_motions(const Robot& robot) {
  std::vector<BeamMotion<S>> beams(robot.tree().beams.size());
  for (size_t b = 0; b < beams.size(); ++b) {
    beams[b].z = VectorOf<S>::Zero(robot.tree().beams[b].nz());
    beams[b].phi_by_q.resize(robot.tree().beams[b].n);
    beams[b].z_rate = beams[b].z_acceleration = beams[b].load = beams[b].z;
  }
  return beams;
}

std::vector<BeamMatrices> beam_matrices_of(const Robot& robot) {
  std::vector<BeamMatrices> list(robot.tree().beams.size());
  for (size_t b = 0; b < list.size(); ++b) {
    const BeamLayout& beam = robot.tree().beams[b];
    const int n = beam.n;
    BeamMatrices& m = list[b];
    m.J = m.J_rate = m.J_acceleration = Matrix::Zero(3 * std::ssize(beam.points), n);
    m.r = m.r_rate = m.r_acceleration = Matrix::Zero(3, std::ssize(beam.points));
    m.M = m.by_q = m.by_v = m.factor = Matrix::Zero(n, n);
    m.start = m.start_by_q = m.start_by_v = m.hinge = Matrix::Zero(6, n);
    m.solved = Matrix::Zero(n, 6);
    m.twist_rate = Matrix::Zero(3, n);
    m.torque = Vector::Zero(n);
  }
  return list;
}

}  // namespace

template <class S>
MotionData<S>::MotionData(const Robot& robot)
    : q(VectorOf<S>::Constant(robot.tree_nq(), S(std::numeric_limits<double>::quiet_NaN()))),
      R(robot.tree().bodies.size()),
      p(robot.tree().bodies.size()),
      axis(robot.tree().dof_body.size()),
      beam(beam_motions<S>(robot)),
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
      beam_matrices(beam_matrices_of(robot)),
      tree_acceleration(hinge_inertia) {}

MechanicsData::MechanicsData(const MechanicsData&) = default;
MechanicsData& MechanicsData::operator=(const MechanicsData&) = default;
MechanicsData::~MechanicsData() = default;

}  // namespace tauflex

#include "tauflex/mechanics/mechanics_data.hpp"

#include "tauflex/mechanics/derivative_lanes.hpp"
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
    const int moving = beam.most_columns(), kinds = beam.kinds(), others = 9;
    m.J = m.J_rate = m.J_acceleration = Matrix::Zero(3 * std::ssize(beam.points), moving + 6);
    m.carried = Matrix::Zero(3 * kinds, n);
    m.part_M = m.part_v = m.part_q = Matrix::Zero(moving + others, moving);
    m.sum_M.near = m.part_M;
    m.sum_M.far = Matrix::Zero(moving + others, 3 * kinds);
    m.sum_M.beyond = Matrix::Zero(kinds + others, 3 * kinds);
    m.sum_M.product = Matrix::Zero(moving, 3 * kinds);
    m.sum_M.product_by = Matrix::Zero(kinds + others, moving);
    m.sum_M.others = Matrix::Zero(others, n);
    m.sum_v = m.sum_q = m.sum_M;
    m.r = m.r_rate = m.r_acceleration = Matrix::Zero(3, std::ssize(beam.points));
    m.M = m.by_q = m.by_v = m.factor = Matrix::Zero(n, n);
    m.start = m.start_by_q = m.start_by_v = m.hinge = Matrix::Zero(6, n);
    m.solved = Matrix::Zero(n, 6);
    m.twist_rate = Matrix::Zero(3, n);
    m.torque = Vector::Zero(n);
  }
  return list;
}

template <class S>
LinkFrameData link_frame_data(const Robot& robot) {
  if (!std::is_same_v<S, double>) return {};
  const Vector zero = Vector::Zero(robot.tree_nv());
  return {Vector::Constant(robot.tree_nq(), std::numeric_limits<double>::quiet_NaN()), zero, zero,
          zero, std::vector<LinkMotion<double>>(robot.tree().link_frames.size())};
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
      link_frames(link_frame_data<S>(robot)),
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
      derivative_lanes(derivative_lanes_workspace(robot.tree().link_frames)),
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

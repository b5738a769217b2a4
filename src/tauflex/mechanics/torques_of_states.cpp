#include "tauflex/mechanics/torques_of_states.hpp"

#include <algorithm>
#include <cstdint>

#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/lane_widths.hpp"
#include "tauflex/mechanics/link_frame_torques.hpp"

namespace tauflex {

namespace {

constexpr std::ptrdiff_t register_bytes = 64;

// Of the tree alone, as inverse_dynamics() has them.
void tree_torques_of_states(const Robot& robot, StatesData& data, const MatrixRef& q,
                            const MatrixRef& v, const MatrixRef& vdot, MatrixOut tau) {
  if (data.lanes == 1) {
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      link_frame_torques(robot, data.mechanics.link_frames, q.col(i), v.col(i), vdot.col(i),
                         tau.col(i));
    return;
  }
  const Vector3 lift = -robot.gravity();
  const auto& frames = robot.tree().link_frames;
  const auto columns = [](const MatrixRef& x) { return StateColumns{x.data(), x.outerStride()}; };
  torque_lanes(data.lanes)({frames.data(), static_cast<int>(frames.size()), lift.data(), columns(q),
                            columns(v), columns(vdot), q.cols()},
                           data.aligned, tau.data(), tau.outerStride());
}

// Whether add_armatures_and_springs() has anything to add.
bool is_bare_tree(const Robot& robot) {
  const Springs& springs = robot.springs();
  const auto is_rigid = [](const DriveLayout& drive) { return drive.rotor_v < 0; };
  const auto& drives = robot.actuation().drives;
  return springs.joint.empty() && springs.joint_hardening.empty() &&
         springs.between_frames.empty() && std::none_of(drives.begin(), drives.end(), is_rigid) &&
         (robot.actuation().armature.array() == 0).all();
}

}  // namespace

StatesData::StatesData(const Robot& robot) : StatesData(robot, lane_widths().back()) {}

StatesData::StatesData(const Robot& robot, int width)
    : lanes(width),
      mechanics(robot),
      numbers(torque_lanes_size(static_cast<int>(robot.tree().link_frames.size()), width) +
              register_bytes / sizeof(double)) {
  const auto begin = reinterpret_cast<std::uintptr_t>(numbers.data());
  const std::uintptr_t end = (begin + register_bytes - 1) / register_bytes * register_bytes;
  aligned = numbers.data() + (end - begin) / sizeof(double);
}

void torques_of_states(const Robot& robot, StatesData& data, const MatrixRef& q, const MatrixRef& v,
                       const MatrixRef& vdot, MatrixOut tau) {
  MechanicsData& one = data.mechanics;
  const bool by_lanes = has_link_frames(robot) && !robot.is_linearized();
  if (by_lanes) tree_torques_of_states(robot, data, q, v, vdot, tau);
  if (by_lanes && is_bare_tree(robot)) return;
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    if (by_lanes) {
      if (!robot.springs().between_frames.empty()) kinematics<double>(robot, one, q.col(i));
      one.tau = tau.col(i);
      add_armatures_and_springs<double>(robot, one, q.col(i), v.col(i), vdot.col(i));
    } else {
      joint_torques<double>(robot, one, q.col(i), v.col(i), vdot.col(i));
    }
    tau.col(i) = one.tau;
  }
}

}  // namespace tauflex

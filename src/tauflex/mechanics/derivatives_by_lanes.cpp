#include "tauflex/mechanics/derivatives_by_lanes.hpp"

#include <algorithm>

#include "tauflex/mechanics/derivative_lanes_loop.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/lane_widths.hpp"

namespace tauflex {

std::vector<double> derivative_lanes_workspace(const std::vector<LinkFrame>& frames) {
  using namespace derivative_fields;
  const int n = static_cast<int>(frames.size()), stride = padded(n);
  std::vector<double> numbers(std::ptrdiff_t{count} * stride +
                              3 * (std::ptrdiff_t{n} * n + widest));
  for (int i = 0; i < n; ++i) {
    const auto at = [&](int field) -> double& {
      return numbers[std::ptrdiff_t{field} * stride + i];
    };
    at(own_mass) = frames[i].mass;
    for (int k = 0; k < 3; ++k) at(own_moment + k) = frames[i].moment[k];
    for (int k = 0; k < 6; ++k) at(own_sigma + k) = frames[i].sigma[k];
  }
  return numbers;
}

void derivatives_by_lanes(const Robot& robot, MechanicsData& data, const VectorRef& q,
                          const VectorRef& v, const VectorRef& vdot, int lanes) {
  static_assert(sizeof(Motion<double>) == 6 * sizeof(double), "axes are read as plain numbers");
  kinematics<double>(robot, data, q);
  const Vector3 lift = -robot.gravity();
  const Tree& tree = robot.tree();
  const auto& frames = tree.link_frames;
  const bool branches = std::any_of(frames.begin() + 1, frames.end(), [&](const LinkFrame& frame) {
    return &frames[0] + frame.parent + 1 != &frame;
  });
  if (branches) {  // pairs on different branches are not written
    data.dtau_dq.setZero();
    data.dtau_dv.setZero();
  }
  derivative_lanes(lanes)(
      {frames.data(), robot.tree_nv(), lift.data(), data.R.front().data(), data.p.front().data(),
       data.axis.front().w.data(), tree.dof_body.data(), v.data(), vdot.data()},
      data.derivative_lanes.data(),
      {data.tau.data(), data.M.data(), data.dtau_dq.data(), data.dtau_dv.data()});
  for (int k = 0; k < robot.tree_nv(); ++k) data.M(k, k) += robot.actuation().armature[k];
}

}  // namespace tauflex

#include "tauflex/mechanics/link_frame_torques.hpp"

#include "tauflex/math/sine_cosine.hpp"

namespace tauflex {

void turn_joints(const Robot& robot, LinkFrameData& data, const VectorRef& q) {
  if (data.q == q.head(robot.tree_nq())) return;
  data.q = q.head(robot.tree_nq());
  for (const Body& body : robot.tree().bodies)
    if (body.type == JointType::revolute) data.angle[body.v_begin] = q[body.q_begin] + body.zero;
  sin_cos(data.angle.data(), robot.tree_nv(), data.sine.data(), data.cosine.data());
}

void link_frame_torques(const Robot& robot, LinkFrameData& data, const VectorRef& q,
                        const VectorRef& v, const VectorRef& vdot, VectorOut tau) {
  turn_joints(robot, data, q);
  const Vector3 lift = -robot.gravity();
  const auto& frames = robot.tree().link_frames;
  link_frame_recursion<double>(frames.data(), static_cast<int>(frames.size()), lift.data(),
                               data.q.data(), data.sine.data(), data.cosine.data(), v.data(),
                               vdot.data(), data.links.data(), tau.data());
}

}  // namespace tauflex

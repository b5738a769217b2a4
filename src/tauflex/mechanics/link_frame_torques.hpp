// Inverse dynamics of doubles in link frames, for trees whose joints all have one axis: half the
// products of world axes, because the inertia of a link is constant in its own frame.
//   f = m a + K c,   n = c x a + sum of m r x K r,   K = [w'] + [w][w]               theory (M.4)
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

// Sines and cosines of all joints that turn, together.
void turn_joints(const Robot& robot, LinkFrameData& data, const VectorRef& q);

// Whether there are link frames to compute in.
inline bool has_link_frames(const Robot& robot) { return !robot.tree().link_frames.empty(); }

// Torques at the joints, as inverse_dynamics() has them. Calls turn_joints().
void link_frame_torques(const Robot& robot, LinkFrameData& data, const VectorRef& q,
                        const VectorRef& v, const VectorRef& vdot, VectorOut tau);

}  // namespace tauflex

// From the coordinates of a robot to the nodes of its frame of elements, and back.
#pragma once

#include "tauflex/elements/element_frame.hpp"

namespace tauflex {

// Nodes as joints move them, node after node, beams straight: R_c = R_p exp([axis] q), and the
// derivatives.                                                                       theory (E.10)
void pose_of_joints(const ElementFrame& frame, const VectorRef& q, const VectorRef& v,
                    const VectorRef& vdot, FrameState& state, Vector& travel);

// Coordinates, velocities and accelerations of the robot; `travel` of each joint.
void joints_of_pose(const ElementFrame& frame, const FrameState& state, const Vector& travel,
                    VectorOut q, VectorOut v, VectorOut vdot);

}  // namespace tauflex

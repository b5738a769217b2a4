// Where a frame of a robot is, how the joints move it and what they carry: the answers of `tauflex
// pose`.
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"
#include "tauflex/problem/postures.hpp"

namespace tauflex {

struct ToolPose {
  std::string frame;
  Vector q;  // nq
  // In the world.
  Pose X_WF;
  // 6 x tree_nv: velocity of the frame's origin (m/s), then angular velocity (rad/s), world axes
  Matrix J;
  // Product of the singular values of J [Yoshikawa1985]: sqrt(det(J J^T)) where the joints are as
  // many as rows or more. Of all rows, and of the position alone.
  double manipulability = 0, position_manipulability = 0;
  // Smallest over largest singular value, lengths in sizes of the robot; 0 at a singular pose.
  double independence = 0;
  // tree_nv, N m or N at the joints: what holds the links against gravity, without springs
  Vector gravity_torques;
};

ToolPose tool_pose(const Robot& robot, const Frame& frame, const Vector& q);

// The frame that is meant when none is named: "tool", else the last that the robot names, else that
// of its last link. Throws InputError for a name that does not exist.
const Frame& meant_frame(const Robot& robot, const std::string& name);

// Every posture with the frame at x y z, or at x y z and a rotation vector. Throws ProblemError
// for robots whose postures cannot be listed.
Postures reaching(const Robot& robot, const Frame& frame, const Vector& place,
                  const std::map<std::string, double>& near);

// rad or m: how far a coordinate is from the closer end of its range; infinite without one,
// negative outside.
double range_margin(const Robot& robot, const VectorRef& q, int coordinate);

}  // namespace tauflex

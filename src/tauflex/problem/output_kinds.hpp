// The kinds of outputs: what each of them is about. Their equations are in <kind>_rule.hpp.
#pragma once

#include <variant>
#include <vector>

#include "tauflex/model/frames.hpp"

namespace tauflex {

// Components of the position of a frame.
struct PositionOutput {
  // Index into robot.frames().
  int frame;
  // That has the axes n and the origin o.
  Frame reference;
  // Of the reference, one per row: 0, 1, 2 for x, y, z.
  std::vector<int> axes;
};

// The orientation of a frame, three rows.
struct OrientationOutput {
  // Index into robot.frames().
  int frame;
  // Turned by R_0.
  Frame reference;
};

// The direction of the z axis of a frame, two rows; the turn about that axis is free.
struct AxisOutput {
  // Index into robot.frames().
  int frame;
  // Turned by R_0, whose z axis is the first direction of the path.
  Frame reference;
};

// By how much a frame is turned about an axis that is fixed in the reference.
struct AngleOutput {
  // Index into robot.frames().
  int frame;
  // The angle is counted about its z axis, from its x axis.
  Frame reference;
  // In axes of the frame: where it points is the angle.
  Vector3 pointer;
  // Its value with all joints at zero; full turns are counted from there.
  double at_zero = 0;
};

// Places relative to a circle about the z axis of the reference.
struct ArcOutput {
  // Index into robot.frames().
  int frame;
  // At the centre; x points to where `along` is 0.
  Frame reference;
  double radius;  // m
  // One per row: 0 along the circle, 1 across it, inwards, 2 above its plane.
  std::vector<int> parts;
};

// A joint or a rotor.
struct CoordinateOutput {
  // Its coordinate and its velocity.
  int q, v;
};

// The multiplier of a constraint.
struct ForceOutput {
  int constraint;  // row of g
};

using OutputRule = std::variant<PositionOutput, OrientationOutput, AxisOutput, AngleOutput,
                                ArcOutput, CoordinateOutput, ForceOutput>;

}  // namespace tauflex

// The parts of a frame of elements: rows of joints, elements of beams, rows of constraints. Only
// for robot_frame.cpp.
#pragma once

#include "tauflex/elements/element_frame.hpp"
#include "tauflex/elements/frame_options.hpp"

namespace tauflex {

// What acts along joints, of the motors those without a spring.
void add_springs_and_drives(const Robot& robot, ElementFrame& frame);

// What a joint does not let move: five rows, in a plane two.
void add_joint_rows(const ElementFrame::Joint& joint, ElementFrame& frame);

// Where a beam is at the start.
struct BeamPlace {
  int link, first;
  Matrix3 axes;
  Vector3 from, to;
  // Bodies of the tree at the ends of its segments.
  std::vector<int> segments;
};
void add_beam_elements(const Robot& robot, const Beam& beam, const BeamPlace& place,
                       const FrameOptions& options, ElementFrame& frame);

// The same row of g as the robot's.
ElementFrame::Row constraint_row(const Robot& robot, int index, const ElementFrame& frame);

}  // namespace tauflex

// How a frame of elements is made of a robot.
#pragma once

namespace tauflex {

// Of the beams of a frame.
enum class ElementKind {
  // Cubic deflections, consistent mass.                                               theory (E.4)
  bernoulli,
  // Linear positions, two elements at least: one node is the centre of gravity.       theory (E.5)
  timoshenko,
};

struct FrameOptions {
  ElementKind kind = ElementKind::bernoulli;
  // Of each beam; 0: as many as the robot says.
  int elements = 0;
  // Beams do not bend.
  bool rigid = false;
};

}  // namespace tauflex

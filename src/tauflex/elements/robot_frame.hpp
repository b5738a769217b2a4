// A robot as a frame of finite elements: what its links, beams, joints and loops become.
#pragma once

#include "tauflex/elements/element_frame.hpp"
#include "tauflex/elements/frame_options.hpp"

namespace tauflex {

// Throws ProblemError for what such a frame cannot have, naming it. The joints of `q` are the start
// pose, rotors are not read.
ElementFrame robot_frame(const Robot& robot, const VectorRef& q, const FrameOptions& options = {});

}  // namespace tauflex

// Named frames on bodies: those that are given, and that of every link.
#pragma once

#include <string>
#include <vector>

#include "tauflex/model/tree.hpp"

namespace tauflex {

struct Frame {
  std::string name;
  // -1 for the world.
  int body;
  Pose X_BF;
};

// Named frames first, then one per link. Throws InputError for names and poses that cannot be.
std::vector<Frame> lay_out_frames(const std::vector<FrameDescription>& given, const Tree& tree);

// -1 when there is none.
int find_frame(const std::vector<Frame>& frames, const std::string& name);

}  // namespace tauflex

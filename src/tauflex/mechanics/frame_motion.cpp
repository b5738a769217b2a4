#include "tauflex/mechanics/frame_motion.hpp"

namespace tauflex {

const Frame world_frame{"world", -1, {}};

int last_dof(const Robot& robot, int body) {
  for (; body >= 0; body = robot.tree().bodies[body].parent) {
    const Body& b = robot.tree().bodies[body];
    if (b.v_count > 0) return b.v_begin + b.v_count - 1;
  }
  return -1;
}

}  // namespace tauflex

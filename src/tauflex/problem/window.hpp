// The time around the path in which a problem is solved: the robot holds before and after it.
#pragma once

namespace tauflex {

struct Window {
  double hold_before = 0, hold_after = 0;  // s
};

}  // namespace tauflex

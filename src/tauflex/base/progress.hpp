// How a long computation tells how far it is, and is told to stop.
#pragma once

#include <functional>

namespace tauflex {

// Called now and then with the fraction done, 0 .. 1; returns false to stop.
using Progress = std::function<bool(double fraction)>;

}  // namespace tauflex

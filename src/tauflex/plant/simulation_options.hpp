// How accurately a plant is simulated.
#pragma once

#include <vector>

namespace tauflex {

struct Field;

struct SimulationOptions {
  double relative_tolerance = 1e-10;
  // rad, m, and per second
  double absolute_tolerance = 1e-12;
  // Of the whole run, besides one for each sample and each corner of the torque.
  long max_steps = 500'000;

  std::vector<Field> fields();
  void check() const;
};

}  // namespace tauflex

// How accurately a plant is simulated.
#pragma once

#include <optional>
#include <vector>

namespace tauflex {

struct Field;

// The plant as a frame of finite elements in absolute coordinates: plant/frame_plant.hpp.
struct FramePlantOptions {
  // Of each segment of a beam; 0: as many as the robot says.
  int elements = 0;
  bool timoshenko = false;
  // s, at most
  double step = 1e-4;
  // Of Newmark's formula.
  double delta = 0.5, beta = 0.25;

  std::vector<Field> fields();
  void check() const;
};

struct SimulationOptions {
  double relative_tolerance = 1e-10;
  // rad, m, and per second
  double absolute_tolerance = 1e-12;
  // J per step, of the work put in and the energy lost, which are integrated beside the motion.
  double energy_tolerance = 1e-9;
  // rad or m, of the motion of the joints. Rounding of numbers of this size is what no step
  // resolves.
  double least_size = 1;
  // Of the whole run, besides one for each sample and each corner of the torque.
  long max_steps = 500'000;
  // In place of the tree of links.
  std::optional<FramePlantOptions> frame = {};

  std::vector<Field> fields();
  void check() const;
};

}  // namespace tauflex

// Inverse dynamics of several states of one robot at once, a lane per state. Compiled for registers
// of two doubles, which every processor has, of four (AVX2) and of eight (AVX-512).
#pragma once

#include <cstddef>

#include "tauflex/model/link_frames.hpp"

namespace tauflex {

// States by columns: one after the other, each `stride` numbers long.
struct StateColumns {
  const double* data;
  std::ptrdiff_t stride;
};

struct TorqueLanesInput {
  // One per velocity.
  const LinkFrame* frames;
  int count;
  // Minus gravity.
  const double* lift;
  StateColumns q, v, vdot;
  std::ptrdiff_t states;
};

// Writes the torques of every state to tau, columns of `stride` numbers. The workspace is aligned
// to a register and has torque_lanes_size() numbers.
using TorqueLanes = void (*)(const TorqueLanesInput& in, double* workspace, double* tau,
                             std::ptrdiff_t stride);
std::ptrdiff_t torque_lanes_size(int count, int lanes);

void torques_by_2_lanes(const TorqueLanesInput& in, double* workspace, double* tau,
                        std::ptrdiff_t stride);
void torques_by_4_lanes(const TorqueLanesInput& in, double* workspace, double* tau,
                        std::ptrdiff_t stride);
void torques_by_8_lanes(const TorqueLanesInput& in, double* workspace, double* tau,
                        std::ptrdiff_t stride);

}  // namespace tauflex

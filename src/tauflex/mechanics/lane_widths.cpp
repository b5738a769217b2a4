#include "tauflex/mechanics/lane_widths.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace tauflex {

namespace {

constexpr std::array<int, 4> all_widths = {1, 2, 4, 8};

size_t count_lane_widths() {
#ifdef TAUFLEX_WIDE_LANES
  if (!__builtin_cpu_supports("avx2")) return 2;
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") ? 4 : 3;
#else
  return 2;
#endif
}

}  // namespace

std::span<const int> lane_widths() {
  static const size_t count = count_lane_widths();
  return std::span(all_widths).first(count);
}

int lane_width_for(int count) {
  int chosen = 2;
  for (const int width : lane_widths())
    if (chosen < count) chosen = std::max(chosen, width);
  return chosen;
}

TorqueLanes torque_lanes(int lanes) {
#ifdef TAUFLEX_WIDE_LANES
  if (lanes == 8) return torques_by_8_lanes;
  if (lanes == 4) return torques_by_4_lanes;
#endif
  assert(lanes == 2);
  static_cast<void>(lanes);
  return torques_by_2_lanes;
}

DerivativeLanes derivative_lanes(int lanes) {
#ifdef TAUFLEX_WIDE_LANES
  if (lanes == 8) return derivatives_by_8_lanes;
  if (lanes == 4) return derivatives_by_4_lanes;
#endif
  assert(lanes == 2);
  static_cast<void>(lanes);
  return derivatives_by_2_lanes;
}

}  // namespace tauflex

// Sobol's sequence: points that fill the unit cube evenly, so that means converge nearly like 1/n.
// Direction numbers of [JoeKuo2008]; points in the order of the Gray code. A digital shift per
// dimension, from the seed of a study, keeps the evenness and takes the origin away.
#pragma once

#include <cstdint>

namespace tauflex {

constexpr int most_sobol_dimensions = 100;

// 32 bits of coordinate `dimension` of point `index`, unshifted: over 2^32 it is in [0, 1).
std::uint32_t sobol_bits(std::uint32_t index, int dimension);

// Shifted, in the open interval (0, 1).
double sobol_number(std::uint64_t seed, std::uint32_t index, int dimension);

}  // namespace tauflex

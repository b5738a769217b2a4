// Random numbers by their place instead of their order: each follows from the seed of a study, the
// run and the parameter alone, so that runs can be made in any order, on any machine, and again.
// Distributions are inverse functions of the same uniform numbers; the standard library's are not
// used, because their values differ between libraries.
#pragma once

#include <array>
#include <cstdint>

namespace tauflex {

// Philox4x32 with ten rounds [Salmon2011]: a bijection of the counter, keyed.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

// What a number is drawn for: different uses at one place get different numbers.
enum class RandomUse : std::uint32_t { sample = 1, shuffle = 2, shift = 3, bootstrap = 4 };

// 53 random bits, never 0 nor 1.
double uniform_number(std::uint64_t seed, RandomUse stream, std::uint64_t run,
                      std::uint32_t parameter);
std::uint32_t random_bits(std::uint64_t seed, RandomUse stream, std::uint64_t run,
                          std::uint32_t parameter);

// Place of `index` in a random order of 0 .. count - 1, without making the order: a Feistel
// network over the next power of four, followed until it lands below `count`.
std::uint64_t shuffled(std::uint64_t seed, std::uint32_t parameter, std::uint64_t index,
                       std::uint64_t count);

// The number below which a standard normal number lies with this probability, to 1e-15
// [Wichura1988].
double normal_quantile(double probability);

}  // namespace tauflex

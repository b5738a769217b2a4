// Sizes that follow from what a user wrote are checked before memory is asked for: a step too
// small or a path too long is a sentence at once, not a program that fails after minutes.
#pragma once

#include <string>

namespace tauflex {

// In any unit: no length, mass or stiffness of a robot is larger, and products of a few such
// numbers can still be computed with.
constexpr double largest_number = 1e30;
// Of durations, lengths and whatever else must be greater than 0: quotients of a few such numbers
// can still be computed with.
constexpr double smallest_number = 1e-30;

// A table of this many rows, held in memory by the solution, its proof and the files that are
// written. Throws InputError where that is too much:
//   "<what> are 3e+12 samples, which need 5e+06 GB of memory; the most is 4 GB"
void require_room(const std::string& what, double rows, double numbers_per_row);

// That many steps in time, one after the other. Throws InputError above 100 million.
void require_end(const std::string& what, double steps);

}  // namespace tauflex

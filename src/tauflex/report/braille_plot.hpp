// Small curves for a terminal, in braille dots: two across and four down in every character.
#pragma once

#include <string>
#include <vector>

#include "tauflex/results/run.hpp"

namespace tauflex {

// One curve over time in `rows` lines of `columns` characters; values that are not finite leave a
// gap. No lines where there is nothing to draw.
std::vector<std::string> braille_curve(const Vector& t, const Vector& y, int columns, int rows);

// Torque of the drive that works hardest, and the tool error (logarithmic) where there is a proof,
// side by side with what they are and their largest values.
std::string braille_plots(const Record& record);

}  // namespace tauflex

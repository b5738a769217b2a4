// The limits of what a run sends.
#pragma once

#include "tauflex/results/record.hpp"

namespace tauflex {

// What reaches the motors and what the robot does then. Under feedback, and on another plant, that
// is the simulated run; in the samples of a controller its torques; else the solution. Refers to
// the record.
SentMotion sent_motion(const Record& record);
// "the solution", "the simulated run"
std::string sent_motion_text(const Record& record);

std::vector<LimitMargin> sent_limits(const Record& record);

}  // namespace tauflex

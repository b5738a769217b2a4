// Progress on a terminal, and Ctrl-C.
#pragma once

#include "tauflex/results/run.hpp"

namespace tauflex {

// A bar on stderr for anything over two seconds, when that is a terminal; returns false after
// Ctrl-C.
StageProgress terminal_progress();

// From now on Ctrl-C asks the running computation to stop at its next step.
void catch_interrupts();
bool was_interrupted();

}  // namespace tauflex

// Progress on a terminal, and Ctrl-C.
#pragma once

#include <string>

#include "tauflex/results/run.hpp"

namespace tauflex {

// A bar on stderr with the time left for anything over two seconds, when that is a terminal;
// returns false after Ctrl-C.
StageProgress terminal_progress();

enum class Stream { out, error };
bool is_terminal(Stream stream);

enum class Tone { good, doubtful, bad };
// For a terminal; as it is where the environment says NO_COLOR.
std::string coloured(const std::string& text, Tone tone);

// From now on Ctrl-C asks the running computation to stop at its next step. Where that does not
// come within a second, the program ends: nothing of a result has been written by then.
void catch_interrupts();
bool was_interrupted();

// From now on the result is written, and Ctrl-C comes too late.
void begin_writing();

}  // namespace tauflex

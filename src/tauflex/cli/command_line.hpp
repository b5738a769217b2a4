// The verbs of the program and their options, as the command line has them.
#pragma once

#include "tauflex/base/errors.hpp"

namespace tauflex {

// Runs the verb that is asked for. Mistakes are said on stderr.
ExitCode run_command_line(int argc, char** argv);

}  // namespace tauflex

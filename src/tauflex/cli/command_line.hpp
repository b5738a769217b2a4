// The verbs of the program and their options, as the command line has them.
#pragma once

#include "tauflex/base/errors.hpp"

namespace CLI {
class App;
}

namespace tauflex {

// Each verb runs while the command line is parsed and leaves its exit code in `code`.
void add_verbs(CLI::App& app, ExitCode& code);

}  // namespace tauflex

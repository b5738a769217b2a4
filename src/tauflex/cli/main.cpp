// The program: one verb per thing a user wants. Data goes to stdout, talk to stderr.
#include "tauflex/cli/command_line.hpp"

int main(int argc, char** argv) { return static_cast<int>(tauflex::run_command_line(argc, argv)); }

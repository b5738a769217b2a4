// The program: one verb per thing a user wants. Data goes to stdout, talk to stderr.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/version.hpp"
#include "tauflex/cli/command_line.hpp"

int main(int argc, char** argv) {
  using namespace tauflex;
  CLI::App app{"Which motor torques make a robot's tool follow a path, when the robot bends?",
               "tauflex"};
  app.set_version_flag("--version", version());
  app.require_subcommand(1);
  ExitCode code = ExitCode::success;
  add_verbs(app, code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "tauflex: {}\nRun 'tauflex --help' for what it can do.\n", error.what());
    return static_cast<int>(ExitCode::usage);
  } catch (const Error& error) {
    fmt::print(stderr, "tauflex: {}\n", error.what());
    return static_cast<int>(error.code());
  }
  return static_cast<int>(code);
}

// The three kinds of failure (see ARCHITECTURE.md): our bug is an assert, a wrong question is one
// of these exceptions, a hard question is a Status in the result.
#pragma once

#include <stdexcept>
#include <string>

namespace tauflex {

// Exit codes of the program; scripts rely on them.
enum class ExitCode {
  success = 0,
  usage = 2,
  invalid_input = 3,
  not_solvable = 4,
  not_converged = 5,
  proof_missed = 6,
  interrupted = 130,
};

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// The command line cannot be understood.
struct UsageError : Error {
  explicit UsageError(const std::string& sentence) : Error(ExitCode::usage, sentence) {}
};

// A file, a field or an option holds what it must not.
struct InputError : Error {
  explicit InputError(const std::string& sentence) : Error(ExitCode::invalid_input, sentence) {}
};

// Every field is fine, but the question as posed has no answer.
struct ProblemError : Error {
  explicit ProblemError(const std::string& sentence) : Error(ExitCode::not_solvable, sentence) {}
};

}  // namespace tauflex

#include "tauflex/results/record.hpp"

#include "tauflex/base/failures.hpp"

namespace tauflex {

ExitCode exit_code(Status status) {
  switch (status) {
    case Status::solved:
      return ExitCode::success;
    case Status::not_converged:
      return ExitCode::not_converged;
    case Status::not_solvable:
      return ExitCode::not_solvable;
    case Status::missed:
      return ExitCode::proof_missed;
    case Status::interrupted:
      return ExitCode::interrupted;
  }
  return ExitCode::not_converged;
}

ExitCode Record::exit_code() const {
  const ExitCode code = tauflex::exit_code(
      solution.status == Status::solved && verification ? verification->status : solution.status);
  if (code != ExitCode::success || job.verification.limits != LimitRule::obey) return code;
  return limit_state(limits) == LimitState::exceeded ? ExitCode::proof_missed : code;
}

const Failure* failure_of(const Record& record) {
  const auto& proof = record.verification;
  if (record.solution.status != Status::solved)
    return find_failure(record.exit_code(), record.solution.message);
  if (!proof || proof->status == Status::solved)
    return find_failure(record.exit_code(), "a limit is exceeded");
  return find_failure(record.exit_code(), proof->message);
}

}  // namespace tauflex

// How a computation ended. A hard question is not an exception: a sweep over a thousand robots is
// never stopped by one that fails.
#pragma once

#include <string_view>

namespace tauflex {

enum class Status {
  // The computation reached its end.
  solved,
  // An iteration failed; the message says when and in which equation.
  not_converged,
  // The question has no answer as posed.
  not_solvable,
  // Computed, but outside the asked tolerance.
  missed,
  // Stopped by the user.
  interrupted,
};

constexpr std::string_view name(Status status) {
  switch (status) {
    case Status::solved:
      return "solved";
    case Status::not_converged:
      return "not_converged";
    case Status::not_solvable:
      return "not_solvable";
    case Status::missed:
      return "missed";
    case Status::interrupted:
      return "interrupted";
  }
  return "unknown";
}

}  // namespace tauflex

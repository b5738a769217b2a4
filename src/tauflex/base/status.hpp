// How a computation ended. A hard question is not an exception: a sweep over a thousand robots is
// never stopped by one that fails.
#pragma once

#include <string_view>

namespace tauflex {

enum class Status {
  solved,         // the computation reached its end
  not_converged,  // an iteration failed; the message says when and in which equation
  not_solvable,   // the question has no answer as posed
  missed,         // computed, but outside the asked tolerance
  interrupted,    // stopped by the user
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

// Can it be solved, how, and why not: one verdict in plain words, and the numbers behind it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauflex/analysis/diagnosis.hpp"
#include "tauflex/analysis/internal_inertia.hpp"
#include "tauflex/analysis/rank_losses.hpp"
#include "tauflex/solvers/method_choice.hpp"

namespace tauflex {

struct Solvability {
  // Whether a motion was found, or, where it was not looked for, no obstacle to one.
  bool solvable = false;
  // What run would end with before its proof.
  Status status = Status::not_solvable;
  // A few sentences, the first says yes or no.
  std::string verdict;
  // What to know although it can be solved.
  std::vector<std::string> notes;
  // What to change when it cannot.
  std::vector<std::string> changes;
  // None when there is no start to look at.
  std::optional<Diagnosis> diagnosis;
  // Continuous derivatives, at most most_derivatives.
  int path_smoothness = 0;
  std::vector<RankLoss> rank_losses;
  // What run takes.
  std::optional<Method> method;
  // Ranks on the solution itself, where it was computed.
  std::vector<IndexAtPoint> on_solution;
  // Of torques that would begin with the path, where the robot is not minimum phase: decimal
  // logarithm of how much an error grows, and the inertia of the internal motions at the start.
  struct InitialValueProblem {
    double log_growth = 0;
    std::optional<InternalInertia> inertia;
  };
  std::optional<InitialValueProblem> initial_value;

  static constexpr int most_derivatives = 15;
};

}  // namespace tauflex

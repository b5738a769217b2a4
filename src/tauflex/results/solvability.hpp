// Can it be solved, how, and why not: one verdict in plain words, and the numbers behind it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauflex/analysis/diagnosis.hpp"
#include "tauflex/analysis/singular_poses.hpp"
#include "tauflex/results/job.hpp"

namespace tauflex {

struct Solvability {
  bool solvable = false;
  std::string verdict;                 // a few sentences, the first says yes or no
  std::vector<std::string> notes;      // what to know although it can be solved
  std::vector<std::string> changes;    // what to change when it cannot
  std::optional<Diagnosis> diagnosis;  // none when there is no start to look at
  int path_smoothness = 0;             // continuous derivatives, at most most_derivatives
  std::vector<RankLoss> rank_losses;
  std::optional<Method> method;           // what run takes
  std::vector<IndexAtPoint> on_solution;  // ranks on the solution itself, where it was computed

  static constexpr int most_derivatives = 15;
};

// Throws InputError only: a question without an answer is a verdict.
Solvability analyze(const Job& job);

// What the diagnosis recommends when the job leaves the method out.
Method choose_method(const InverseProblem& problem, const RestState& start,
                     const Diagnosis& diagnosis);

// Why a method has no answer to the question, in a sentence; nothing when it has one.
std::optional<std::string> unsolvable_because(const InverseProblem& problem, const RestState& start,
                                              const Diagnosis& diagnosis, const Method& method);
// The method that was asked for, or else chosen. Throws ProblemError with that sentence.
Method solvable_method(const InverseProblem& problem, const RestState& start,
                       const Diagnosis& diagnosis, const std::optional<Method>& asked);

}  // namespace tauflex

// Can it be solved, how, and why not: one verdict in plain words, and the numbers behind it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauflex/analysis/diagnosis.hpp"
#include "tauflex/analysis/rank_losses.hpp"
#include "tauflex/solvers/method_choice.hpp"

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

}  // namespace tauflex

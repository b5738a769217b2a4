// Singular poses on the path at rest: outputs and constraints are linearly dependent there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauflex/equations/start.hpp"

namespace tauflex {

struct RankLoss {
  // s
  double t;
  // Smallest over largest singular value there.
  double independence;
  // The row that is linearly dependent on others: "constraint loop.x", "servo tool.z".
  std::string row;
  // "upper = 0.1, fore = 0"
  std::string pose;

  std::string sentence() const;
};

// Looks at 64 poses at rest along the path, and closely around each minimum.
std::vector<RankLoss> find_rank_losses(const InverseProblem& problem, const RestState& start);

// Where a robot that rests on its path first comes to a singular pose, or to the end of its reach:
// a sentence with time and pose. Nothing when the whole path can be reached.
std::optional<std::string> stop_at_rest(const InverseProblem& problem, const RestState& start);

}  // namespace tauflex

// Where along the path outputs and constraints stop being independent: singular poses, loops that
// pass through a change point.
#pragma once

#include <string>
#include <vector>

#include "tauflex/analysis/index_report.hpp"

namespace tauflex {

struct RankLoss {
  double t;             // s
  double independence;  // smallest over largest singular value there
  std::string row;      // that says what others say already: "constraint loop.x", "servo tool.z"
  std::string sentence() const;
};

// Looks at `samples` poses at rest along the path, and closely around each minimum.
std::vector<RankLoss> find_rank_losses(const InverseProblem& problem, const RestState& start,
                                       int samples = 64);

}  // namespace tauflex

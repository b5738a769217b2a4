// What a run shall keep: "verification.max_tool_error_m < 1e-4", or "limits": no limit of a drive
// or joint is exceeded.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauflex/base/node.hpp"

namespace tauflex {

struct Condition {
  // Of record.json.
  std::string key;
  // Else above.
  bool below = true;
  // The bound itself is kept too.
  bool or_equal = false;
  double bound = 0;
  std::string text = {};

  // False for a missing number.
  bool keeps(const std::optional<double>& value) const;
};

// Whether a larger number is worse: not where a condition asks for more than something, and not of
// margins.
bool is_worse_when_larger(const std::string& key, const std::vector<Condition>& conditions);

// One sentence or a list of them. Throws InputError.
std::vector<Condition> read_conditions(const Node& node);

}  // namespace tauflex

// The numbers of a run, named and grouped, and what they mean in plain sentences.
#pragma once

#include <string>
#include <vector>

#include "tauflex/results/run.hpp"

namespace tauflex {

struct Fact {
  std::string name, value;
};

struct FactGroup {
  std::string title;
  std::vector<Fact> facts;
};
std::vector<FactGroup> facts(const Record& record);

// What was shown, for which torque hold, and what was not shown; one paragraph each.
std::vector<std::string> meaning(const Record& record);

}  // namespace tauflex

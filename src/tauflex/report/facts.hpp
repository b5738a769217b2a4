// The numbers of a run, named and grouped.
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

}  // namespace tauflex

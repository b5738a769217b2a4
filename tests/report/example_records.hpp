// Records of E12 for tests of what is shown of them.
#pragma once

#include "tauflex/results/run.hpp"

namespace tauflex {

std::string example(const std::string& name);
const Record& e12();
// E12 with numbers that one can check by eye.
Record round_numbers();
Record not_converged();
Record invert_only();
Record missed();

}  // namespace tauflex

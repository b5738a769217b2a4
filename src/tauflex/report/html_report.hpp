// A run as one page: verdict, charts, meaning, facts. Needs no script, no network and no other
// file; well-formed as XML. The same record gives the same bytes.
#pragma once

#include <string>

#include "tauflex/results/run.hpp"

namespace tauflex {

std::string html_report(const Record& record);

}  // namespace tauflex

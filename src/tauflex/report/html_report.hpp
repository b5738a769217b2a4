// Results as one page that needs no network and no other file: the robot in 3-D, its curves,
// verdict and facts. The same result gives the same bytes.
#pragma once

#include <string>
#include <vector>

#include "tauflex/results/run.hpp"

namespace tauflex {

// False where npm was not there when the program was built: then there is only the plain page.
bool has_page_program();

// Of one or more files scene.json, which are shown beside each other.
std::string html_report(const std::vector<std::string>& scenes);

// A run by its page in 3-D, or by the plain one where there is only that.
std::string html_report(const Record& record);

// A run without its page in 3-D: verdict, picture, meaning, facts; no script; well-formed as XML.
std::string plain_report(const Record& record);

}  // namespace tauflex

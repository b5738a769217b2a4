// A study as one page that needs no network and no other file: yield, distributions, what matters,
// scatter; no script, well-formed as XML. The same table gives the same bytes.
#pragma once

#include <filesystem>
#include <string>

#include "tauflex/studies/sweep.hpp"

namespace tauflex {

std::string study_page(const Study& study, const VariedJob& job, const Sweep& sweep,
                       const std::filesystem::path& table);

}  // namespace tauflex

// A study as one page that needs no network and no other file: yield, distributions, what matters,
// scatter, heat map, parallel coordinates, and the worst run in 3-D beside the job as it stands.
// The same table gives the same bytes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/studies/sweep.hpp"

namespace tauflex {

// "Yield 51.5 %", "16 runs"
std::string study_headline(const StudySummary& summary);
// What stands below it: who keeps the conditions, how many runs of what, how many without answer.
std::vector<std::string> study_sentences(const Study& study, const VariedJob& job,
                                         const Sweep& sweep);

// `worst` is the record of sweep.worst.front(), where there is one.
std::string study_page(const Study& study, const VariedJob& job, const Sweep& sweep,
                       const std::filesystem::path& table, const std::optional<Record>& worst);

// Without the page's program: distributions, what matters, scatter; no script; well-formed as XML.
std::string plain_study_page(const Study& study, const VariedJob& job, const Sweep& sweep,
                             const std::filesystem::path& table);

}  // namespace tauflex

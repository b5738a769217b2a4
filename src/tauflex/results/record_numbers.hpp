// Single numbers of a record by their dotted keys in record.json, without writing all of it:
// verification.max_tool_error_m, solution.drives.upper.torque, solution.limits.0.margin.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/results/record.hpp"

namespace tauflex {

// The value of one of the keys of record.json: verdict, diagnosis, internal, solution, ringing,
// verification, rigid; null where the record has none.
nlohmann::ordered_json record_section(const Record& record, const std::string& section);

// One per key; nothing where there is null, no number, or no such key. true is 1, false is 0.
std::vector<std::optional<double>> record_numbers(const Record& record,
                                                  const std::vector<std::string>& keys);

// All keys of this record that are numbers or null.
std::vector<std::string> number_keys(const Record& record);

}  // namespace tauflex

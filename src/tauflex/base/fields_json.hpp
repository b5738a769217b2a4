// Options as JSON: their values, for records, and what they may be, for docs/job.schema.json.
#pragma once

#include "tauflex/base/fields.hpp"

namespace tauflex {

// An object with the values of all fields, as a job file would say them.
std::string values_json(std::span<const Field> fields);

// The JSON Schema (draft 7) of such an object; present values are the defaults.
std::string schema_json(std::span<const Field> fields);

}  // namespace tauflex

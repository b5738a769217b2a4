// Options as JSON: their values, for records, and what they may be, for docs/job.schema.json.
#pragma once

#include "tauflex/base/fields.hpp"

namespace tauflex {

// An object with the values of all fields, as a job file would say them.
std::string values_json(std::span<const Field> fields);

// The JSON Schema (draft 7) of such an object; present values are the defaults.
std::string schema_json(std::span<const Field> fields);

// A JSON text with the values at some places ("/definitions/method") replaced, in this order, or
// added; lines of up to 140 characters.
std::string replaced_json(const std::string& text,
                          std::span<const std::pair<std::string, std::string>> values);

}  // namespace tauflex

// docs/study.schema.json, with which editors check study files. Keys, ranges, defaults and
// descriptions are those that the reader goes by; only the shapes of what is read elsewhere, such
// as x0.8..x1.2, are written here.
#pragma once

#include <string>

namespace tauflex {

// JSON Schema, draft 7. A job that stands in the study is left to job.schema.json beside it.
std::string study_schema();

}  // namespace tauflex

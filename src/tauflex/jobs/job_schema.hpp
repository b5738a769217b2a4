// docs/job.schema.json, with which editors check job files. What it says about options comes from
// their fields; robot and task are written by hand.
#pragma once

#include <string>

namespace tauflex {

// The schema with its parts for method, verification, simulation and controller made anew.
std::string job_schema(const std::string& written);

}  // namespace tauflex

// The example job files and docs/job.schema.json, built into the program.
#pragma once

#include <map>
#include <string>

namespace tauflex {

const std::map<std::string, std::string>& embedded_examples();  // name -> text
const std::string& embedded_schema();

}  // namespace tauflex

// The example job files, built into the program.
#pragma once

#include <map>
#include <string>

namespace tauflex {

const std::map<std::string, std::string>& embedded_examples();  // name -> text

}  // namespace tauflex

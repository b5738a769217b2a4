// The script and the style of the report page, built from web/ and made part of the program; all
// empty where npm was not there when it was built.
#pragma once

#include <string>

namespace tauflex {

struct PageProgram {
  std::string script;
  // "sha256-...", as a content security policy names them
  std::string script_hash;
  std::string style, style_hash;
};
const PageProgram& page_program();

}  // namespace tauflex

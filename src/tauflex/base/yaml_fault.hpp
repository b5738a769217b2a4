// Why a text is not YAML, in words of somebody who types it, and in which line.
#pragma once

#include <string>

namespace tauflex {

struct YamlFault {
  // From 1 on.
  int line;
  std::string sentence;
};

// `line` and `words`: where a parser stopped and what it says. The cause often stands before: a
// bracket that is never closed, a tab.
YamlFault explain_yaml(const std::string& text, int line, const std::string& words);

}  // namespace tauflex

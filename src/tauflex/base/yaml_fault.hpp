// Why a text is not YAML, in words of somebody who types it, and in which line.
#pragma once

#include <optional>
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

// A quote that is never closed, or only far below: parsers take what follows as text, up to the end
// of the file.
std::optional<YamlFault> unnoticed_fault(const std::string& text);

}  // namespace tauflex

#include "tauflex/base/yaml_fault.hpp"

#include <fmt/format.h>

#include <cctype>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace tauflex {

namespace {

struct Opened {
  char bracket;
  int line;
};

char closing(char bracket) { return bracket == '[' ? ']' : '}'; }

// Reads brackets and quotes as YAML does, comments left out, up to a line.
class Brackets {
 public:
  // Faults of quotes alone are those that a parser does not notice.
  explicit Brackets(bool quotes_alone = false) : quotes_alone_(quotes_alone) {}

  // The bracket or quote that is at fault, if one is.
  std::optional<YamlFault> read(const std::string& text, int last_line) {
    for (size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '\n' && ++line_ > last_line && open_.empty() && !quote_) break;
      if (quote_) {
        read_quoted(text, i);
        if (!quote_ && swallows_key(text.substr(quote_begin_, i - quote_begin_)))
          return YamlFault{quote_line_,
                           fmt::format("the quote {} is opened here and closed in line {} only; "
                                       "what stands between is taken as text",
                                       text[quote_begin_], line_)};
      } else if (c == '#' && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\n')) {
        while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
      } else if ((c == '"' || c == '\'') && starts_value(text, i)) {
        quote_ = c;
        quote_line_ = line_;
        quote_begin_ = i;
      } else if ((c == '[' || c == '{') && (!open_.empty() || starts_value(text, i))) {
        open_.push_back({c, line_});
      } else if ((c == ']' || c == '}') && !open_.empty()) {
        if (closing(open_.back().bracket) != c && !quotes_alone_) return not_closed();
        open_.pop_back();
      }
    }
    if (quote_)
      return YamlFault{quote_line_, fmt::format("the quote {} is opened and never closed", quote_)};
    return open_.empty() || quotes_alone_ ? std::nullopt : std::optional(not_closed());
  }

 private:
  void read_quoted(const std::string& text, size_t& i) {
    if (quote_ == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote_) {
      const bool doubled = quote_ == '\'' && i + 1 < text.size() && text[i + 1] == '\'';
      if (doubled)
        ++i;
      else
        quote_ = 0;
    }
  }
  // Whether a later line of a quoted text is a key with its value, or an item of a list.
  static bool swallows_key(const std::string& quoted) {
    for (size_t at = quoted.find('\n'); at != std::string::npos; at = quoted.find('\n', at + 1)) {
      size_t i = quoted.find_first_not_of(" -", at + 1);
      if (i == std::string::npos) return false;
      const size_t word = i;
      while (i < quoted.size() &&
             (std::isalnum(static_cast<unsigned char>(quoted[i])) || quoted[i] == '_'))
        ++i;
      if (i > word && i < quoted.size() && quoted[i] == ':') return true;
    }
    return false;
  }
  // Whether a bracket or quote here begins a value: inside a word it is a letter like others.
  static bool starts_value(const std::string& text, size_t i) {
    while (i > 0 && text[i - 1] == ' ') --i;
    return i == 0 || std::string(":,-[{\n").find(text[i - 1]) != std::string::npos;
  }
  YamlFault not_closed() const {
    const Opened& last = open_.back();
    return {last.line, fmt::format("'{}' is opened here and not closed by '{}'", last.bracket,
                                   closing(last.bracket))};
  }

  std::vector<Opened> open_;
  char quote_ = 0;
  int line_ = 1, quote_line_ = 0;
  size_t quote_begin_ = 0;
  bool quotes_alone_;
};

// The first line up to `last` that is indented with a tab; 0: none.
int line_with_tab(const std::string& text, int last) {
  int line = 1;
  for (size_t i = 0; i < text.size() && line <= last; ++line) {
    while (i < text.size() && text[i] == ' ') ++i;
    if (i < text.size() && text[i] == '\t') return line;
    const size_t end = text.find('\n', i);
    i = end == std::string::npos ? text.size() : end + 1;
  }
  return 0;
}

}  // namespace

std::optional<YamlFault> unnoticed_fault(const std::string& text) {
  return Brackets(true).read(text, std::numeric_limits<int>::max());
}

YamlFault explain_yaml(const std::string& text, int line, const std::string& words) {
  if (const int tab = line_with_tab(text, line + 1); tab > 0)
    return {tab, "this line is indented with a tab; YAML wants spaces"};
  if (const auto fault = Brackets().read(text, line)) return *fault;
  static const std::pair<const char*, const char*> known[] = {
      {"illegal map value",
       "a second ':' stands behind a key; quote the value, or start a new line"},
      {"illegal block entry", "a '-' stands here where no list can begin; see how it is indented"},
      {"illegal map key", "a '?' stands here where no key can"},
      {"end of map not found", "this line is indented differently from the key it belongs to"},
      {"end of sequence not found",
       "this line is indented differently from the list it belongs to"},
      {"unknown escape character",
       "in double quotes \\ begins an escape; write \\\\ or single quotes"},
      {"the referenced anchor is not defined", "the anchor that '*' names is not defined before"},
  };
  for (const auto& [theirs, ours] : known)
    if (words.find(theirs) != std::string::npos) return {line, ours};
  return {line, "not valid YAML: " + words};
}

}  // namespace tauflex

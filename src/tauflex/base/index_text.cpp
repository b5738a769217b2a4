#include "tauflex/base/index_text.hpp"

#include "tauflex/base/text.hpp"

namespace tauflex {

namespace {

// i, i*a, i+b, i-b, i*a+b or i*a-b
std::optional<double> index_value(std::string term, int i) {
  std::erase(term, ' ');
  if (term.empty() || term[0] != 'i') return std::nullopt;
  double value = i;
  size_t at = 1;
  if (at < term.size() && term[at] == '*') {
    // the sign of a power of ten belongs to the factor
    size_t end = term.find_first_of("+-", at + 2);
    while (end != std::string::npos && (term[end - 1] == 'e' || term[end - 1] == 'E'))
      end = term.find_first_of("+-", end + 1);
    const auto factor = parse_number(term.substr(at + 1, end - at - 1));
    if (!factor) return std::nullopt;
    value *= *factor;
    at = end == std::string::npos ? term.size() : end;
  }
  if (at == term.size()) return value;
  if (term[at] != '+' && term[at] != '-') return std::nullopt;
  const auto more = parse_number(term.substr(at + 1));
  if (!more) return std::nullopt;
  return term[at] == '+' ? value + *more : value - *more;
}

}  // namespace

std::optional<std::string> with_index(const std::string& text, int i) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    if (text[at] != '$') {
      result += text[at++];
      continue;
    }
    const bool in_brackets = text.compare(at, 2, "$(") == 0;
    const size_t first = at + (in_brackets ? 2 : 1),
                 end = in_brackets ? text.find(')', first) : first + 1;
    if (end == std::string::npos || first >= text.size()) return std::nullopt;
    const auto value = index_value(text.substr(first, end - first), i);
    if (!value) return std::nullopt;
    result += shortest(*value);
    at = end + (in_brackets ? 1 : 0);
  }
  return result;
}

}  // namespace tauflex

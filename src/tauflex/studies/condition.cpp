#include "tauflex/studies/condition.hpp"

#include <fmt/format.h>

#include "tauflex/base/text.hpp"
#include "tauflex/studies/distribution.hpp"

namespace tauflex {

namespace {

Condition read_condition(const Node& node) {
  const std::string text = node.text();
  if (text == "limits")
    return {.key = "solution.least_margin", .below = false, .or_equal = true, .text = text};
  const auto sign = text.find_first_of("<>");
  const auto end = text.find_last_not_of(' ', sign == text.npos ? sign : sign - 1);
  if (sign == text.npos || sign == 0 || end == text.npos)
    node.fail(fmt::format(
        "expected a condition such as 'verification.max_tool_error_m < 1e-4', or limits; got '{}'",
        shown(text)));
  Condition condition{.key = text.substr(0, end + 1), .below = text[sign] == '<', .text = text};
  condition.or_equal = sign + 1 < text.size() && text[sign + 1] == '=';
  const StatedNumber bound =
      read_stated_number(text.substr(sign + (condition.or_equal ? 2 : 1)), node);
  if (bound.by != ChangeBy::value) node.fail("the bound of a condition is a plain number");
  condition.bound = bound.number;
  return condition;
}

}  // namespace

bool Condition::keeps(const std::optional<double>& value) const {
  if (!value) return false;
  if (or_equal && *value == bound) return true;
  return below ? *value < bound : *value > bound;
}

std::vector<Condition> read_conditions(const Node& node) {
  if (!node.is_list()) return {read_condition(node)};
  std::vector<Condition> conditions;
  for (int i = 0; i < node.size(); ++i) conditions.push_back(read_condition(node[i]));
  return conditions;
}

}  // namespace tauflex

#include "tauflex/studies/condition.hpp"

#include <fmt/format.h>

#include "tauflex/base/text.hpp"
#include "tauflex/base/units.hpp"

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
  const std::string bound = text.substr(sign + (condition.or_equal ? 2 : 1));
  const auto begin = bound.find_first_not_of(' ');
  const std::string number = begin == bound.npos ? "" : bound.substr(begin);
  if (const auto plain = parse_number(number))
    condition.bound = *plain;
  else if (const auto with_unit = parse_number_with_unit(number))
    condition.bound = with_unit->value;
  else
    node.fail(fmt::format("expected a number behind '{}', with or without a unit, got '{}'",
                          text[sign], shown(number)));
  return condition;
}

}  // namespace

bool Condition::keeps(const std::optional<double>& value) const {
  if (!value) return false;
  if (or_equal && *value == bound) return true;
  return below ? *value < bound : *value > bound;
}

bool is_worse_when_larger(const std::string& key, const std::vector<Condition>& conditions) {
  for (const Condition& condition : conditions)
    if (condition.key == key) return condition.below;
  return !key.ends_with("margin");
}

std::vector<Condition> read_conditions(const Node& node) {
  if (!node.is_list()) return {read_condition(node)};
  std::vector<Condition> conditions;
  for (int i = 0; i < node.size(); ++i) conditions.push_back(read_condition(node[i]));
  return conditions;
}

}  // namespace tauflex

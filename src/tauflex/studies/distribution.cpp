#include "tauflex/studies/distribution.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cmath>

#include "tauflex/base/read_fields.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/base/units.hpp"
#include "tauflex/studies/random_numbers.hpp"

namespace tauflex {

namespace {

namespace fs = std::filesystem;

const char* const distribution_forms =
    "expected a range such as x0.8..x1.2, or one of uniform: [from, to], normal: [mean, "
    "deviation], log_normal: [median, deviation of the logarithm], values: [..], files: "
    "'folder/*.csv'";

// Two numbers that change the job in the same way.
void read_pair(const StatedNumber& first, const StatedNumber& second, const Node& where,
               Distribution& result) {
  if (first.by != second.by)
    where.fail("both numbers must be factors (x0.9), both offsets (+0.1) or both plain values");
  result.by = first.by;
  result.a = first.number;
  result.b = second.number;
}

void require_order(const Node& node, const Distribution& range) {
  if (range.a > range.b)
    node.fail(fmt::format("the range goes from {:g} down to {:g}; give the smaller number first",
                          range.a, range.b));
  if (range.a == range.b)
    node.fail(fmt::format("both ends of the range are {:g}, so that nothing varies", range.a));
}

// The node as a list of two numbers.
std::pair<Node, Node> two_of(const Node& node) {
  if (!node.is_list() || node.size() != 2) node.fail("expected a list of 2 numbers");
  return {node[0], node[1]};
}

Distribution read_range_text(const Node& node) {
  const std::string text = node.text();
  const auto dots = text.find("..");
  if (dots == std::string::npos)
    node.fail(fmt::format("{}; got '{}'", distribution_forms, shown(text)));
  Distribution range;
  read_pair(read_stated_number(text.substr(0, dots), node),
            read_stated_number(text.substr(dots + 2), node), node, range);
  require_order(node, range);
  return range;
}

Distribution read_normal(const Node& node, Distribution::Kind kind) {
  const auto [middle, spread] = two_of(node);
  Distribution result{.kind = kind};
  StatedNumber m = read_stated_number(middle), s = read_stated_number(spread);
  if (kind == Distribution::Kind::log_normal) {
    if (s.by != ChangeBy::value)
      spread.fail("the standard deviation of a logarithm is a plain number, such as 0.1");
    if (m.by == ChangeBy::offset || m.number <= 0)
      middle.fail(fmt::format(
          "the median of a log-normal distribution is a factor or a value above 0, got {}",
          middle.text()));
    s.by = m.by;
  }
  read_pair(m, s, node, result);
  if (!(result.b > 0))
    spread.fail(fmt::format("a standard deviation must be greater than 0, got {}", spread.text()));
  return result;
}

Distribution read_values(const Node& node) {
  if (!node.is_list() || node.size() == 0) node.fail("expected a list of values, got none");
  Distribution result{.kind = Distribution::Kind::choice};
  for (int i = 0; i < node.size(); ++i) result.choices.push_back(node[i].copy());
  return result;
}

// Names as they would stand in the study file, in alphabetical order: the same list on every
// machine.
Distribution read_files(const Node& node) {
  const fs::path pattern(node.text());
  const fs::path folder = node.folder() / pattern.parent_path();
  std::error_code error;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, error))
    if (fnmatch(pattern.filename().c_str(), entry.path().filename().c_str(), FNM_PERIOD) == 0)
      names.push_back((pattern.parent_path() / entry.path().filename()).string());
  if (names.empty()) node.fail(fmt::format("no file matches '{}'", shown(pattern.string())));
  std::sort(names.begin(), names.end());
  Distribution result{.kind = Distribution::Kind::choice};
  for (const std::string& name : names) {
    std::string quoted = "'";
    for (const char c : name) quoted += c == '\'' ? "''" : std::string(1, c);
    result.choices.push_back(Node::read_text(quoted + "'", (node.folder() / "files").string()));
  }
  return result;
}

}  // namespace

StatedNumber read_stated_number(const std::string& given, const Node& where) {
  const auto begin = given.find_first_not_of(' '), end = given.find_last_not_of(' ');
  const std::string text = begin == given.npos ? "" : given.substr(begin, end - begin + 1);
  if (text.size() > 1 && (text[0] == 'x' || text[0] == '+'))
    if (const auto number = parse_number(std::string_view(text).substr(1)))
      return {text[0] == 'x' ? ChangeBy::factor : ChangeBy::offset, *number};
  if (const auto number = parse_number(text)) return {ChangeBy::value, *number};
  if (const auto number = parse_number_with_unit(text)) return {ChangeBy::value, number->value};
  where.fail(fmt::format(
      "expected a number, a factor such as x0.8 or an offset such as +2, got '{}'", shown(text)));
}

StatedNumber read_stated_number(const Node& node) { return read_stated_number(node.text(), node); }

double Distribution::quantile(double share) const {
  switch (kind) {
    case Kind::uniform:
      return a + share * (b - a);
    case Kind::normal:
      return a + b * normal_quantile(share);
    case Kind::log_normal:
      return a * std::exp(b * normal_quantile(share));
    case Kind::choice:
    case Kind::column:
      break;
  }
  return 0;
}

std::vector<Field> Distribution::fields() {
  using namespace describe;
  return {read_elsewhere("uniform", "from and to"),
          read_elsewhere("normal", "mean and standard deviation"),
          read_elsewhere("log_normal", "median, and standard deviation of the natural logarithm"),
          read_elsewhere("values", "one of these: anything that may stand in the job"),
          read_elsewhere("files", "the name of one of the files that match, as in paths/*.csv"),
          boolean("together", together, "one number for all places of a group")};
}

namespace {

Distribution read_form(const Node& node) {
  if (const auto range = node.find("uniform")) {
    const auto [from, to] = two_of(*range);
    Distribution result;
    read_pair(read_stated_number(from), read_stated_number(to), *range, result);
    require_order(*range, result);
    return result;
  }
  if (const auto normal = node.find("normal"))
    return read_normal(*normal, Distribution::Kind::normal);
  if (const auto log_normal = node.find("log_normal"))
    return read_normal(*log_normal, Distribution::Kind::log_normal);
  if (const auto values = node.find("values")) return read_values(*values);
  return read_files(node.at("files"));
}

}  // namespace

Distribution read_distribution(const Node& node) {
  if (node.is_text()) return read_range_text(node);
  Distribution form;
  read_fields(node, form.fields());
  if (node.size() - node.has("together") != 1) node.fail(distribution_forms);
  Distribution result = read_form(node);
  result.together = form.together;
  return result;
}

}  // namespace tauflex

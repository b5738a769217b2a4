#include "tauflex/base/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <optional>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/base/text_file.hpp"

namespace tauflex {

namespace {

constexpr size_t largest_table = 256;  // MiB
constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

// Removes and returns what stands before the separator; the last part ends with the text.
std::string_view next_part(std::string_view& text, char separator) {
  const auto end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::vector<std::string_view> cells(std::string_view line, char separator) {
  std::vector<std::string_view> parts(1 + std::count(line.begin(), line.end(), separator));
  for (auto& part : parts) part = trimmed(next_part(line, separator));
  return parts;
}

// 1,5 is a number where semicolons separate.
std::optional<double> cell_number(std::string_view cell, char separator) {
  if (separator == ',' || cell.find(',') == std::string_view::npos) return parse_number(cell);
  std::string text(cell);
  text[text.find(',')] = '.';
  return parse_number(text);
}

// Of the first of these that stands in the header.
char separator_of(std::string_view header) {
  for (const char one : {';', ',', '\t'})
    if (header.find(one) != std::string_view::npos) return one;
  return ',';
}

std::vector<std::string> read_header(std::string_view text, char separator,
                                     const std::string& where) {
  std::vector<std::string> names;
  const auto all = cells(text, separator);
  if (std::all_of(all.begin(), all.end(), [](auto cell) { return parse_number(cell); }))
    throw InputError(where + ": expected a header line with the names of the columns, got numbers");
  for (auto cell : all) {
    if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"')
      cell = cell.substr(1, cell.size() - 2);
    if (cell.empty())
      throw InputError(fmt::format("{}: the {} column has no name", where,
                                   ordinal(static_cast<int>(names.size()) + 1)));
    if (std::find(names.begin(), names.end(), cell) != names.end())
      throw InputError(fmt::format("{}: column '{}' stands here twice", where, cell));
    names.emplace_back(cell);
  }
  return names;
}

// Lines that are not comments, with their numbers.
struct Lines {
  std::vector<std::string_view> text;
  std::vector<int> number;
};

Lines lines_of(std::string_view rest) {
  Lines lines;
  for (int number = 1; !rest.empty(); ++number) {
    const std::string_view line = next_part(rest, '\n');
    if (trimmed(line).starts_with('#')) continue;
    lines.text.push_back(line);
    lines.number.push_back(number);
  }
  return lines;
}

}  // namespace

int Table::find(std::string_view name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

Table read_table(const std::filesystem::path& path) {
  const std::string file = path.string();
  const std::string text = read_text_file(path, largest_table);
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);  // spreadsheets mark UTF-8 this way
  rest = rest.substr(0, rest.find_last_not_of(" \t\r\n") + 1);
  const Lines lines = lines_of(rest);
  if (lines.text.empty())
    throw InputError(file + ": is empty; expected a header line with the names of the columns");

  const char separator = separator_of(lines.text[0]);
  Table table;
  table.columns =
      read_header(lines.text[0], separator, fmt::format("{}:{}", file, lines.number[0]));
  const Eigen::Index width = std::ssize(table.columns), rows = std::ssize(lines.text) - 1;
  table.values.resize(rows, width);
  table.lines.assign(lines.number.begin() + 1, lines.number.end());
  for (Eigen::Index row = 0; row < rows; ++row) {
    std::string_view line = lines.text[row + 1];
    const std::string where = fmt::format("{}:{}", file, table.lines[row]);
    if (const auto count = 1 + std::count(line.begin(), line.end(), separator); count != width)
      throw InputError(fmt::format("{}: expected {} cells, got {}", where, width,
                                   trimmed(line).empty() ? 0 : count));
    for (Eigen::Index column = 0; column < width; ++column) {
      const std::string_view cell = trimmed(next_part(line, separator));
      const auto number = cell_number(cell, separator);
      if (!number)
        throw InputError(fmt::format("{}: column '{}': expected a finite number, got '{:.40}'",
                                     where, table.columns[column], cell));
      table.values(row, column) = *number;
    }
  }
  return table;
}

std::string format_table(const Table& table) {
  assert(static_cast<Eigen::Index>(table.columns.size()) == table.values.cols());
  constexpr size_t longest_number = 25;  // -1.2345678901234567e-308 and its comma
  std::string text = join(table.columns, ",") + "\n";
  text.reserve(text.size() + longest_number * static_cast<size_t>(table.values.size()));
  for (Eigen::Index row = 0; row < table.values.rows(); ++row) {
    for (Eigen::Index column = 0; column < table.values.cols(); ++column) {
      text += shortest(table.values(row, column));
      text += ',';
    }
    text.back() = '\n';
  }
  return text;
}

}  // namespace tauflex

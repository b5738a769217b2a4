#include "tauflex/studies/study_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "tauflex/base/text.hpp"
#include "tauflex/base/text_file.hpp"

namespace tauflex {

namespace {

// As CSV wants it; in one line.
std::string csv_field(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\r', ' ');
  if (text.find_first_of(",\"") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string StudyColumns::header() const {
  std::string line = "run,status,exit_code";
  for (const auto* names : {&parameters, &kept})
    for (const std::string& name : *names) line += "," + csv_field(name);
  return line + ",message";
}

std::string StudyRow::text() const {
  std::string line = fmt::format("{},{},{}", run, status, static_cast<int>(code));
  for (const std::string& parameter : parameters) line += "," + csv_field(parameter);
  for (const std::optional<double>& number : kept) line += "," + (number ? shortest(*number) : "");
  return line + "," + csv_field(message);
}

std::vector<std::string> split_row(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

StudyRow read_row(const std::string& line, const StudyColumns& columns) {
  const std::vector<std::string> fields = split_row(line);
  const size_t varied = columns.parameters.size(), kept = columns.kept.size();
  const auto run = parse_number(fields[0]);
  const auto code = fields.size() > 2 ? parse_number(fields[2]) : std::nullopt;
  if (fields.size() != varied + kept + 4 || !run || !code)
    throw InputError(fmt::format("'{}' is not a row of this study", shown(line)));
  StudyRow row{.run = static_cast<long>(*run),
               .status = fields[1],
               .code = static_cast<ExitCode>(static_cast<int>(*code)),
               .parameters = {fields.begin() + 3, fields.begin() + 3 + static_cast<long>(varied)},
               .kept = {},
               .message = fields.back()};
  for (size_t i = 0; i < kept; ++i) row.kept.push_back(parse_number(fields[3 + varied + i]));
  return row;
}

void write_table(const Journal& journal, const StudyColumns& columns, long runs,
                 const std::filesystem::path& path) {
  constexpr long window = 100'000;  // rows in memory
  const bool written = write_whole_file(path, [&](std::ostream& file) {
    file << columns.header() << '\n';
    for (long begin = 0; begin < runs && file; begin += window) {
      std::vector<std::string> rows(std::min(window, runs - begin));
      journal.for_each([&](long run, const std::string& row) {
        if (run >= begin && run - begin < std::ssize(rows)) rows[run - begin] = row;
      });
      for (const std::string& row : rows) file << row << '\n';
    }
  });
  if (!written)
    throw InputError(fmt::format(
        "{}: cannot be written: no space left or no permission; all rows are kept in the journal, "
        "and tauflex sweep --resume goes on from there",
        path.string()));
}

void for_each_row(const std::filesystem::path& path, const StudyColumns& columns,
                  const std::function<void(const StudyRow&)>& visit) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) visit(read_row(line, columns));
}

}  // namespace tauflex

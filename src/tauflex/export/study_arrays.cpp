#include "tauflex/export/study_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/base/text_file.hpp"
#include "tauflex/export/numpy_archive.hpp"
#include "tauflex/export/put_number.hpp"

namespace tauflex {

namespace {

// Bytes of columns that are gathered while the table is read once.
constexpr std::uint64_t most_gathered = 64 << 20;

struct ArrayColumn {
  enum class Kind { run, status, exit_code, parameter, kept };
  std::string name;
  Kind kind = Kind::kept;
  // Among the parameters or the kept numbers.
  size_t index = 0;
  // Of the longest text; 0: numbers.
  size_t longest = 0;

  std::string type() const {
    if (longest > 0) return numpy_text_type(longest);
    return kind == Kind::run || kind == Kind::exit_code ? "<i8" : "<f8";
  }
  std::uint64_t item_size() const { return longest > 0 ? 4 * longest : 8; }

  // What a row has in this column.
  std::string text_of(const StudyRow& row) const {
    return kind == Kind::status ? row.status : row.parameters[index];
  }
  void put(const StudyRow& row, std::string& bytes) const {
    if (longest > 0) return put_text(text_of(row), longest, bytes);
    if (kind == Kind::run || kind == Kind::exit_code)
      return put_number<std::int64_t>(bytes,
                                      kind == Kind::run ? row.run : static_cast<int>(row.code));
    const auto number = kind == Kind::kept ? row.kept[index] : parse_number(text_of(row));
    put_number(bytes, number.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
};

// Which columns are texts, and how long, is known after all rows.
std::vector<ArrayColumn> array_columns(const std::filesystem::path& table,
                                       const StudyColumns& columns) {
  using enum ArrayColumn::Kind;
  std::vector<ArrayColumn> arrays = {{"run", run}, {"status", status}, {"exit_code", exit_code}};
  for (size_t i = 0; i < columns.parameters.size(); ++i)
    arrays.push_back({columns.parameters[i], parameter, i});
  for (size_t i = 0; i < columns.kept.size(); ++i) arrays.push_back({columns.kept[i], kept, i});
  std::vector<size_t> longest(arrays.size(), 1);
  for_each_row(table, columns, [&](const StudyRow& row) {
    for (size_t a = 0; a < arrays.size(); ++a) {
      if (arrays[a].kind != status && arrays[a].kind != parameter) continue;
      const std::string text = arrays[a].text_of(row);
      longest[a] = std::max(longest[a], text.size());  // bytes: at least as many as code points
      if (arrays[a].kind == status || (!text.empty() && !parse_number(text))) arrays[a].longest = 1;
    }
  });
  for (size_t a = 0; a < arrays.size(); ++a)
    if (arrays[a].longest > 0) arrays[a].longest = longest[a];
  return arrays;
}

// Some columns, from one reading of the table.
void write_arrays(const std::filesystem::path& table, const StudyColumns& columns, long runs,
                  std::span<const ArrayColumn> arrays, NumpyArchive& archive) {
  std::vector<std::string> bytes(arrays.size());
  for_each_row(table, columns, [&](const StudyRow& row) {
    for (size_t a = 0; a < arrays.size(); ++a) arrays[a].put(row, bytes[a]);
  });
  for (size_t a = 0; a < arrays.size(); ++a) {
    archive.begin(arrays[a].name, arrays[a].type(), static_cast<std::uint64_t>(runs),
                  arrays[a].item_size());
    archive.write(bytes[a]);
    archive.end();
  }
}

}  // namespace

void write_study_arrays(const std::filesystem::path& table, const StudyColumns& columns, long runs,
                        const std::filesystem::path& path) {
  const std::vector<ArrayColumn> arrays = array_columns(table, columns);
  const bool written = write_whole_file(path, [&](std::ostream& file) {
    NumpyArchive archive(file);
    for (size_t begin = 0, end = 0; begin < arrays.size(); begin = end) {
      std::uint64_t gathered = 0;
      while (
          end < arrays.size() &&
          (end == begin ||
           gathered + arrays[end].item_size() * static_cast<std::uint64_t>(runs) <= most_gathered))
        gathered += arrays[end++].item_size() * static_cast<std::uint64_t>(runs);
      write_arrays(table, columns, runs, std::span(arrays).subspan(begin, end - begin), archive);
    }
    archive.finish();
  });
  if (!written)
    throw InputError(path.string() + ": cannot be written: no permission or no space left");
}

}  // namespace tauflex

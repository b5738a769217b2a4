#include "tauflex/export/binary_tables.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <sstream>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/base/version.hpp"
#include "tauflex/export/numpy_archive.hpp"
#include "tauflex/export/put_number.hpp"

namespace tauflex {

namespace {

void put_numbers(std::string& bytes, const Vector& numbers) {
  bytes.append(reinterpret_cast<const char*>(numbers.data()), sizeof(double) * numbers.size());
}

void require_size(size_t bytes, size_t most, const char* format) {
  if (bytes > most)
    throw InputError(fmt::format("export: {:.3g} GB are more than {} files hold; take a lower rate",
                                 static_cast<double>(bytes) * 1e-9, format));
}

// MAT files consist of elements: a type, a length and data, padded to 8 bytes.
enum class MatType : std::uint32_t {
  int8 = 1,
  uint16 = 4,
  int32 = 5,
  uint32 = 6,
  doubles = 9,
  array = 14
};
enum class MatClass : std::uint32_t { cells = 1, text = 4, matrix = 6 };

std::string element(MatType type, const std::string& data) {
  require_size(data.size(), 0x7FFFFFF0u, "MAT");
  std::string bytes;
  put_number(bytes, static_cast<std::uint32_t>(type));
  put_number(bytes, static_cast<std::uint32_t>(data.size()));
  bytes += data;
  while (bytes.size() % 8 != 0) bytes += '\0';
  return bytes;
}

std::string mat_array(MatClass kind, const std::string& name, size_t rows, size_t columns,
                      const std::string& content) {
  std::string flags, size;
  put_number(flags, static_cast<std::uint32_t>(kind));
  put_number<std::uint32_t>(flags, 0);
  put_number(size, static_cast<std::int32_t>(rows));
  put_number(size, static_cast<std::int32_t>(columns));
  return element(MatType::array, element(MatType::uint32, flags) + element(MatType::int32, size) +
                                     element(MatType::int8, name) + content);
}

std::string mat_matrix(const std::string& name, const Matrix& values) {
  std::string data;
  put_numbers(data, Vector(values.reshaped()));
  return mat_array(MatClass::matrix, name, values.rows(), values.cols(),
                   element(MatType::doubles, data));
}

std::string mat_text(const std::string& value) {
  std::string data;
  const std::u32string points = code_points(value);
  for (const char32_t point : points)
    put_number(data, static_cast<std::uint16_t>(point < 0x10000 ? point : U'?'));
  return mat_array(MatClass::text, "", points.empty() ? 0 : 1, points.size(),
                   element(MatType::uint16, data));
}

std::string mat_cells(const std::string& name, const std::vector<std::string>& texts) {
  std::string content;
  for (const std::string& value : texts) content += mat_text(value);
  return mat_array(MatClass::cells, name, texts.size(), 1, content);
}

}  // namespace

std::string npz(const Table& table, const std::vector<std::string>& notes) {
  require_size(8 * static_cast<size_t>(table.values.size()), 0xF0000000u, "NPZ");
  std::ostringstream file;
  NumpyArchive archive(file);
  std::string bytes;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    bytes.clear();
    put_numbers(bytes, Vector(table.values.col(static_cast<Eigen::Index>(c))));
    archive.add(table.columns[c], "<f8", bytes);
  }
  size_t longest = 1;
  for (const std::string& note : notes) longest = std::max(longest, code_points(note).size());
  bytes.clear();
  for (const std::string& note : notes) put_text(note, longest, bytes);
  if (!notes.empty()) archive.add("notes", numpy_text_type(longest), bytes);
  archive.finish();
  return std::move(file).str();
}

std::string mat(const Table& table, const std::vector<std::string>& notes) {
  std::string file = fmt::format("MATLAB 5.0 MAT-file, written by tauflex {}", version());
  file.resize(124, ' ');
  put_number<std::uint16_t>(file, 0x0100);
  file += "IM";
  std::vector<std::string> done;
  for (int c = 0; c < std::ssize(table.columns); ++c) {
    const std::string& column = table.columns[c];
    const size_t dot = column.find('.');
    if (dot == std::string::npos) {
      file += mat_matrix(column, table.values.col(c));
      continue;
    }
    const std::string kind = column.substr(0, dot + 1), group = column.substr(0, dot);
    if (index_of(kind, done) >= 0) continue;
    done.push_back(kind);
    std::vector<int> columns;
    std::vector<std::string> names;
    for (int k = c; k < std::ssize(table.columns); ++k) {
      if (!table.columns[k].starts_with(kind)) continue;
      columns.push_back(k);
      names.push_back(table.columns[k].substr(dot + 1));
    }
    file += mat_matrix(group, table.values(Eigen::all, columns));
    file += mat_cells(group + "_names", names);
  }
  if (!notes.empty()) file += mat_cells("notes", notes);
  return file;
}

}  // namespace tauflex

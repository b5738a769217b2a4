#include "tauflex/export/binary_tables.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/base/version.hpp"

namespace tauflex {

namespace {

static_assert(std::endian::native == std::endian::little, "both formats are written as they lie");

template <class Number>
void put(std::string& bytes, Number number) {
  char raw[sizeof number];
  std::memcpy(raw, &number, sizeof number);
  bytes.append(raw, sizeof number);
}

void put(std::string& bytes, const Vector& numbers) {
  bytes.append(reinterpret_cast<const char*>(numbers.data()), sizeof(double) * numbers.size());
}

void require_size(size_t bytes, size_t most, const char* format) {
  if (bytes > most)
    throw InputError(fmt::format("export: {:.3g} GB are more than {} files hold; take a lower rate",
                                 static_cast<double>(bytes) * 1e-9, format));
}

// Code points of UTF-8; a byte that is none stands for itself.
std::u32string code_points(const std::string& text) {
  std::u32string points;
  for (size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const size_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    char32_t point = length == 1 ? first : first & (0xFF >> (length + 1));
    size_t k = 1;
    for (; k < length && i + k < text.size(); ++k)
      point = (point << 6) | (static_cast<unsigned char>(text[i + k]) & 0x3F);
    points += point;
    i += k;
  }
  return points;
}

std::uint32_t crc32(const std::string& bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> made{};
    for (std::uint32_t i = 0; i < made.size(); ++i) {
      std::uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = (c & 1) ? 0xEDB88320u ^ (c >> 1) : c >> 1;
      made[i] = c;
    }
    return made;
  }();
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const char byte : bytes)
    crc = table[(crc ^ static_cast<unsigned char>(byte)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

// A zip file of files that are stored as they are.
class Zip {
 public:
  void add(const std::string& name, const std::string& content) {
    require_size(bytes_.size() + content.size(), 0xF0000000u, "NPZ");
    std::string entry;
    put<std::uint16_t>(entry, 20);     // version that can read it
    put<std::uint16_t>(entry, 0x800);  // names are UTF-8
    put<std::uint16_t>(entry, 0);      // stored
    put<std::uint16_t>(entry, 0);      // time
    put<std::uint16_t>(entry, 0x21);   // 1 January 1980: the same result is the same file
    put(entry, crc32(content));
    put(entry, static_cast<std::uint32_t>(content.size()));
    put(entry, static_cast<std::uint32_t>(content.size()));
    put(entry, static_cast<std::uint16_t>(name.size()));
    put<std::uint16_t>(entry, 0);  // nothing extra
    const auto at = static_cast<std::uint32_t>(bytes_.size());
    bytes_ += "PK\x03\x04" + entry + name + content;
    directory_ += "PK\x01\x02";
    put<std::uint16_t>(directory_, 20);
    directory_ += entry;
    directory_.append(10, '\0');  // no comment, first disk, no attributes
    put(directory_, at);
    directory_ += name;
    ++count_;
  }

  std::string file() const {
    std::string end = "PK\x05\x06";
    end.append(4, '\0');
    put(end, count_);
    put(end, count_);
    put(end, static_cast<std::uint32_t>(directory_.size()));
    put(end, static_cast<std::uint32_t>(bytes_.size()));
    put<std::uint16_t>(end, 0);
    return bytes_ + directory_ + end;
  }

 private:
  std::string bytes_, directory_;
  std::uint16_t count_ = 0;
};

// The header of an array of one dimension, padded so that the numbers stand at a multiple of 64.
std::string npy_header(const std::string& type, Eigen::Index length) {
  std::string dict =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", type, length);
  while ((dict.size() + 11) % 64 != 0) dict += ' ';
  dict += '\n';
  std::string header = "\x93NUMPY\x01";
  header += '\0';
  put(header, static_cast<std::uint16_t>(dict.size()));
  return header + dict;
}

std::string npy(const Vector& numbers) {
  std::string bytes = npy_header("<f8", numbers.size());
  put(bytes, numbers);
  return bytes;
}

std::string npy(const std::vector<std::string>& texts) {
  size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, code_points(text).size());
  std::string bytes = npy_header(fmt::format("<U{}", longest), std::ssize(texts));
  for (const std::string& text : texts) {
    std::u32string points = code_points(text);
    points.resize(longest, U'\0');
    for (const char32_t point : points) put(bytes, static_cast<std::uint32_t>(point));
  }
  return bytes;
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
  put(bytes, static_cast<std::uint32_t>(type));
  put(bytes, static_cast<std::uint32_t>(data.size()));
  bytes += data;
  while (bytes.size() % 8 != 0) bytes += '\0';
  return bytes;
}

std::string mat_array(MatClass kind, const std::string& name, size_t rows, size_t columns,
                      const std::string& content) {
  std::string flags, size;
  put(flags, static_cast<std::uint32_t>(kind));
  put<std::uint32_t>(flags, 0);
  put(size, static_cast<std::int32_t>(rows));
  put(size, static_cast<std::int32_t>(columns));
  return element(MatType::array, element(MatType::uint32, flags) + element(MatType::int32, size) +
                                     element(MatType::int8, name) + content);
}

std::string mat_matrix(const std::string& name, const Matrix& values) {
  std::string data;
  put(data, Vector(values.reshaped()));
  return mat_array(MatClass::matrix, name, values.rows(), values.cols(),
                   element(MatType::doubles, data));
}

std::string mat_text(const std::string& value) {
  std::string data;
  const std::u32string points = code_points(value);
  for (const char32_t point : points)
    put(data, static_cast<std::uint16_t>(point < 0x10000 ? point : U'?'));
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
  Zip zip;
  for (size_t c = 0; c < table.columns.size(); ++c)
    zip.add(table.columns[c] + ".npy", npy(table.values.col(static_cast<Eigen::Index>(c))));
  if (!notes.empty()) zip.add("notes.npy", npy(notes));
  return zip.file();
}

std::string mat(const Table& table, const std::vector<std::string>& notes) {
  std::string file = fmt::format("MATLAB 5.0 MAT-file, written by tauflex {}", version());
  file.resize(124, ' ');
  put<std::uint16_t>(file, 0x0100);
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

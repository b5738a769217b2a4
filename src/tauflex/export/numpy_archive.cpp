#include "tauflex/export/numpy_archive.hpp"

#include <fmt/format.h>

#include <charconv>

#include "tauflex/export/put_number.hpp"

namespace tauflex {

namespace {

// The header of an array of one dimension, padded so that the numbers stand at a multiple of 64.
std::string npy_header(const std::string& type, std::uint64_t length) {
  std::string dict =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", type, length);
  while ((dict.size() + 11) % 64 != 0) dict += ' ';
  dict += '\n';
  std::string header = "\x93NUMPY\x01";
  header += '\0';
  put_number(header, static_cast<std::uint16_t>(dict.size()));
  return header + dict;
}

}  // namespace

void NumpyArchive::begin(const std::string& name, const std::string& type, std::uint64_t length,
                         std::uint64_t item_size) {
  const std::string header = npy_header(type, length);
  zip_.begin(name + ".npy", header.size() + length * item_size);
  zip_.write(header);
}

void NumpyArchive::add(const std::string& name, const std::string& type, std::string_view bytes) {
  std::uint64_t item_size = 1;
  std::from_chars(type.data() + 2, type.data() + type.size(), item_size);
  if (type[1] == 'U') item_size *= 4;
  begin(name, type, bytes.size() / item_size, item_size);
  write(bytes);
  end();
}

std::string numpy_text_type(size_t points) { return fmt::format("<U{}", points); }

void put_text(const std::string& text, size_t points, std::string& bytes) {
  std::u32string all = code_points(text);
  all.resize(points, U'\0');
  for (const char32_t point : all) put_number(bytes, static_cast<std::uint32_t>(point));
}

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

}  // namespace tauflex

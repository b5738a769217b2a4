// A NumPy archive (.npz): a zip file of one-dimensional arrays, written piece by piece. The same
// arrays give the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tauflex/export/zip_file.hpp"

namespace tauflex {

class NumpyArchive {
 public:
  explicit NumpyArchive(std::ostream& file) : zip_(file, "NPZ") {}

  // An array of so many items of a NumPy type such as "<f8": its bytes follow by write(), then
  // end(). Throws InputError above 4 GB.
  void begin(const std::string& name, const std::string& type, std::uint64_t length,
             std::uint64_t item_size);
  void write(std::string_view bytes) { zip_.write(bytes); }
  void end() { zip_.end(); }
  // The same at once; items are of the size that the type says.
  void add(const std::string& name, const std::string& type, std::string_view bytes);
  // The list of all arrays, behind the last.
  void finish() { zip_.finish(); }

 private:
  ZipFile zip_;
};

// Texts of NumPy have a fixed number of code points of four bytes each: "<U12".
std::string numpy_text_type(size_t code_points);
void put_text(const std::string& text, size_t code_points, std::string& bytes);

// Code points of UTF-8; a byte that is none stands for itself.
std::u32string code_points(const std::string& text);

}  // namespace tauflex

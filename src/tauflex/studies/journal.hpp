// Rows of a study as they come: an append-only file with one checksummed line per finished run, in
// any order. What was written stays when the program is killed; a line that was cut off, or
// damaged, is not taken for a row, and its run is made again.
//   tauflex journal 1 <checksum of the study>
//   <checksum of the row> <row>
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tauflex {

class Journal {
 public:
  // Opens or makes the file, for this program alone. Throws InputError where another program
  // writes it, and where it is of another study.
  Journal(std::filesystem::path path, const std::string& study);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // A row is text in one line that begins with the number of its run. Throws InputError when it
  // cannot be written: all rows before stay.
  void append(const std::string& row);
  // Every whole row, in the order of the file.
  void for_each(const std::function<void(long run, const std::string& row)>& visit) const;
  // Which of so many runs have a row.
  std::vector<bool> finished(long runs) const;

 private:
  // Bytes of whole lines so far.
  std::uintmax_t whole_lines() const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uintmax_t size_ = 0;
};

}  // namespace tauflex

// A zip file of files that are stored as they are, written piece by piece to a stream that can go
// back. The same content is the same bytes.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace tauflex {

class ZipFile {
 public:
  // `kind`: of file, for a message.
  ZipFile(std::ostream& file, std::string kind) : file_(file), kind_(std::move(kind)) {}

  // A file of so many bytes, which follow by write(), then end(). Throws InputError above 4 GB.
  void begin(const std::string& name, std::uint64_t size);
  void write(std::string_view bytes);
  void end();
  // The same at once.
  void add(const std::string& name, std::string_view content);
  // The list of all files, behind the last.
  void finish();

 private:
  std::ostream& file_;
  std::string kind_;
  // Of all files so far.
  std::string directory_;
  std::uint16_t count_ = 0;
  std::uint64_t at_ = 0;
  // Of the file that is written.
  std::string name_;
  std::uint64_t entry_at_ = 0;
  std::uint32_t size_ = 0, checksum_ = 0;
};

}  // namespace tauflex

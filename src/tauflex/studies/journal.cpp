#include "tauflex/studies/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

#include "tauflex/base/checksum.hpp"
#include "tauflex/base/errors.hpp"

namespace tauflex {

namespace {

[[noreturn]] void fail_journal(const std::filesystem::path& path, const std::string& why) {
  throw InputError(fmt::format("{}: {}", path.string(), why));
}

std::string header_of(const std::string& study) {
  return fmt::format("tauflex journal 1 {:08x}\n", checksum(study));
}

// The run that a whole line is of, -1 for any other line.
long run_of(const std::string& line) {
  constexpr size_t sum_length = 8;
  std::uint32_t sum = 0;
  if (line.size() < sum_length + 2 || line[sum_length] != ' ') return -1;
  const auto read = std::from_chars(line.data(), line.data() + sum_length, sum, 16);
  if (read.ec != std::errc() || read.ptr != line.data() + sum_length) return -1;
  const std::string_view row = std::string_view(line).substr(sum_length + 1);
  long run = -1;
  const auto number = std::from_chars(row.data(), row.data() + row.size(), run);
  return number.ec == std::errc() && checksum(row) == sum ? run : -1;
}

// All of it, as far as the system takes it in several pieces.
bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

}  // namespace

Journal::Journal(std::filesystem::path path, const std::string& study) : path_(std::move(path)) {
  descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail_journal(path_, std::string("cannot be written: ") + strerror(errno));
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(descriptor_);
    fail_journal(path_, "another run of tauflex is working on this study");
  }
  const std::string header = header_of(study);
  size_ = whole_lines();
  // What was cut off goes, so that the next row starts a line of its own.
  bool usable = ftruncate(descriptor_, static_cast<off_t>(size_)) == 0;
  if (size_ == 0) {
    usable = usable && write_all(descriptor_, header);
    size_ = header.size();
  } else {
    std::ifstream file(path_, std::ios::binary);
    std::string first;
    std::getline(file, first);
    if (first + "\n" != header) {
      close(descriptor_);
      fail_journal(path_, "holds the rows of another study");
    }
  }
  if (!usable) {
    const std::string why = strerror(errno);
    close(descriptor_);
    fail_journal(path_, "cannot be written: " + why);
  }
}

Journal::~Journal() { close(descriptor_); }

std::uintmax_t Journal::whole_lines() const {
  std::ifstream file(path_, std::ios::binary);
  std::uintmax_t at = 0, whole = 0;
  std::array<char, 1 << 16> part{};
  while (file.read(part.data(), part.size()) || file.gcount() > 0) {
    const std::string_view text(part.data(), static_cast<size_t>(file.gcount()));
    if (const auto end = text.rfind('\n'); end != text.npos) whole = at + end + 1;
    at += text.size();
  }
  return whole;
}

void Journal::append(const std::string& row) {
  const std::string line = fmt::format("{:08x} {}\n", checksum(row), row);
  if (!write_all(descriptor_, line)) {
    const std::string why = strerror(errno);
    if (ftruncate(descriptor_, static_cast<off_t>(size_)) !=
        0) {  // else the next start cuts it off
    }
    fail_journal(path_, fmt::format("cannot be written: {}; all complete rows are kept, and "
                                    "tauflex sweep --resume goes on from there",
                                    why));
  }
  size_ += line.size();
}

void Journal::for_each(const std::function<void(long, const std::string&)>& visit) const {
  std::ifstream file(path_, std::ios::binary);
  std::string line;
  std::getline(file, line);  // the header
  while (std::getline(file, line))
    if (const long run = run_of(line); run >= 0) visit(run, line.substr(9));
}

std::vector<bool> Journal::finished(long runs) const {
  std::vector<bool> is_finished(runs);
  for_each([&](long run, const std::string&) {
    if (run < runs) is_finished[run] = true;
  });
  return is_finished;
}

}  // namespace tauflex

#include "tauflex/export/zip_file.hpp"

#include <fmt/format.h>

#include <ostream>

#include "tauflex/base/checksum.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/export/put_number.hpp"

namespace tauflex {

namespace {

// What a zip file says of an entry, both in front of it and in its list.
std::string zip_entry(const std::string& name, std::uint32_t sum, std::uint32_t size) {
  std::string entry;
  put_number<std::uint16_t>(entry, 20);     // version that can read it
  put_number<std::uint16_t>(entry, 0x800);  // names are UTF-8
  put_number<std::uint16_t>(entry, 0);      // stored
  put_number<std::uint16_t>(entry, 0);      // time
  put_number<std::uint16_t>(entry, 0x21);   // 1 January 1980: the same result is the same file
  put_number(entry, sum);
  put_number(entry, size);
  put_number(entry, size);
  put_number(entry, static_cast<std::uint16_t>(name.size()));
  put_number<std::uint16_t>(entry, 0);  // nothing extra
  return entry;
}

}  // namespace

void ZipFile::begin(const std::string& name, std::uint64_t size) {
  if (at_ + size > 0xF0000000u)
    throw InputError(fmt::format("{:.3g} GB are more than {} files hold",
                                 static_cast<double>(at_ + size) * 1e-9, kind_));
  name_ = name;
  entry_at_ = at_;
  size_ = static_cast<std::uint32_t>(size);
  checksum_ = 0;
  const std::string front = "PK\x03\x04" + zip_entry(name_, 0, size_) + name_;
  file_ << front;
  at_ += front.size();
}

void ZipFile::write(std::string_view bytes) {
  checksum_ = checksum(bytes, checksum_);
  file_ << bytes;
  at_ += bytes.size();
}

void ZipFile::end() {
  // the checksum is known now
  const std::string entry = zip_entry(name_, checksum_, size_);
  file_.seekp(static_cast<std::streamoff>(entry_at_ + 4));
  file_ << entry;
  file_.seekp(static_cast<std::streamoff>(at_));
  directory_ += "PK\x01\x02";
  put_number<std::uint16_t>(directory_, 20);
  directory_ += entry;
  directory_.append(10, '\0');  // no comment, first disk, no attributes
  put_number(directory_, static_cast<std::uint32_t>(entry_at_));
  directory_ += name_;
  ++count_;
}

void ZipFile::add(const std::string& name, std::string_view content) {
  begin(name, content.size());
  write(content);
  end();
}

void ZipFile::finish() {
  std::string last = "PK\x05\x06";
  last.append(4, '\0');
  put_number(last, count_);
  put_number(last, count_);
  put_number(last, static_cast<std::uint32_t>(directory_.size()));
  put_number(last, static_cast<std::uint32_t>(at_));
  put_number<std::uint16_t>(last, 0);
  file_ << directory_ << last;
}

}  // namespace tauflex

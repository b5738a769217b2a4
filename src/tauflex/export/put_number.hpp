// Numbers as bytes, as files of NumPy and MATLAB have them.
#pragma once

#include <bit>
#include <cstring>
#include <string>

namespace tauflex {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie");

template <class Number>
void put_number(std::string& bytes, Number number) {
  char raw[sizeof number];
  std::memcpy(raw, &number, sizeof number);
  bytes.append(raw, sizeof number);
}

}  // namespace tauflex

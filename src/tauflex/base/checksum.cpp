#include "tauflex/base/checksum.hpp"

#include <array>

namespace tauflex {

std::uint32_t checksum(std::string_view bytes, std::uint32_t before) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> made{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      made[i] = i;
      for (int k = 0; k < 8; ++k) made[i] = (made[i] >> 1) ^ (made[i] & 1 ? 0xEDB88320u : 0u);
    }
    return made;
  }();
  std::uint32_t sum = ~before;
  for (const char c : bytes) sum = (sum >> 8) ^ table[(sum ^ static_cast<unsigned char>(c)) & 0xFF];
  return ~sum;
}

}  // namespace tauflex

// CRC-32 as in zip files: whether bytes are still those that were written.
#pragma once

#include <cstdint>
#include <string_view>

namespace tauflex {

// `before` is the checksum of what stands in front of these bytes.
std::uint32_t checksum(std::string_view bytes, std::uint32_t before = 0);

}  // namespace tauflex

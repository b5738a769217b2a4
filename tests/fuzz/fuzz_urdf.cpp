// URDF files.
#include "fuzz_target.hpp"
#include "tauflex/model/urdf_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  return tauflex::fuzz([&] { tauflex::read_urdf(tauflex::MemoryFile(data, size).path()); });
}

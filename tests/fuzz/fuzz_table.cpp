// Tables: what is read is written and read again, bit for bit.
#include "fuzz_target.hpp"
#include "tauflex/base/table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  return tauflex::fuzz([&] {
    const tauflex::Table table = tauflex::read_table(tauflex::MemoryFile(data, size).path());
    const std::string text = tauflex::format_table(table);
    const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
    const tauflex::Table again =
        tauflex::read_table(tauflex::MemoryFile(bytes, text.size()).path());
    if (again.columns != table.columns || again.values.rows() != table.values.rows())
      __builtin_trap();
  });
}

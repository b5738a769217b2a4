// Tables of numbers in CSV files: a header line with the names of the columns, then one row per
// line. Numbers are read and written without any locale; finite ones come back bit for bit.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

struct Table {
  std::vector<std::string> columns;
  // One row per line, one column per name.
  Matrix values;

  // Column of this name, -1 when there is none.
  int find(std::string_view name) const;
};

// Comma separated, up to 256 MiB. Row i stands in line i + 2. Throws InputError.
Table read_table(const std::filesystem::path& path);

std::string format_table(const Table& table);

}  // namespace tauflex

// Tables of numbers in CSV files: a header line with the names of the columns, then one row per
// line; lines that begin with # are comments. Numbers are read and written without any locale;
// finite ones come back bit for bit.
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
  // Of a file, in which each row stands; else empty.
  std::vector<int> lines = {};

  // Column of this name, -1 when there is none.
  int find(std::string_view name) const;
};

// Separated by commas, or by semicolons as spreadsheets do where the comma is the decimal sign,
// which it may then be. Up to 256 MiB. Throws InputError.
Table read_table(const std::filesystem::path& path);

std::string format_table(const Table& table);

}  // namespace tauflex

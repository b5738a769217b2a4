// Tables as NumPy and MATLAB read them, without their libraries.
#pragma once

#include <string>
#include <vector>

#include "tauflex/base/table.hpp"

namespace tauflex {

// A NumPy archive (.npz): a zip file, not compressed, with one array of doubles per column, under
// its name; and `notes` as an array of texts where there are some. Throws InputError above 4 GB.
std::string npz(const Table& table, const std::vector<std::string>& notes = {});

// A MAT file of version 5, which MATLAB, Octave and SciPy read. Columns q.<name> become the matrix
// q, one row per time, and the cells q_names; columns without a dot become vectors. Throws
// InputError above 2 GB.
std::string mat(const Table& table, const std::vector<std::string>& notes = {});

}  // namespace tauflex

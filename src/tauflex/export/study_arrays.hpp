// The table of a study for NumPy, table.npz: one array per column of table.csv but the messages.
// Numbers that a run does not have are nan; `status`, and parameters that are no numbers, are
// texts.
#pragma once

#include <filesystem>

#include "tauflex/studies/study_table.hpp"

namespace tauflex {

// Reads the table in bounded memory and writes the archive, all or nothing. Throws InputError where
// it cannot be written, and above 4 GB.
void write_study_arrays(const std::filesystem::path& table, const StudyColumns& columns, long runs,
                        const std::filesystem::path& path);

}  // namespace tauflex

// The files of one result, all or nothing: a folder holds the files of one run, never of two.
//
// One of the files, record.json, simulation.json or modes.json, lists all of them under `files`.
// The files of the result before, which its list names, are replaced or removed together; whatever
// else lies in the folder is never touched, so that a result may be written to any folder. Two
// programs that write to one folder do so one after the other.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tauflex {

// Writes all files (name -> content) or none; an earlier result stays when something goes wrong.
// Throws InputError when the folder cannot be written, or when a file of one of these names lies
// there that no result lists.
void write_files(const std::filesystem::path& folder,
                 const std::map<std::string, std::string>& files);

// Before a long computation: throws as write_files would for files of these names, and where one
// of the `inputs` is a file of the result that would be replaced.
void require_free_names(const std::filesystem::path& folder, std::span<const std::string> names,
                        std::span<const std::string> inputs = {});

}  // namespace tauflex

// The files of one result, all or nothing: a folder holds the files of one run, never of two.
//
// One of the files, record.json, simulation.json or modes.json, lists all of them under `files`.
// The files of the result before, which its list names, are replaced or removed together; whatever
// else lies in the folder is never touched, so that a result may be written to any folder. Two
// programs that write to one folder do so one after the other.
//
// Files that are made of a result, such as exports, are named by its list under `derived` where
// they lie in its folder, and go with it. In other folders the list `exported.json` names them.
#pragma once

#include <concepts>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tauflex/base/table.hpp"

namespace tauflex {

// A text, or a table, which is made when it is written and of which only some rows at a time become
// text: as a text it is three times as large, and tables of a long run would be most of its memory.
class FileContent {
 public:
  FileContent() = default;
  FileContent(std::string text) : content_(std::move(text)) {}
  FileContent(const char* text) : content_(std::string(text)) {}
  template <std::invocable MakeTable>
  FileContent(MakeTable table) : content_(std::function<Table()>(std::move(table))) {}

  void write(std::ostream& out) const;
  // Of a text.
  const std::string& text() const { return std::get<std::string>(content_); }

 private:
  std::variant<std::string, std::function<Table()>> content_;
};
// By name.
using ResultFiles = std::map<std::string, FileContent>;

// Writes all files or none; an earlier result stays when something goes wrong.
// Throws InputError when the folder cannot be written, or when a file of one of these names lies
// there that no result lists.
void write_files(const std::filesystem::path& folder, const ResultFiles& files);

// Files made of the result in the folder `result`, all or none. Files of these names are replaced
// where the list says that they were made in the same way; throws InputError for any others.
void write_derived(const std::filesystem::path& result, const std::filesystem::path& folder,
                   const std::map<std::string, std::string>& files);

// Before a long computation: throws as write_files would for files of these names, and where one
// of the `inputs` is a file of the result that would be replaced.
void require_free_names(const std::filesystem::path& folder, std::span<const std::string> names,
                        std::span<const std::string> inputs = {});

}  // namespace tauflex

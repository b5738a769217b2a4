// Names that job files, tables and the command line can hold. A dot, a comma, a space and other
// signs have a meaning there, so in names of other files they become '_'.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace tauflex {

// What each of the names, all different, is called: letters, digits, '_', '-', '+', '/' and all
// that is not ASCII stay, everything else becomes '_'. Names that can be typed stay as they are;
// where two would be the same, or one is `taken`, a number is added: "left_arm_2".
std::map<std::string, std::string> typed_names(std::span<const std::string> names,
                                               std::set<std::string> taken);

// Whether a name can be a part of the names of columns: dots separate these parts, and a table with
// any other of these signs in its header could not be read back.
bool is_column_word(std::string_view name);
constexpr const char* column_word_rule =
    "a word without dots, commas, semicolons, double quotes, spaces, tabs and line ends";
// For messages: with a '?' for each tab, line end and other control character.
std::string in_one_line(std::string name);

}  // namespace tauflex

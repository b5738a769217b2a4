// What tests look for in pages and pictures.
#pragma once

#include <string>

namespace tauflex {

// The first fault of a text as XML, or nothing: tags balance, attributes are quoted and unique,
// "<" and "&" stand for themselves only as markup. Knows no comments and no CDATA: a page has none.
std::string xml_fault(const std::string& text);
// Without the data of paths, which are checked: they are slow for std::regex.
std::string without_paths(std::string html);
void expect_well_formed(const std::string& html);
size_t count(const std::string& text, const std::string& word);
bool contains(const std::string& text, const std::string& word);

}  // namespace tauflex

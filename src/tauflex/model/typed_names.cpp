#include "tauflex/model/typed_names.hpp"

#include <algorithm>
#include <string_view>

namespace tauflex {

namespace {

bool can_be_typed(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c >= 0x80 ||
         std::string_view("_-+/").find(static_cast<char>(c)) != std::string_view::npos;
}

bool is_control(unsigned char c) { return c < 0x20 || c == 0x7f; }

}  // namespace

bool is_column_word(std::string_view name) {
  return !name.empty() && name.find_first_of(".,;\" ") == std::string_view::npos &&
         std::none_of(name.begin(), name.end(), is_control);
}

std::string in_one_line(std::string name) {
  std::replace_if(name.begin(), name.end(), is_control, '?');
  return name;
}

std::map<std::string, std::string> typed_names(std::span<const std::string> names,
                                               std::set<std::string> taken) {
  std::map<std::string, std::string> typed;
  for (const std::string& name : names)
    if (std::all_of(name.begin(), name.end(), can_be_typed) && taken.insert(name).second)
      typed[name] = name;
  std::map<std::string, int> last;  // number that was added
  for (const std::string& name : names) {
    if (typed.contains(name)) continue;
    std::string begin = name;
    std::replace_if(
        begin.begin(), begin.end(), [](char c) { return !can_be_typed(c); }, '_');
    std::string whole = begin;
    for (int& number = last.emplace(begin, 1).first->second; !taken.insert(whole).second;)
      whole = begin + "_" + std::to_string(++number);
    typed[name] = whole;
  }
  return typed;
}

}  // namespace tauflex

#include "tauflex/results/record_numbers.hpp"

#include <map>
#include <nlohmann/json.hpp>

namespace tauflex {

namespace {

using Section = nlohmann::ordered_json;

void add_number_keys(const Section& json, const std::string& key, std::vector<std::string>& keys) {
  if (json.is_number() || json.is_boolean() || json.is_null()) keys.push_back(key);
  if (json.is_object())
    for (const auto& [inner, value] : json.items()) add_number_keys(value, key + "." + inner, keys);
  if (json.is_array())
    for (size_t i = 0; i < json.size(); ++i)
      add_number_keys(json[i], key + "." + std::to_string(i), keys);
}

// The value at a dotted path. Names with dots in them are taken whole.
const Section* value_at(const Section& json, const std::string& path) {
  if (path.empty()) return &json;
  if (json.is_array()) {
    const auto dot = path.find('.');
    const std::string digits = path.substr(0, dot);
    if (digits.find_first_not_of("0123456789") != digits.npos || digits.size() > 6) return nullptr;
    const size_t index = std::stoul(digits);
    if (index >= json.size()) return nullptr;
    return value_at(json[index], dot == path.npos ? "" : path.substr(dot + 1));
  }
  if (!json.is_object()) return nullptr;
  for (const auto& [key, value] : json.items())
    if (path == key || path.starts_with(key + "."))
      if (const Section* found = value_at(value, path == key ? "" : path.substr(key.size() + 1)))
        return found;
  return nullptr;
}

}  // namespace

std::vector<std::optional<double>> record_numbers(const Record& record,
                                                  const std::vector<std::string>& keys) {
  std::map<std::string, Section> sections;
  std::vector<std::optional<double>> numbers;
  for (const std::string& key : keys) {
    const std::string section = key.substr(0, key.find('.'));
    auto [at, is_new] = sections.try_emplace(section);
    if (is_new) at->second = record_section(record, section);
    const Section* found = key.size() > section.size()
                               ? value_at(at->second, key.substr(section.size() + 1))
                               : nullptr;
    if (found && found->is_number())
      numbers.emplace_back(found->get<double>());
    else if (found && found->is_boolean())
      numbers.emplace_back(found->get<bool>() ? 1.0 : 0.0);
    else
      numbers.emplace_back(std::nullopt);
  }
  return numbers;
}

std::vector<std::string> number_keys(const Record& record) {
  std::vector<std::string> keys;
  for (const char* section :
       {"diagnosis", "internal", "solution", "ringing", "verification", "rigid"})
    add_number_keys(record_section(record, section), section, keys);
  return keys;
}

}  // namespace tauflex

#include "tauflex/base/yaml_text.hpp"

#include <yaml-cpp/yaml.h>

namespace tauflex {

namespace {

// One line each: lists, and maps that hold neither lists nor maps of maps.
bool fits_a_line(const Node& node, int depth = 0) {
  if (!node.is_map() && !node.is_list()) return true;
  if (depth > 1) return false;
  for (const std::string& key : node.keys())
    if (!fits_a_line(node.at(key), depth + 1)) return false;
  return true;
}

void write(YAML::Emitter& out, const Node& node) {
  if (node.is_text()) {
    out << node.text();
  } else if (node.is_list()) {
    if (fits_a_line(node)) out << YAML::Flow;
    out << YAML::BeginSeq;
    for (int i = 0; i < node.size(); ++i) write(out, node[i]);
    out << YAML::EndSeq;
  } else if (node.is_map()) {
    if (fits_a_line(node)) out << YAML::Flow;
    out << YAML::BeginMap;
    for (const std::string& key : node.keys()) {
      out << YAML::Key << key << YAML::Value;
      write(out, node.at(key));
    }
    out << YAML::EndMap;
  } else {
    out << YAML::Null;
  }
}

}  // namespace

std::string yaml_text(const Node& node) {
  YAML::Emitter out;
  write(out, node);
  return std::string(out.c_str()) + "\n";
}

}  // namespace tauflex

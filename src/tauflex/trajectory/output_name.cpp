#include "tauflex/trajectory/output_name.hpp"

#include <algorithm>
#include <string_view>

namespace tauflex {

namespace {

constexpr std::string_view measured_in = " in ";

bool is_one_of(const std::string& word, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

OutputName split_output_name(const std::string& name) {
  OutputName split;
  const auto in = name.find(measured_in);
  if (in != std::string::npos) split.frame = name.substr(in + measured_in.size());
  const std::string output = name.substr(0, in);
  const auto point = output.rfind('.');
  split.of = output.substr(0, point);
  if (point != std::string::npos) split.component = output.substr(point + 1);
  return split;
}

std::string OutputName::with(const std::string& other) const {
  return of + "." + other + (frame.empty() ? "" : std::string(measured_in) + frame);
}

const std::vector<OutputParts>& outputs_with_parts() {
  static const std::vector<OutputParts> all = {{"orientation", {"rx", "ry", "rz"}},
                                               {"axis", {"tilt_x", "tilt_y"}}};
  return all;
}

const OutputParts* parts_from(const std::vector<std::string>& outputs, size_t row) {
  const OutputName first = split_output_name(outputs[row]);
  for (const OutputParts& parts : outputs_with_parts()) {
    bool all = row + parts.rows.size() <= outputs.size();
    for (size_t k = 0; all && k < parts.rows.size(); ++k)
      all = outputs[row + k] == first.with(parts.rows[k]);
    if (all) return &parts;
  }
  return nullptr;
}

std::string units_of_output(const std::string& name) {
  const std::string component = split_output_name(name).component;
  if (is_place(name)) return "m";
  if (is_one_of(component, {"rx", "ry", "rz", "tilt_x", "tilt_y", "yaw", "angle_x", "angle_y",
                            "angle_z", "absolute"}))
    return "rad";
  return component == "force" ? "N|N m" : "rad|m";
}

bool is_place(const std::string& name) {
  return is_one_of(split_output_name(name).component, {"x", "y", "z", "along", "across", "above"});
}

}  // namespace tauflex

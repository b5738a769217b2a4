// Names of outputs: "tool.x", "fore", "tool.orientation in table".
#pragma once

#include <string>
#include <vector>

namespace tauflex {

struct OutputName {
  // "tool"
  std::string of;
  // "x"; empty for a joint.
  std::string component;
  // "table", the frame that it is measured in; empty: that of the task.
  std::string frame;

  // The same of another component.
  std::string with(const std::string& other) const;
};

OutputName split_output_name(const std::string& name);

// Outputs that are asked for as a whole and have several rows.
struct OutputParts {
  // "orientation"
  const char* whole;
  // "rx", "ry", "rz"
  std::vector<const char*> rows;
};
const std::vector<OutputParts>& outputs_with_parts();

// What the row begins, if it is the first of its rows: nullptr for others.
const OutputParts* parts_from(const std::vector<std::string>& outputs, size_t row);

// In which units values of an output may be written: "m", "rad", "rad|m", "N|N m".
std::string units_of_output(const std::string& name);

// Whether it is one of the rows of a place, whose length is a distance.
bool is_place(const std::string& name);

}  // namespace tauflex

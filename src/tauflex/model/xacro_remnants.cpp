#include "tauflex/model/xacro_remnants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tauflex/base/text.hpp"

namespace tauflex {

namespace {

bool is_xacro(const XmlElement& element) { return element.tag().starts_with("xacro:"); }

// "macro" of xacro:macro
std::string word(const XmlElement& element) { return element.tag().substr(6); }

// They say something about what follows, and change nothing by themselves.
bool declares(const XmlElement& element) {
  static const std::vector<std::string> words = {"macro", "property", "include", "arg"};
  return index_of(word(element), words) >= 0;
}

bool is_instruction(const XmlElement& element) {
  static const std::vector<std::string> words = {"if",        "unless", "element",
                                                 "attribute", "call",   "insert_block"};
  return index_of(word(element), words) >= 0;
}

// A call beside links and joints of a macro that the file neither defines nor includes is a
// remnant: xacro would not know it either.
bool is_known_macro(const XmlElement& call, const XmlElement& robot) {
  for (const XmlElement& element : robot.children("xacro:macro"))
    if (element.has("name") && element.text("name") == word(call)) return true;
  return !robot.children("xacro:include").empty();
}

// The first element that only xacro makes something of.
std::optional<XmlElement> find_call(const XmlElement& element, const XmlElement& robot, int depth) {
  for (const XmlElement& child : element.children()) {
    if (!is_xacro(child)) {
      if (const auto found = find_call(child, robot, depth + 1)) return found;
      continue;
    }
    const bool remains = depth == 0 && (declares(child) ||
                                        (!is_instruction(child) && !is_known_macro(child, robot)));
    if (!remains) return child;
  }
  return std::nullopt;
}

// Whether an expression stands where the mechanics are: not in pictures, nor in extensions.
bool has_expression(const XmlElement& element) {
  for (const std::string& value : element.values())
    if (value.find("${") != value.npos || value.find("$(") != value.npos) return true;
  const auto children = element.children();
  return std::any_of(children.begin(), children.end(), [](const XmlElement& child) {
    return child.tag() != "visual" && child.tag() != "collision" && has_expression(child);
  });
}

bool is_robot_of_expressions(const XmlElement& robot) {
  if (robot.children("link").empty()) return true;
  for (const char* tag : {"link", "joint"})
    for (const XmlElement& element : robot.children(tag))
      if (has_expression(element)) return true;
  return false;
}

[[noreturn]] void refuse(const XmlElement& element, const std::filesystem::path& path) {
  const std::string file = path.filename().string();
  const bool named = file.ends_with(".xacro");
  const std::string stem = named ? file.substr(0, file.size() - 6) : path.stem().string();
  element.fail(fmt::format(
      "this is a xacro file; expand it first: xacro {} > {}{} (xacro comes with ROS, or by pip "
      "install xacro)",
      file, stem,
      !named                    ? "_expanded.urdf"
      : stem.ends_with(".urdf") ? ""
                                : ".urdf"));
}

}  // namespace

void require_expanded(const XmlElement& robot, const std::filesystem::path& path,
                      UrdfNotes& notes) {
  if (const auto call = find_call(robot, robot, 0)) refuse(*call, path);
  for (const XmlElement& element : robot.children()) {
    if (!is_xacro(element)) continue;
    if (declares(element) && is_robot_of_expressions(robot)) refuse(element, path);
    const bool includes = word(element) == "include";
    notes.add(includes ? "xacro was not run, and what it would include is not read"
                       : "left by xacro and ignored",
              element.where());
  }
}

}  // namespace tauflex

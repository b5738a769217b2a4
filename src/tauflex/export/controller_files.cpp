#include "tauflex/export/controller_files.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "tauflex/base/text.hpp"

namespace tauflex {

namespace {

std::string listed(const Matrix& values, Eigen::Index row) {
  std::string text;
  for (Eigen::Index k = 0; k < values.cols(); ++k)
    text += fmt::format("{}{}", k ? ", " : "", shortest(values(row, k)));
  return text;
}

// In double quotes, for YAML and C.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string quoted_list(const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  for (const std::string& text : texts) items.push_back(quoted(text));
  return join(items);
}

// "six-axis" -> "six_axis"
std::string identifier(const std::string& name) {
  std::string result;
  for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return result.empty() || std::isdigit(static_cast<unsigned char>(result[0])) ? "job_" + result
                                                                               : result;
}

std::string c_matrix(const std::string& name, const Matrix& values) {
  std::string text = name + " = {\n";
  for (Eigen::Index i = 0; i < values.rows(); ++i) text += "    {" + listed(values, i) + "},\n";
  return text + "};\n";
}

}  // namespace

std::string controller_csv(const ControllerTable& table) {
  std::string text;
  for (const std::string& note : table.notes()) text += "# " + note + "\n";
  return text + format_table(table.table());
}

std::string ros_trajectory(const ControllerTable& table) {
  std::string text;
  for (const std::string& note : table.notes()) text += "# " + note + "\n";
  text += "header: {stamp: {sec: 0, nanosec: 0}, frame_id: \"\"}\n";
  text += fmt::format("joint_names: [{}]\npoints:\n", quoted_list(table.drives));
  for (Eigen::Index i = 0; i < table.t.size(); ++i) {
    const long long nanoseconds = std::llround((table.t[i] - table.t[0]) * 1e9);
    text += fmt::format(
        "  - positions: [{}]\n    velocities: [{}]\n    accelerations: []\n    effort: [{}]\n"
        "    time_from_start: {{sec: {}, nanosec: {}}}\n",
        listed(table.position, i), listed(table.velocity, i), listed(table.torque, i),
        nanoseconds / 1000000000, nanoseconds % 1000000000);
  }
  return text;
}

std::map<std::string, std::string> c_arrays(const ControllerTable& table, const std::string& name,
                                            double rate) {
  const std::string id = identifier(name);
  std::string upper;
  for (const char c : id) upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const std::string samples = "[" + upper + "_SAMPLES]", drives = "[" + upper + "_DRIVES]";
  const std::string constants[] = {"const char *const " + id + "_drives" + drives,
                                   "const double " + id + "_time" + samples,
                                   "const double " + id + "_position" + samples + drives,
                                   "const double " + id + "_velocity" + samples + drives,
                                   "const double " + id + "_torque" + samples + drives};
  std::string header =
      fmt::format("/* References and torques of the drives of {}, one row per sample.\n", id);
  for (std::string note : table.notes()) {
    for (size_t at; (at = note.find("*/")) != note.npos;) note.replace(at, 2, "* /");
    header += " * " + note + "\n";
  }
  header +=
      fmt::format(" * times in s */\n#ifndef {0}_H\n#define {0}_H\n\n#define {0}_SAMPLES {1}\n",
                  upper, table.t.size());
  header += fmt::format("#define {}_DRIVES {}\n", upper, table.drives.size());
  if (rate > 0) header += fmt::format("#define {}_PERIOD {} /* s */\n", upper, shortest(1 / rate));
  header += "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  for (const std::string& constant : constants) header += "extern " + constant + ";\n";
  header += "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";

  std::string source = fmt::format("#include \"{}.h\"\n\n", id);
  source += fmt::format("{} = {{{}}};\n", constants[0], quoted_list(table.drives));
  source += constants[1] + " = {\n";
  for (const double t : table.t) source += fmt::format("    {},\n", shortest(t));
  source += "};\n";
  source += c_matrix(constants[2], table.position) + c_matrix(constants[3], table.velocity) +
            c_matrix(constants[4], table.torque);
  return {{id + ".h", header}, {id + ".c", source}};
}

}  // namespace tauflex

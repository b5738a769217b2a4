#include "results/public_arms.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include "tauflex/base/node.hpp"

namespace tauflex {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double degree = pi / 180;

const std::string folder = TAUFLEX_SOURCE_DIR "/tests/results/arms/";

// From y to the other side, with the tool pointing down.
SerialArm across(std::string name, std::vector<ArmAxis> axes, double tool_z, const Vector3& at,
                 double duration) {
  const auto down = [](double x, double y, double z) {
    return fmt::format("[{}, {}, {}, {{rpy: [180 deg, 0, 0]}}]", x, y, z);
  };
  return {std::move(name),
          std::move(axes),
          tool_z,
          "tool.x, tool.y, tool.z, tool.orientation",
          down(at[0], -at[1], at[2]),
          down(at[0], at[1], at[2]),
          duration};
}

// Ranges in degrees.
void read_ranges(const Node& arm, std::vector<ArmAxis>& axes) {
  const auto ranges = arm.find("range");
  for (size_t i = 0; ranges && i < axes.size(); ++i) {
    const Vector range = (*ranges)[static_cast<int>(i)].numbers(2);
    axes[i].lowest = range[0] * degree;
    axes[i].highest = range[1] * degree;
  }
}

SerialArm universal(const std::string& name, const Node& arm) {
  const Vector l = arm.at("lengths").numbers(6), m = arm.at("mass").numbers(6),
               at = arm.at("at").numbers(2);
  const double K = arm.at("stiffness").number(), turn = 2 * pi;
  return across(name,
                {{'R', 0, 0, l[0], 0, m[0], K, -turn, turn},
                 {'R', 0, pi / 2, 0, 0, m[1], K, -turn, turn},
                 {'R', l[1], 0, 0, 0, m[2], K / 2, -turn, turn},
                 {'R', l[2], 0, l[3], 0, m[3], K / 10, -turn, turn},
                 {'R', 0, pi / 2, l[4], 0, m[4], K / 10, -turn, turn},
                 {'R', 0, -pi / 2, l[5], 0, m[5], K / 10, -turn, turn}},
                0, {at[0], 0.15, at[1]}, 0.8);
}

SerialArm elbow(const std::string& name, const Node& arm) {
  const Vector l = arm.at("lengths").numbers(7);
  const double K = arm.at("stiffness").number();
  const Node mass = arm.at("mass");
  // of one number the links get shares, and the foot the rest
  const Vector shares{{0.22, 0.2, 0.15, 0.07, 0.04, 0.02}};
  const Vector m = mass.is_list() ? mass.numbers(6) : Vector(mass.number() * shares);
  std::vector<ArmAxis> axes = {
      {'R', 0, 0, l[0], 0, m[0], K},        {'R', l[1], -pi / 2, 0, -pi / 2, m[1], K},
      {'R', l[2], 0, l[4], 0, m[2], K / 2}, {'R', l[3], -pi / 2, l[5], 0, m[3], K / 10},
      {'R', 0, pi / 2, 0, 0, m[4], K / 10}, {'R', 0, -pi / 2, 0, 0, m[5], K / 20}};
  read_ranges(arm, axes);
  return across(name, axes, l[6], arm.at("at").numbers(3), arm.at("duration").number());
}

SerialArm seven(const std::string& name, const Node& arm) {
  const Vector l = arm.at("lengths").numbers(6), m = arm.at("mass").numbers(7),
               at = arm.at("at").numbers(2);
  const double K = arm.at("stiffness").number(), wrist = arm.at("wrist").number();
  std::vector<ArmAxis> axes = {{'R', 0, 0, l[0], 0, m[0], K},
                               {'R', 0, -pi / 2, 0, 0, m[1], K},
                               {'R', 0, pi / 2, l[1], 0, m[2], K / 2},
                               {'R', l[2], pi / 2, 0, 0, m[3], K / 2},
                               {'R', -l[2], -pi / 2, l[3], 0, m[4], K / 5},
                               {'R', 0, wrist * pi / 2, 0, 0, m[5], K / 5},
                               {'R', l[4], pi / 2, 0, 0, m[6], K / 10}};
  read_ranges(arm, axes);
  return across(name, axes, l[5], {at[0], 0.15, at[1]}, 0.8);
}

SerialArm scara(const std::string& name, const Node& arm) {
  const Vector l = arm.at("lengths").numbers(4), range = degree * arm.at("range").numbers(2);
  const double m = arm.at("mass").number(), x = 0.6 * (l[1] + l[2]);
  return {name,
          {{'R', 0, 0, l[0], 0, 0.3 * m, 3e4, -range[0], range[0]},
           {'R', l[1], 0, 0, 0, 0.25 * m, 1.5e4, -range[1], range[1]},
           {'P', l[2], pi, 0, 0, 0.05 * m, 1e6, 0, l[3]},
           {'R', 0, 0, 0, 0, 0.5, 500, -2 * pi, 2 * pi}},
          0.1,
          "tool.x, tool.y, tool.z, J4",
          fmt::format("[{}, {}, {}, 0]", x, -0.15, l[0] - 0.2 * l[3] - 0.1),
          fmt::format("[{}, {}, {}, 0.5]", x, 0.15, l[0] - 0.7 * l[3] - 0.1),
          0.5};
}

SerialArm by_axes(const std::string& name, const Node& arm) {
  std::vector<ArmAxis> axes;
  const Node list = arm.at("axes");
  for (int i = 0; i < list.size(); ++i) {
    const auto number = [&](const char* key) { return list[i].at(key).number(); };
    const char type = list[i].at("axis").text()[0];
    const double unit = type == 'R' ? degree : 1;
    axes.push_back({type, number("a"), degree * number("alpha"), number("d"),
                    degree * number("zero"), number("mass"), number("stiffness")});
    if (const auto range = list[i].find("range")) {
      axes.back().lowest = unit * range->numbers(2)[0];
      axes.back().highest = unit * range->numbers(2)[1];
    }
  }
  return across(name, axes, 0, arm.at("at").numbers(3), 0.8);
}

}  // namespace

std::vector<SerialArm> serial_arms() {
  const Node file = Node::read_file(folder + "serial.yaml");
  std::vector<SerialArm> all;
  using Make = SerialArm (*)(const std::string&, const Node&);
  const std::vector<std::pair<const char*, Make>> kinds = {{"universal", universal},
                                                           {"elbow", elbow},
                                                           {"seven", seven},
                                                           {"scara", scara},
                                                           {"axes", by_axes}};
  for (const auto& [kind, make] : kinds) {
    const Node arms = file.at(kind).at("arms");
    for (const std::string& name : arms.keys()) all.push_back(make(name, arms.at(name)));
  }
  return all;
}

namespace {

using Rotation = Eigen::Matrix3d;

Rotation about_x(double angle) {
  return Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX()).toRotationMatrix();
}
Rotation about_z(double angle) {
  return Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
}

// "roll pitch yaw" of Rot x alpha Rot z zero. Where its pitch is a right angle, roll and yaw come
// from the rounding of cos 90 degrees, which is the same in both; only their sum counts there.
Eigen::Vector3d rpy(const Rotation& R) {
  return {std::atan2(R(2, 1), R(2, 2)), std::atan2(-R(2, 0), std::hypot(R(2, 1), R(2, 2))),
          std::atan2(R(1, 0), R(0, 0))};
}

// Of an axis in the frame of the one before.
Eigen::Vector3d origin(const ArmAxis& axis) {
  return about_x(axis.alpha) * Eigen::Vector3d(axis.a, 0, axis.d);
}

// Half-way to the next joint or the tool.
Eigen::Vector3d centre(const SerialArm& arm, size_t i) {
  if (i + 1 < arm.axes.size()) return 0.5 * origin(arm.axes[i + 1]);
  return {0, 0, 0.5 * arm.tool_z};
}

// Of a ball, kg m^2.
double ball(const SerialArm& arm, size_t i) {
  const double radius = 0.05 + 0.5 * centre(arm, i).norm();
  return 0.4 * arm.axes[i].mass * radius * radius;
}

std::string numbers(const Eigen::Vector3d& x, const char* between) {
  const auto shown = [](double value) { return std::abs(value) < 1e-15 ? 0.0 : value; };
  return fmt::format("{:.9g}{}{:.9g}{}{:.9g}", shown(x[0]), between, shown(x[1]), between,
                     shown(x[2]));
}

// Gears of 100, motors that alone would swing with 20 Hz on their spring.
std::string drive(const ArmAxis& axis) {
  return fmt::format("{{rotor_inertia: {:.4g}, gear_ratio: 100, stiffness: {}, damping: {}}}",
                     axis.stiffness / 1.6e4 / 1e4, axis.stiffness, axis.stiffness / 1000);
}

bool has_range(const ArmAxis& axis) { return axis.lowest < axis.highest; }

}  // namespace

std::string urdf_text(const SerialArm& arm) {
  std::string text = fmt::format("<robot name=\"{}\">\n<link name=\"base\"/>\n", arm.name);
  for (size_t i = 0; i < arm.axes.size(); ++i) {
    const ArmAxis& axis = arm.axes[i];
    text += fmt::format(
        "<link name=\"L{0}\"><inertial><origin xyz=\"{1}\"/><mass value=\"{2}\"/>\n"
        "  <inertia ixx=\"{3}\" ixy=\"0\" ixz=\"0\" iyy=\"{3}\" iyz=\"0\" "
        "izz=\"{3}\"/></inertial></link>\n"
        "<joint name=\"J{0}\" type=\"{4}\"><parent link=\"{5}\"/><child link=\"L{0}\"/>\n"
        "  <origin xyz=\"{6}\" rpy=\"{7}\"/><axis xyz=\"0 0 1\"/>{8}</joint>\n",
        i + 1, numbers(centre(arm, i), " "), axis.mass, ball(arm, i),
        axis.type == 'P'  ? "prismatic"
        : has_range(axis) ? "revolute"
                          : "continuous",
        i == 0 ? "base" : fmt::format("L{}", i), numbers(origin(axis), " "),
        numbers(rpy(about_x(axis.alpha) * about_z(axis.zero)), " "),
        has_range(axis)
            ? fmt::format("<limit lower=\"{}\" upper=\"{}\" effort=\"0\" velocity=\"0\"/>",
                          axis.lowest, axis.highest)
            : "");
  }
  return text +
         fmt::format(
             "<link name=\"tool\"/><joint name=\"flange\" type=\"fixed\"><parent link=\"L{}\"/>"
             "<child link=\"tool\"/><origin xyz=\"0 0 {}\"/></joint>\n</robot>\n",
             arm.axes.size(), arm.tool_z);
}

std::string elastic_text(const SerialArm& arm) {
  std::string text = "links:\n";
  for (size_t i = 0; i < arm.axes.size(); ++i)
    text += fmt::format("  J{}: {{drive: {}}}\n", i + 1, drive(arm.axes[i]));
  return text;
}

std::string robot_text(const SerialArm& arm) {
  std::string text = "links:\n";
  for (size_t i = 0; i < arm.axes.size(); ++i) {
    const ArmAxis& axis = arm.axes[i];
    text += fmt::format(
        "  - name: J{0}\n"
        "    joint: {{parent: {1}, type: {2}, axis: z, at: [{3}], rpy: [{4}, 0, 0], zero: "
        "{5}{6}}}\n"
        "    drive: {7}\n"
        "    mass: {8}\n    com: [{9}]\n    inertia: {{xx: {10}, yy: {10}, zz: {10}}}\n",
        i + 1, i == 0 ? "world" : fmt::format("J{}", i),
        axis.type == 'P' ? "prismatic" : "revolute", numbers(origin(axis), ", "), axis.alpha,
        axis.zero,
        has_range(axis) ? fmt::format(", range: [{}, {}]", axis.lowest, axis.highest) : "",
        drive(axis), axis.mass, numbers(centre(arm, i), ", "), ball(arm, i));
  }
  return text + fmt::format("frames: {{tool: {{link: J{}, at: [0, 0, {}]}}}}\n", arm.axes.size(),
                            arm.tool_z);
}

std::string task_text(const SerialArm& arm) {
  return fmt::format(
      "task:\n  outputs: [{}]\n  path: {{line: {{from: {}, to: {}}}, duration: {}}}\n", arm.outputs,
      arm.from, arm.to, arm.duration);
}

namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(folder + file + ".yaml");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Two arms on one column, as they are sold for assembly: twelve or fourteen axes and two poses.
std::string dual_arm(const std::string& name, double x) {
  const std::vector<SerialArm> known = serial_arms();
  const SerialArm arm = *std::find_if(known.begin(), known.end(),
                                      [&](const SerialArm& one) { return one.name == name; });
  std::string links, frames;
  for (const auto& [side, y] : {std::pair("L", 0.25), std::pair("R", -0.25)}) {
    std::string text = robot_text(arm);
    for (size_t at = 0; (at = text.find(" J", at)) != std::string::npos; at += 2)
      text.insert(at + 1, side);
    const size_t end = text.find("frames:");
    std::string chain = text.substr(7, end - 7);
    chain.replace(chain.find("at: [0, 0, "), 11, fmt::format("at: [0, {}, ", y));
    links += chain;
    frames +=
        fmt::format("{}: {{link: {}J{}, at: [0, 0, {}]}}, ",
                    side == std::string("L") ? "left" : "right", side, arm.axes.size(), arm.tool_z);
  }
  const auto point = [](double x, double y, double z) {
    return fmt::format("{}, {}, {}, {{rpy: [180 deg, 0, 0]}}", x, y, z);
  };
  return "tauflex: 1\nrobot:\n  frames: {" + frames + "}\n  links:\n" +
         [&] {
           std::string indented;
           for (size_t from = 0; from < links.size();) {
             const size_t to = links.find('\n', from);
             indented += "  " + links.substr(from, to - from) + "\n";
             from = to + 1;
           }
           return indented;
         }() +
         "task:\n  outputs: [left.x, left.y, left.z, left.orientation, right.x, right.y, right.z, "
         "right.orientation]\n  path: {line: {from: [" +
         point(x, 0.3, 0.1) + ", " + point(x, -0.3, 0.1) + "], to: [" + point(x + 0.05, 0.15, 0.2) +
         ", " + point(x + 0.05, -0.15, 0.2) + "]}, duration: 0.8}\n";
}

}  // namespace

std::vector<NamedJob> parallel_robots() {
  return {{"Gantry", text_of("gantry")},         {"GantryWrist", text_of("gantry_wrist")},
          {"Delta", text_of("delta")},           {"FiveBar", text_of("five_bar")},
          {"Palletiser", text_of("palletiser")}, {"DualUR3", dual_arm("UR3", 0.3)},
          {"DualPanda", dual_arm("Panda", 0.4)}, {"Hexapod", text_of("hexapod")}};
}

}  // namespace tauflex

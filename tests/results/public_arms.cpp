#include "results/public_arms.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tauflex {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double degree = pi / 180;

// The tool points down.
std::string down(double x, double y, double z) {
  return fmt::format("[{}, {}, {}, {{rpy: [180 deg, 0, 0]}}]", x, y, z);
}

SerialArm six_axis(std::string name, std::vector<ArmAxis> axes, double tool_z, double x, double y,
                   double z, double duration, double tool_roll = 0) {
  return {std::move(name), std::move(axes), 0,
          tool_z,          tool_roll,       "tool.x, tool.y, tool.z, tool.orientation",
          down(x, -y, z),  down(x, y, z),   duration};
}

// Universal Robots, "DH Parameters for calculations of kinematics and dynamics" (support page):
// lengths and masses. All axes turn by two turns.
SerialArm universal(const char* name, double d1, double a2, double a3, double d4, double d5,
                    double d6, std::array<double, 6> m, double K, double x, double z) {
  const double turn = 2 * pi;
  return six_axis(name,
                  {{'R', 0, 0, d1, 0, m[0], K, -turn, turn},
                   {'R', 0, pi / 2, 0, 0, m[1], K, -turn, turn},
                   {'R', a2, 0, 0, 0, m[2], K / 2, -turn, turn},
                   {'R', a3, 0, d4, 0, m[3], K / 10, -turn, turn},
                   {'R', 0, pi / 2, d5, 0, m[4], K / 10, -turn, turn},
                   {'R', 0, -pi / 2, d6, 0, m[5], K / 10, -turn, turn}},
                  0, x, 0.15, z, 0.8);
}

// Vertical arms with three wrist axes that meet in a point. With all joints at 0 the upper arm
// points up and the forearm ahead. Ranges in degrees; none where 0.
struct Elbow {
  double d1, a1, a2, a3, d3, d4, d6, mass;
  std::array<std::array<double, 2>, 6> range;
};
SerialArm elbow(const char* name, const Elbow& e, double K, double x, double y, double z,
                double duration) {
  // guessed shares of the whole mass; the rest is the foot
  const double share[6] = {0.22, 0.2, 0.15, 0.07, 0.04, 0.02};
  std::vector<ArmAxis> axes = {
      {'R', 0, 0, e.d1, 0, 0, K},        {'R', e.a1, -pi / 2, 0, -pi / 2, 0, K},
      {'R', e.a2, 0, e.d3, 0, 0, K / 2}, {'R', e.a3, -pi / 2, e.d4, 0, 0, K / 10},
      {'R', 0, pi / 2, 0, 0, 0, K / 10}, {'R', 0, -pi / 2, 0, 0, 0, K / 20}};
  for (size_t i = 0; i < 6; ++i) {
    axes[i].mass = share[i] * e.mass;
    axes[i].lowest = e.range[i][0] * degree;
    axes[i].highest = e.range[i][1] * degree;
  }
  return six_axis(name, axes, e.d6, x, y, z, duration);
}

// Seven axes, each across the one before; offsets of the elbow a4 and of the wrist a7 where there
// are some. Ranges in degrees.
struct Seven {
  double d1, d3, a4, d5, a7, d7;
  // +1: with the sixth joint at 0 the flange points back along the forearm, -1: ahead
  double wrist;
  std::array<double, 7> mass;
  std::array<std::array<double, 2>, 7> range;
};
SerialArm seven(const char* name, const Seven& s, double K, double x, double z) {
  std::vector<ArmAxis> axes = {{'R', 0, 0, s.d1, 0, 0, K},
                               {'R', 0, -pi / 2, 0, 0, 0, K},
                               {'R', 0, pi / 2, s.d3, 0, 0, K / 2},
                               {'R', s.a4, pi / 2, 0, 0, 0, K / 2},
                               {'R', -s.a4, -pi / 2, s.d5, 0, 0, K / 5},
                               {'R', 0, s.wrist * pi / 2, 0, 0, 0, K / 5},
                               {'R', s.a7, pi / 2, 0, 0, 0, K / 10}};
  for (size_t i = 0; i < 7; ++i) {
    axes[i].mass = s.mass[i];
    axes[i].lowest = s.range[i][0] * degree;
    axes[i].highest = s.range[i][1] * degree;
  }
  return six_axis(name, axes, s.d7, x, 0.15, z, 0.8);
}

// Two vertical hinges, a quill and its turn.
SerialArm scara(const char* name, double d1, double a1, double a2, double mass, double r1,
                double r2, double stroke) {
  return {name,
          {{'R', 0, 0, d1, 0, 0.3 * mass, 3e4, -r1 * degree, r1 * degree},
           {'R', a1, 0, 0, 0, 0.25 * mass, 1.5e4, -r2 * degree, r2 * degree},
           {'P', a2, pi, 0, 0, 0.05 * mass, 1e6, 0, stroke},
           {'R', 0, 0, 0, 0, 0.5, 500, -2 * pi, 2 * pi}},
          0,
          0.1,
          0,
          "tool.x, tool.y, tool.z, J4",
          fmt::format("[{}, {}, {}, 0]", 0.6 * (a1 + a2), -0.15, d1 - 0.2 * stroke - 0.1),
          fmt::format("[{}, {}, {}, 0.5]", 0.6 * (a1 + a2), 0.15, d1 - 0.7 * stroke - 0.1),
          0.5};
}

}  // namespace

std::vector<SerialArm> serial_arms() {
  return {
      universal("UR3", 0.1519, -0.24365, -0.21325, 0.11235, 0.08535, 0.0819,
                {2, 3.42, 1.26, 0.8, 0.8, 0.35}, 4e3, 0.3, 0.1),
      universal("UR5", 0.089159, -0.425, -0.39225, 0.10915, 0.09465, 0.0823,
                {3.7, 8.393, 2.33, 1.219, 1.219, 0.1879}, 1e4, 0.5, 0.2),
      universal("UR10", 0.1273, -0.612, -0.5723, 0.163941, 0.1157, 0.0922,
                {7.1, 12.7, 4.27, 2, 2, 0.365}, 2e4, 0.7, 0.2),
      universal("UR5e", 0.1625, -0.425, -0.3922, 0.1333, 0.0997, 0.0996,
                {3.761, 8.058, 2.846, 1.37, 1.3, 0.365}, 1e4, 0.45, 0.25),
      universal("UR16e", 0.1807, -0.4784, -0.36, 0.17415, 0.11985, 0.11655,
                {7.369, 10.45, 4.321, 2.18, 2.033, 0.907}, 2e4, 0.5, 0.3),
      // Unimation PUMA 560: Armstrong, Khatib, Burdick 1986, "The explicit dynamic model and
      // inertial parameters of the PUMA 560 arm", and Corke's tables for the ranges.
      elbow("PUMA560",
            {0.672,
             0,
             0.4318,
             -0.0203,
             0.15005,
             0.4318,
             0.0563,
             55,
             {{{-160, 160}, {-135, 135}, {-135, 135}, {-110, 170}, {-100, 100}, {-266, 266}}}},
            5e4, 0.5, 0.2, 0.6, 0.8),
      // ABB product specifications IRB 120, IRB 140 and IRB 2400.
      elbow("IRB120",
            {0.29,
             0,
             0.27,
             0.07,
             0,
             0.302,
             0.072,
             25,
             {{{-165, 165}, {-110, 110}, {-110, 70}, {-160, 160}, {-120, 120}, {-400, 400}}}},
            2e4, 0.35, 0.15, 0.2, 0.6),
      elbow("IRB140",
            {0.352,
             0.07,
             0.36,
             0,
             0,
             0.38,
             0.065,
             98,
             {{{-180, 180}, {-90, 110}, {-230, 50}, {-200, 200}, {-115, 115}, {-400, 400}}}},
            8e4, 0.5, 0.25, 0.3, 0.6),
      elbow("IRB2400",
            {0.615,
             0.1,
             0.705,
             0.135,
             0,
             0.755,
             0.085,
             380,
             {{{-180, 180}, {-100, 110}, {-60, 65}, {-200, 200}, {-120, 120}, {-400, 400}}}},
            6e5, 1.0, 0.4, 0.6, 0.8),
      // KUKA specifications KR 6 R900 sixx, KR 5 arc and KR 16, their zeros turned to ours.
      elbow("KR6R900",
            {0.4,
             0.025,
             0.455,
             0.035,
             0,
             0.42,
             0.08,
             52,
             {{{-170, 170}, {-100, 135}, {-210, 66}, {-185, 185}, {-120, 120}, {-350, 350}}}},
            5e4, 0.5, 0.25, 0.3, 0.6),
      elbow("KR5arc",
            {0.4,
             0.18,
             0.6,
             0.12,
             0,
             0.62,
             0.115,
             127,
             {{{-155, 155}, {-90, 155}, {-105, 170}, {-350, 350}, {-130, 130}, {-350, 350}}}},
            2e5, 0.9, 0.3, 0.4, 0.8),
      elbow("KR16",
            {0.675,
             0.26,
             0.68,
             -0.035,
             0,
             0.67,
             0.158,
             235,
             {{{-185, 185}, {-65, 125}, {-220, 64}, {-350, 350}, {-130, 130}, {-350, 350}}}},
            4e5, 1.0, 0.4, 0.7, 0.8),
      // FANUC datasheets M-10iA and LR Mate 200iD.
      elbow("M-10iA", {0.45, 0.15, 0.6, 0.2, 0, 0.64, 0.1, 130, {}}, 2e5, 0.8, 0.3, 0.5, 0.8),
      elbow("LRMate200iD",
            {0.33,
             0.05,
             0.33,
             0.035,
             0,
             0.335,
             0.08,
             25,
             {{{-170, 170}, {-100, 145}, {-140, 213}, {-190, 190}, {-125, 125}, {-360, 360}}}},
            2e4, 0.4, 0.2, 0.25, 0.6),
      // Yaskawa datasheet MOTOMAN GP7.
      elbow("GP7", {0.33, 0.04, 0.445, 0.04, 0, 0.44, 0.08, 34, {}}, 4e4, 0.5, 0.2, 0.3, 0.6),
      // Staubli datasheet TX60: its forearm stands 20 mm beside the upper arm.
      elbow("TX60",
            {0.375,
             0,
             0.29,
             0,
             0.02,
             0.31,
             0.07,
             52.2,
             {{{-180, 180},
               {-127.5, 127.5},
               {-142.5, 142.5},
               {-270, 270},
               {-122, 132},
               {-270, 270}}}},
            5e4, 0.35, 0.15, 0.35, 0.6),
      // UFACTORY xArm6, developer manual: the last axis stands 76 mm beside the two before it.
      six_axis("xArm6",
               {{'R', 0, 0, 0.267, 0, 2.4, 6e3, -2 * pi, 2 * pi},
                {'R', 0, -pi / 2, 0, -1.3849, 1.9, 6e3, -2.06, 2.094},
                {'R', 0.28949, 0, 0, 1.3849, 1.7, 3e3, -3.93, 0.19},
                {'R', 0.0775, -pi / 2, 0.3425, 0, 1.4, 800, -2 * pi, 2 * pi},
                {'R', 0, pi / 2, 0, 0, 1.0, 800, -1.69, pi},
                {'R', 0.076, -pi / 2, 0.097, 0, 0.3, 400, -2 * pi, 2 * pi}},
               0, 0.35, 0.15, 0.2, 0.8),
      // Stanford arm (R. Paul, Robot Manipulators, 1981): the third axis is a slide.
      six_axis("Stanford",
               {{'R', 0, 0, 0.412, 0, 9.3, 2e4, -160 * degree, 160 * degree},
                {'R', 0, -pi / 2, 0.154, 0, 5, 2e4, -135 * degree, 135 * degree},
                {'P', 0, pi / 2, 0, 0, 4.25, 2e5, 0.15, 1},
                {'R', 0, 0, 0, 0, 1.1, 2e3},
                {'R', 0, -pi / 2, 0, 0, 0.6, 1e3, -110 * degree, 110 * degree},
                {'R', 0, pi / 2, 0.263, 0, 0.5, 500}},
               0, 0.5, 0.2, 0.2, 0.8),
      // Franka Emika Panda, franka_ros and "Robot and interface specifications"; masses
      // by Gaz and others, 2019.
      seven("Panda",
            {0.333,
             0.316,
             0.0825,
             0.384,
             0.088,
             0.107,
             1,
             {4.97, 0.647, 3.229, 3.588, 1.226, 1.667, 0.736},
             {{{-166, 166},
               {-101, 101},
               {-166, 166},
               {-176, -4},
               {-166, 166},
               {-1, 215},
               {-166, 166}}}},
            1e4, 0.45, 0.3),
      // KUKA specification LBR iiwa: 7 R800 and 14 R820; masses of iiwa_stack.
      seven("iiwa7",
            {0.34,
             0.4,
             0,
             0.4,
             0,
             0.126,
             -1,
             {3.45, 3.48, 4.06, 3.48, 2.16, 2.35, 3.13},
             {{{-170, 170},
               {-120, 120},
               {-170, 170},
               {-120, 120},
               {-170, 170},
               {-120, 120},
               {-175, 175}}}},
            1e4, 0.45, 0.3),
      seven("iiwa14",
            {0.36,
             0.42,
             0,
             0.4,
             0,
             0.126,
             -1,
             {4, 4, 3, 2.7, 1.7, 1.8, 0.3},
             {{{-170, 170},
               {-120, 120},
               {-170, 170},
               {-120, 120},
               {-170, 170},
               {-120, 120},
               {-175, 175}}}},
            1e4, 0.5, 0.3),
      // Barrett WAM, user manual: 45 mm at the elbow.
      seven("WAM",
            {0.346,
             0.55,
             0.045,
             0.3,
             0,
             0.06,
             -1,
             {10.77, 3.87, 1.8, 2.4, 0.12, 0.42, 0.07},
             {{{-150, 150},
               {-113, 113},
               {-157, 157},
               {-180, 50},
               {-273, 71},
               {-90, 90},
               {-172, 172}}}},
            5e3, 0.5, 0.3),
      // Adept Cobra 600 and ABB IRB 910SC-3/0.65, datasheets.
      scara("Cobra600", 0.387, 0.325, 0.275, 34, 105, 150, 0.21),
      scara("IRB910SC", 0.22, 0.4, 0.25, 24.5, 140, 150, 0.18),
  };
}

namespace {

using Rotation = Eigen::Matrix3d;

Rotation about_x(double angle) {
  return Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX()).toRotationMatrix();
}
Rotation about_z(double angle) {
  return Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
}

// "roll pitch yaw" of Rot x alpha Rot z zero: its pitch is 0 <= |.| < 90 degrees for our arms.
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
  return {0.5 * arm.tool_x, 0, 0.5 * arm.tool_z};
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
             "<child link=\"tool\"/><origin xyz=\"{} 0 {}\" rpy=\"{} 0 0\"/></joint>\n"
             "</robot>\n",
             arm.axes.size(), arm.tool_x, arm.tool_z, arm.tool_roll);
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
  return text + fmt::format("frames: {{tool: {{link: J{}, at: [{}, 0, {}], rpy: [{}, 0, 0]}}}}\n",
                            arm.axes.size(), arm.tool_x, arm.tool_z, arm.tool_roll);
}

std::string task_text(const SerialArm& arm) {
  return fmt::format(
      "task:\n  outputs: [{}]\n  path: {{line: {{from: {}, to: {}}}, duration: {}}}\n", arm.outputs,
      arm.from, arm.to, arm.duration);
}

namespace {

// A bridge, a trolley and a quill on screws of 20 mm (strokes of the Gudel FP-3 area gantry).
constexpr const char* gantry = R"(tauflex: 1
robot:
  links:
    - name: bridge
      joint: {parent: world, type: prismatic, axis: x, range: [0, 3]}
      drive: {rotor_inertia: 2e-3, lead: 20 mm, stiffness: 5e7, damping: 5e4}
      mass: 250
    - name: trolley
      joint: {parent: bridge, type: prismatic, axis: y, range: [0, 2]}
      drive: {rotor_inertia: 2e-3, lead: 20 mm, stiffness: 3e7, damping: 3e4}
      mass: 120
    - name: quill
      joint: {parent: trolley, at: [0, 0, 2], type: prismatic, axis: -z, range: [0, 1]}
      drive: {rotor_inertia: 1e-3, lead: 20 mm, stiffness: 2e7, damping: 2e4}
      mass: 60
  frames: {tool: {link: quill, at: [0, 0, -0.2]}}
task:
  outputs: [tool.x, tool.y, tool.z]
  path: {line: {from: [0.5, 0.5, 1.5], to: [1.5, 1, 1.2]}, duration: 1}
)";

// The same with a wrist of three axes.
constexpr const char* wrist = R"(
    - name: turn
      joint: {parent: quill, at: [0, 0, -0.3], type: revolute, axis: -z}
      drive: {rotor_inertia: 1e-4, gear_ratio: 100, stiffness: 4e4, damping: 40}
      mass: 12
      inertia: {xx: 0.1, yy: 0.1, zz: 0.08}
    - name: tilt
      joint: {parent: turn, type: revolute, axis: y, range: [-120 deg, 120 deg]}
      drive: {rotor_inertia: 1e-4, gear_ratio: 100, stiffness: 4e4, damping: 40}
      mass: 8
      com: [0, 0, -0.05]
      inertia: {xx: 0.05, yy: 0.05, zz: 0.04}
    - name: spin
      joint: {parent: tilt, type: revolute, axis: -z}
      drive: {rotor_inertia: 5e-5, gear_ratio: 50, stiffness: 2e4, damping: 20}
      mass: 4
      com: [0, 0, -0.1]
      inertia: {xx: 0.03, yy: 0.03, zz: 0.02}
  frames: {tool: {link: spin, at: [0, 0, -0.25], rpy: [180 deg, 0, 0]}}
task:
  outputs: [tool.x, tool.y, tool.z, tool.orientation]
  path: {line: {from: [0.5, 0.5, 1.2, {rpy: [180 deg, -30 deg, 0]}], to: [1.5, 1, 1, {rpy: [180 deg, -50 deg, 0]}]}, duration: 1}
)";

std::string gantry_with_wrist() {
  const std::string text = gantry;
  return text.substr(0, text.find("  frames:") - 1) + wrist;
}

// ABB IRB 360 FlexPicker: arms of 235 mm about a base of 200 mm, rods of 800 mm in pairs, a
// platform of 45 mm ["Delta parallel robot, the story of success"; IRB 360 product
// manual].
std::string delta() {
  std::string links, frames, rods;
  for (int i = 0; i < 3; ++i) {
    const double angle = 2 * pi / 3 * i, c = std::cos(angle), s = std::sin(angle);
    links += fmt::format(
        "    - name: arm{}\n"
        "      joint: {{parent: world, at: [{}, {}, 0], rpy: [0, 0, {}], type: revolute, axis: "
        "y}}\n"
        "      drive: {{rotor_inertia: 3e-5, gear_ratio: 30, stiffness: 3e3, damping: 3}}\n"
        "      mass: 0.6\n      com: [0.1, 0, 0]\n      inertia: {{xx: 1e-3, yy: 4e-3, zz: "
        "4e-3}}\n",
        i + 1, 0.2 * c, 0.2 * s, angle);
    for (const int side : {-1, 1}) {
      const char* letter = side < 0 ? "a" : "b";
      frames += fmt::format(
          "    knee{0}{1}: {{link: arm{0}, at: [0.235, {2}, 0]}}\n"
          "    foot{0}{1}: {{link: platform, at: [{3}, {4}, 0]}}\n",
          i + 1, letter, 0.05 * side, 0.045 * c - 0.05 * side * s, 0.045 * s + 0.05 * side * c);
      rods += fmt::format(
          "    - {{name: rod{0}{1}, distance: {{frames: [knee{0}{1}, foot{0}{1}], length: "
          "0.8}}}}\n",
          i + 1, letter);
    }
  }
  return "tauflex: 1\nrobot:\n  links:\n" + links +
         "    - name: platform\n"
         "      joint: {parent: world, at: [0, 0, -0.7], type: floating}\n"
         "      mass: 0.8\n      inertia: {xx: 1e-3, yy: 1e-3, zz: 2e-3}\n"
         "  frames:\n    tool: {link: platform, at: [0, 0, -0.05]}\n" +
         frames + "  constraints:\n" + rods +
         "task:\n  outputs: [tool.x, tool.y, tool.z]\n"
         "  path: {line: {from: [-0.15, 0, -0.9], to: [0.15, 0.1, -0.85]}, duration: 0.3}\n";
}

// Two pairs of bars in a plane, Mitsubishi RP-5AH: bars of 200 and 260 mm, axes 85 mm apart.
constexpr const char* five_bar = R"(tauflex: 1
robot:
  gravity: [0, 0, 0]
  links:
    - name: left
      joint: {parent: world, at: [-42.5 mm, 0, 0], type: revolute, axis: z, zero: 120 deg}
      drive: {rotor_inertia: 2e-5, gear_ratio: 50, stiffness: 4e3, damping: 4}
      mass: 1.2
      com: [0.1, 0, 0]
      inertia: {zz: 4e-3}
    - name: left_rod
      joint: {parent: left, at: [0.2, 0, 0], type: revolute, axis: z, zero: -60 deg}
      mass: 0.8
      com: [0.13, 0, 0]
      inertia: {zz: 5e-3}
    - name: right
      joint: {parent: world, at: [42.5 mm, 0, 0], type: revolute, axis: z, zero: 60 deg}
      drive: {rotor_inertia: 2e-5, gear_ratio: 50, stiffness: 4e3, damping: 4}
      mass: 1.2
      com: [0.1, 0, 0]
      inertia: {zz: 4e-3}
    - name: right_rod
      joint: {parent: right, at: [0.2, 0, 0], type: revolute, axis: z, zero: 60 deg}
      mass: 0.8
      com: [0.13, 0, 0]
      inertia: {zz: 5e-3}
  frames:
    tool: {link: left_rod, at: [0.26, 0, 0]}
    other: {link: right_rod, at: [0.26, 0, 0]}
  constraints:
    - {name: pin, closure: {frames: [tool, other], locked: [x, y]}}
task:
  outputs: [tool.x, tool.y]
  path: {line: {from: [-0.1, 0.35], to: [0.1, 0.3]}, duration: 0.3}
)";

// ABB IRB 460: upper arm 945 mm, forearm 1025 mm, wrist 220 mm; a rod beside the lower arm turns
// the forearm, and two more keep the flange level, which the relation says.
constexpr const char* palletiser = R"(tauflex: 1
robot:
  links:
    - name: column
      joint: {parent: world, at: [0, 0, 742.5 mm], type: revolute, axis: z, range: [-165 deg, 165 deg]}
      drive: {rotor_inertia: 1e-2, gear_ratio: 150, stiffness: 2e6, damping: 2e3}
      mass: 300
      com: [0.1, 0, -0.2]
      inertia: {xx: 20, yy: 20, zz: 20}
    - name: lower
      joint: {parent: column, at: [260 mm, 0, 0], type: revolute, axis: y, range: [-40 deg, 85 deg]}
      drive: {rotor_inertia: 1e-2, gear_ratio: 150, stiffness: 2e6, damping: 2e3}
      mass: 120
      com: [0, 0, 0.4]
      inertia: {xx: 10, yy: 10, zz: 2}
    - name: lever
      joint: {parent: column, at: [260 mm, 0, 0], type: revolute, axis: y, range: [-20 deg, 120 deg]}
      drive: {rotor_inertia: 1e-2, gear_ratio: 150, stiffness: 2e6, damping: 2e3}
      mass: 30
      com: [-0.15, 0, 0]
      inertia: {xx: 0.5, yy: 1, zz: 1}
    - name: rod
      joint: {parent: lever, at: [-0.3, 0, 0], type: revolute, axis: y}
      mass: 15
      com: [0, 0, 0.47]
      inertia: {xx: 1.2, yy: 1.2, zz: 0.02}
    - name: fore
      joint: {parent: lower, at: [0, 0, 945 mm], type: revolute, axis: y}
      mass: 90
      com: [0.4, 0, 0]
      inertia: {xx: 2, yy: 10, zz: 10}
    - name: wrist
      joint: {parent: fore, at: [1025 mm, 0, 0], type: revolute, axis: y}
      mass: 25
      com: [0.11, 0, 0]
      inertia: {xx: 0.4, yy: 0.4, zz: 0.4}
    - name: turn
      joint: {parent: wrist, at: [220 mm, 0, 0], type: revolute, axis: -z, range: [-300 deg, 300 deg]}
      drive: {rotor_inertia: 2e-3, gear_ratio: 80, stiffness: 1e5, damping: 100}
      mass: 40
      com: [0, 0, -0.2]
      inertia: {xx: 1, yy: 1, zz: 1}
  frames:
    tool: {link: turn, at: [0, 0, -0.3]}
    rod_end: {link: rod, at: [0, 0, 945 mm]}
    fore_end: {link: fore, at: [-0.3, 0, 0]}
  constraints:
    - {name: parallelogram, closure: {frames: [rod_end, fore_end], locked: [x, z]}}
    - {name: level, relation: {joints: {lower: 1, fore: 1, wrist: 1}, value: 0}}
task:
  outputs: [tool.x, tool.y, tool.z, turn]
  path: {line: {from: [1.4, -0.5, 0.8, 0], to: [1.4, 0.5, 1.2, 90 deg]}, duration: 1}
)";

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

// A platform on six cylinders, PI H-850: joints on circles of 175 and 100 mm, screws of 1 mm.
std::string hexapod() {
  std::string links, frames, pins;
  for (int i = 0; i < 6; ++i) {
    const double below = (i / 2) * 2 * pi / 3 + (i % 2 == 0 ? -0.9 : 0.9),
                 above = (i / 2) * 2 * pi / 3 + (i % 2 == 0 ? -0.25 : 0.25);
    links += fmt::format(
        "    - name: fork{0}\n"
        "      joint: {{parent: world, at: [{1:.6f}, {2:.6f}, 0], type: [rx, ry]}}\n"
        "      mass: 0.5\n      com: [0, 0, 0.05]\n      inertia: {{xx: 1e-3, yy: 1e-3, zz: "
        "1e-3}}\n"
        "    - name: leg{0}\n"
        "      joint: {{parent: fork{0}, at: [0, 0, 0.2], type: prismatic, axis: z, "
        "range: [-0.05, 0.15]}}\n"
        "      drive: {{rotor_inertia: 1e-5, lead: 1 mm, stiffness: 1e7, damping: 1e4}}\n"
        "      mass: 0.3\n      com: [0, 0, -0.02]\n      inertia: {{xx: 3e-4, yy: 3e-4, zz: "
        "1e-4}}\n",
        i + 1, 0.175 * std::cos(below), 0.175 * std::sin(below));
    frames += fmt::format(
        "    end{0}: {{link: leg{0}}}\n    ball{0}: {{link: platform, at: [{1:.6f}, "
        "{2:.6f}, 0]}}\n",
        i + 1, 0.1 * std::cos(above), 0.1 * std::sin(above));
    pins += fmt::format(
        "    - {{name: pin{0}, closure: {{frames: [end{0}, ball{0}], locked: [x, y, z]}}}}\n",
        i + 1);
  }
  return "tauflex: 1\nrobot:\n  links:\n" + links +
         "    - name: platform\n"
         "      joint: {parent: world, at: [0, 0, 0.2], type: floating}\n"
         "      mass: 3\n      inertia: {xx: 0.01, yy: 0.01, zz: 0.02}\n"
         "  frames:\n    tool: {link: platform, at: [0, 0, 0.05]}\n" +
         frames + "  constraints:\n" + pins +
         "task:\n  outputs: [tool.x, tool.y, tool.z, tool.orientation]\n"
         "  path: {line: {from: [0, 0, 0.25, 0, 0, 0], to: [0.01, -0.01, 0.26, 0.05, 0, 0.1]}, "
         "duration: 0.12}\n";
}

}  // namespace

std::vector<NamedJob> parallel_robots() {
  return {{"Gantry", gantry},
          {"GantryWrist", gantry_with_wrist()},
          {"Delta", delta()},
          {"FiveBar", five_bar},
          {"Palletiser", palletiser},
          {"DualUR3", dual_arm("UR3", 0.3)},
          {"DualPanda", dual_arm("Panda", 0.4)},
          {"Hexapod", hexapod()}};
}

}  // namespace tauflex

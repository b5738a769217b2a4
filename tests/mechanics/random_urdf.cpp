#include "mechanics/random_urdf.hpp"

#include <fmt/format.h>

#include <vector>

#include "math/random.hpp"

namespace tauflex {

namespace {

std::string numbers(const Vector3& x) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", x[0], x[1], x[2]);
}

std::string origin(Random& random, double size) {
  const Vector3 xyz = random.vector3(size), rpy = random.vector3(3);
  if (random.chance(0.2)) return fmt::format("<origin xyz=\"{}\"/>", numbers(xyz));
  return fmt::format("<origin xyz=\"{}\" rpy=\"{}\"/>", numbers(xyz), numbers(rpy));
}

// Principal moments b + c, a + c, a + b with a, b, c > 0: those of a body.
std::string inertial(Random& random, bool principal) {
  const double mass = random.uniform(0.5, 5);
  const double a = random.uniform(0.01, 0.1), b = random.uniform(0.01, 0.1),
               c = random.uniform(0.01, 0.1);
  const Matrix3 R = principal ? Matrix3(Matrix3::Identity()) : random.rotation();
  const Matrix3 I = mass * (R * Vector3(b + c, a + c, a + b).asDiagonal() * R.transpose());
  return fmt::format(
      "<inertial>{}<mass value=\"{:.17g}\"/><inertia ixx=\"{:.17g}\" ixy=\"{:.17g}\" "
      "ixz=\"{:.17g}\" iyy=\"{:.17g}\" iyz=\"{:.17g}\" izz=\"{:.17g}\"/></inertial>",
      origin(random, 0.3), mass, I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2));
}

}  // namespace

bool has_principal_axes(unsigned seed) { return seed % 2 == 1; }

std::string random_urdf(unsigned seed) {
  Random random(seed);
  const int count = 4 + static_cast<int>(seed % 10);
  std::vector<std::string> parts = {"<link name=\"base\">" +
                                    inertial(random, has_principal_axes(seed)) + "</link>"};
  for (int i = 0; i < count; ++i) {
    const int parent = seed % 3 == 0 ? i - 1 : random.below(i + 1) - 1;
    const double kind = random.uniform(0, 1);
    const char* type = kind < 0.2   ? "fixed"
                       : kind < 0.4 ? "prismatic"
                       : kind < 0.6 ? "continuous"
                                    : "revolute";
    const bool massless = kind < 0.06;
    const Vector3 axis = random.direction();
    parts.push_back(fmt::format("<link name=\"link{}\">{}</link>", i,
                                massless ? "" : inertial(random, has_principal_axes(seed))));
    parts.push_back(fmt::format(
        "<joint name=\"joint{}\" type=\"{}\">{}<parent link=\"{}\"/><child link=\"link{}\"/>"
        "{}<limit lower=\"-9\" upper=\"9\" effort=\"100\" velocity=\"10\"/>"
        "<dynamics damping=\"{:.17g}\"/></joint>",
        i, type, origin(random, 0.5), parent < 0 ? "base" : fmt::format("link{}", parent), i,
        random.chance(0.2) ? "" : fmt::format("<axis xyz=\"{}\"/>", numbers(axis)),
        random.uniform(0, 2)));
  }
  for (size_t i = parts.size(); i > 1; --i)  // in any order
    std::swap(parts[i - 1], parts[static_cast<size_t>(random.below(static_cast<int>(i)))]);
  std::string text = "<robot name=\"random\">\n";
  for (const std::string& part : parts) text += part + "\n";
  return text + "</robot>\n";
}

namespace {

// Behind every tag of a kind, one of several things that are no part of the mechanics.
std::string with_ballast(std::string text, const std::string& tag,
                         const std::vector<std::string>& ballast, Random& random) {
  for (size_t at = 0; (at = text.find("<" + tag + " ", at)) != text.npos;) {
    at = text.find('>', at) + 1;
    if (text[at - 2] == '/') continue;
    const std::string& more = ballast[static_cast<size_t>(random.below(std::ssize(ballast)))];
    text.insert(at, more);
    at += more.size();
  }
  return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

std::string made_nasty(std::string text, unsigned seed) {
  Random random(seed);
  text = with_ballast(
      text, "link",
      {"<visual><geometry><mesh filename=\"package://nowhere/a b.dae\"/></geometry></visual>",
       "<contact><lateral_friction value=\"1\"/></contact>", "<origin xyz=\"9 9 9\"/>",
       "<collision><geometry><capsule/></geometry></collision> text <!-- <inertial/> -->",
       "<visual><geometry><box size=\"0 0 0\"/></geometry></visual><sensor name=\"s\"/>", ""},
      random);
  text = with_ballast(text, "joint",
                      {"<safety_controller k_velocity=\"1\"/><calibration rising=\"0\"/>",
                       "<hardwareInterface>position</hardwareInterface>", "text",
                       "<joint_properties friction=\"1\"/>", ""},
                      random);
  text = replaced(text, "<limit lower", "<limit k_velocity=\"3\" soft=\"x\" lower");
  text = replaced(text, " izz=", "\n  iyx=\"7\" izz=");
  text = replaced(text, "\"joint", "\"my joint.");
  text = replaced(text, "</robot>",
                  "<link name=\"world\" type=\"x\"/><ros2_control><joint name=\"my joint.1\"/>"
                  "</ros2_control><xacro:my_gazebo/><material name=\"m\"/>\n<gazebo>&#10;<joint "
                  "name=\"x\"/></gazebo></robot>");
  return "<!-- by xacro -->\n<?xml version=\"1.0\" ?>\n<!DOCTYPE robot>\n" + text;
}

}  // namespace tauflex

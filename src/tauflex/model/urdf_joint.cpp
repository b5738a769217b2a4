#include "tauflex/model/urdf_joint.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "tauflex/base/sizes.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/model/urdf_link.hpp"

namespace tauflex {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The two translations in the plane and the rotation about its normal; a normal that is skew gets
// axes of its own.
void read_plane(const Vector3& normal, UrdfJoint& read) {
  read.joint.type = JointType::compound;
  int k = 2;
  if (normal.maxCoeff(&k) < 1 - 1e-12) {
    k = 2;
    read.plane = rotation_with_z_along(normal);
  }
  read.joint.free = {true, true, true, false, false, false};
  read.joint.free[k] = false;
  read.joint.free[k + 3] = true;
}

bool is_drakes(const XmlElement& element, const char* type) {
  return element.tag() == "drake:joint" && element.has("type") && element.text("type") == type;
}

void read_type(const XmlElement& element, UrdfJoint& read, UrdfNotes& notes) {
  Joint& joint = read.joint;
  const std::vector<std::string> types = {"fixed",    "revolute", "continuous", "prismatic",
                                          "floating", "planar",   "spherical"};
  const std::string type = element.text("type");
  const bool has_axis =
      type == "revolute" || type == "continuous" || type == "prismatic" || type == "planar";
  joint.axis = Vector3::UnitX();
  const auto axis = element.find("axis");
  if (axis) {
    notes.look(*axis, {"xyz"}, {});
    const Vector3 xyz = axis->numbers("xyz", 3);
    if (has_axis && xyz.norm() < 1e-12)
      axis->fail("xyz", fmt::format("must not be zero, got '{}'", shown(axis->text("xyz"))));
    if (has_axis) joint.axis = xyz.normalized();
  }
  if (type == "fixed") {
    joint.type = JointType::fixed;
  } else if (type == "revolute" || type == "continuous") {
    joint.type = JointType::revolute;
  } else if (type == "prismatic") {
    joint.type = JointType::prismatic;
  } else if (type == "spherical" || is_drakes(element, "ball")) {
    joint.type = JointType::spherical;
  } else if (is_drakes(element, "universal")) {  // about x, then about y
    joint.type = JointType::compound;
    joint.free = {false, false, false, true, true, false};
  } else if (type == "floating") {
    joint.type = JointType::floating;
  } else if (type == "planar") {  // Drake's is the plane of x and y
    read_plane(is_drakes(element, "planar") ? Vector3::UnitZ() : joint.axis, read);
  } else {
    element.fail("type", fmt::format("'{}' is not a joint type{}; there are {}", shown(type),
                                     did_you_mean(type, types), join(types)));
  }
}

// A number that may also be infinite, in words or by its size: that is no limit. Nor is "nan".
double limit_number(const XmlElement& limit, const char* attribute, double otherwise) {
  if (!limit.has(attribute)) return otherwise;
  const std::string text = limit.text(attribute);
  if (text == "nan" || text == "NaN" || text == "-nan") return otherwise;
  const size_t sign = text.find_first_not_of("+-");
  const std::string size = sign == text.npos ? "" : text.substr(sign);
  const auto number = parse_number(text);
  for (const char* word : {"inf", "Inf", "INF", "infinity", "Infinity"})
    if (size == word || (number && std::abs(*number) > largest_number))
      return text[0] == '-' ? -infinite : infinite;
  return limit.number(attribute);
}

// Effort or velocity: a negative one says nothing, as 0 does.
double size_limit(const XmlElement& limit, const char* attribute, UrdfNotes& notes) {
  const double size = limit_number(limit, attribute, infinite);
  if (size >= 0) return size;
  notes.add("limits that are not possible and were left out",
            fmt::format("{}: {} {}", limit.where(), attribute, size));
  return 0;
}

void read_limit(const XmlElement& limit, bool ranged, Joint& joint, UrdfNotes& notes) {
  // those of a safety_controller stood here in early files
  notes.look(limit,
             {"lower", "upper", "effort", "velocity", "k_velocity", "k_position",
              "safety_length_min", "safety_length_max"},
             {});
  const double lower = limit_number(limit, "lower", 0), upper = limit_number(limit, "upper", 0);
  joint.effort = size_limit(limit, "effort", notes);
  joint.velocity = size_limit(limit, "velocity", notes);
  if (!ranged || (!limit.has("lower") && !limit.has("upper"))) return;
  if (lower >= upper) {
    notes.add("limits that are not possible and were left out",
              lower > upper
                  ? fmt::format("{}: lower {} is above upper {}", limit.where(), lower, upper)
                  : fmt::format("{}: from {} to {} nothing can move", limit.where(), lower, upper));
    return;
  }
  joint.lowest = lower;
  joint.highest = upper;
}

// Damping is modelled where the joint has directions of its own; Coulomb friction belongs to
// drives.
void read_dynamics(const XmlElement& dynamics, const std::string& type, UrdfJoint& read,
                   UrdfNotes& notes) {
  notes.look(dynamics, {"damping", "friction"}, {});
  const Joint& joint = read.joint;
  if (joint.type == JointType::fixed) return;
  if (dynamics.number_or("friction", 0) != 0)
    notes.add("Coulomb friction of joints is not modelled; drives have it, as coulomb",
              "joint " + joint.name);
  const double damping = dynamics.has("damping") ? dynamics.not_negative("damping") : 0;
  if (damping == 0) return;
  if (joint.type == JointType::floating || joint.type == JointType::spherical) {
    notes.add("damping of floating and spherical joints is not modelled",
              fmt::format("{} joint {}, {}", type, joint.name, damping));
    return;
  }
  read.spring = Spring{.damping = damping};
}

}  // namespace

bool is_urdf_joint(const XmlElement& element) {
  return element.tag() == "joint" || is_drakes(element, "ball") ||
         is_drakes(element, "universal") || is_drakes(element, "planar");
}

UrdfJoint read_urdf_joint(const XmlElement& element, UrdfNotes& notes) {
  notes.look(element, {"name", "type"},
             {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"},
             {"safety_controller", "calibration"});
  UrdfJoint read = {
      .joint = {}, .child = {}, .plane = {}, .spring = {}, .mimic = {}, .element = element};
  Joint& joint = read.joint;
  joint.name = element.text("name");
  for (const auto& [tag, link] :
       {std::pair("parent", &joint.parent), std::pair("child", &read.child)}) {
    const XmlElement end = element.at(tag);
    notes.look(end, {"link"}, {});
    *link = end.text("link");
  }
  read_type(element, read, notes);
  joint.X_PJ = read_urdf_origin(element, notes);
  const std::string type = element.text("type");
  const bool one_direction =
      joint.type == JointType::revolute || joint.type == JointType::prismatic;
  if (const auto limit = element.find("limit"))
    read_limit(*limit, one_direction && type != "continuous", joint, notes);
  if (const auto dynamics = element.find("dynamics")) read_dynamics(*dynamics, type, read, notes);
  if (const auto mimic = element.find("mimic")) {
    notes.look(*mimic, {"joint", "multiplier", "offset"}, {});
    read.mimic = {mimic->text("joint"), mimic->number_or("multiplier", 1),
                  mimic->number_or("offset", 0)};
    if (joint.type == JointType::fixed) {
      notes.add("fixed joints do not follow others", "joint " + joint.name);
      read.mimic.reset();
    } else if (!one_direction) {
      mimic->fail(fmt::format("a {} joint cannot follow another", type));
    }
  }
  return read;
}

}  // namespace tauflex

#include "tauflex/model/urdf_joint.hpp"

#include <fmt/format.h>

#include "tauflex/base/text.hpp"
#include "tauflex/model/urdf_link.hpp"

namespace tauflex {

namespace {

// The two translations in the plane and the rotation about its normal; nothing when that is skew.
std::optional<std::array<bool, 6>> planar_directions(const Vector3& normal) {
  for (int k = 0; k < 3; ++k) {
    if ((normal - Vector3::Unit(k)).norm() > 1e-12) continue;
    std::array<bool, 6> free = {true, true, true, false, false, false};
    free[k] = false;
    free[k + 3] = true;
    return free;
  }
  return std::nullopt;
}

void read_type(const XmlElement& element, Joint& joint) {
  const std::vector<std::string> types = {"fixed",     "revolute", "continuous",
                                          "prismatic", "floating", "planar"};
  const std::string type = element.text("type");
  const bool has_axis =
      type == "revolute" || type == "continuous" || type == "prismatic" || type == "planar";
  joint.axis = Vector3::UnitX();
  const auto axis = element.find("axis");
  if (axis) {
    axis->allow({"xyz"}, {});
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
  } else if (type == "floating") {
    joint.type = JointType::floating;
  } else if (type == "planar") {
    joint.type = JointType::compound;
    const auto free = planar_directions(joint.axis);
    if (!free)
      axis->fail("xyz", fmt::format("that of a planar joint must be x, y or z, got '{}'",
                                    shown(axis->text("xyz"))));
    joint.free = *free;
  } else {
    element.fail("type", fmt::format("'{}' is not a joint type{}; there are {}", shown(type),
                                     did_you_mean(type, types), join(types)));
  }
}

void read_limit(const XmlElement& limit, bool ranged, Joint& joint) {
  limit.allow({"lower", "upper", "effort", "velocity"}, {});
  const double lower = limit.number_or("lower", 0), upper = limit.number_or("upper", 0);
  if (limit.has("effort")) joint.effort = limit.not_negative("effort");
  if (limit.has("velocity")) joint.velocity = limit.not_negative("velocity");
  if (!ranged || (!limit.has("lower") && !limit.has("upper"))) return;
  if (lower > upper)
    limit.fail(fmt::format("lower must not be above upper, got {} and {}", lower, upper));
  joint.lowest = lower;
  joint.highest = upper;
}

}  // namespace

UrdfJoint read_urdf_joint(const XmlElement& element) {
  element.allow({"name", "type"}, {"origin", "parent", "child", "axis", "limit", "dynamics",
                                   "mimic", "safety_controller", "calibration"});
  UrdfJoint read = {.joint = {}, .child = {}, .spring = {}, .mimic = {}, .element = element};
  Joint& joint = read.joint;
  joint.name = element.text("name");
  for (const auto& [tag, link] :
       {std::pair("parent", &joint.parent), std::pair("child", &read.child)}) {
    const XmlElement end = element.at(tag);
    end.allow({"link"}, {});
    *link = end.text("link");
  }
  read_type(element, joint);
  joint.X_PJ = read_urdf_origin(element);
  const bool one_direction =
      joint.type == JointType::revolute || joint.type == JointType::prismatic;
  if (const auto limit = element.find("limit"))
    read_limit(*limit, one_direction && element.text("type") != "continuous", joint);
  if (const auto dynamics = element.find("dynamics")) {
    dynamics->allow({"damping", "friction"}, {});
    if (dynamics->has("friction")) dynamics->not_negative("friction");  // not modelled
    const double damping = dynamics->has("damping") ? dynamics->not_negative("damping") : 0;
    if (damping > 0 && one_direction) read.spring = Spring{.damping = damping};
    if (damping > 0 && !one_direction && joint.type != JointType::fixed)
      dynamics->fail("damping", fmt::format("cannot be that of a {} joint, got {}",
                                            element.text("type"), damping));
  }
  if (const auto mimic = element.find("mimic")) {
    mimic->allow({"joint", "multiplier", "offset"}, {});
    if (!one_direction)
      mimic->fail(fmt::format("a {} joint cannot follow another", element.text("type")));
    read.mimic = {mimic->text("joint"), mimic->number_or("multiplier", 1),
                  mimic->number_or("offset", 0)};
  }
  return read;
}

}  // namespace tauflex

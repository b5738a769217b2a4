// A joint of a URDF file: what carries its child link.
#pragma once

#include <optional>
#include <string>

#include "tauflex/base/xml_element.hpp"
#include "tauflex/model/robot_description.hpp"

namespace tauflex {

struct UrdfJoint {
  Joint joint;
  std::string child;             // name of the link it carries
  std::optional<Spring> spring;  // the damping of its bearing
  struct Mimic {                 // q = multiplier q(joint) + offset
    std::string joint;
    double multiplier, offset;
  };
  std::optional<Mimic> mimic;
  XmlElement element;
};

UrdfJoint read_urdf_joint(const XmlElement& element);  // throws InputError

}  // namespace tauflex

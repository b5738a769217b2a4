// A joint of a URDF file: what carries its child link.
#pragma once

#include <optional>
#include <string>

#include "tauflex/base/xml_element.hpp"
#include "tauflex/model/robot_description.hpp"

namespace tauflex {

struct UrdfJoint {
  Joint joint;
  // Name of the link it carries.
  std::string child;
  // The damping of its bearing.
  std::optional<Spring> spring;
  // q = multiplier q(joint) + offset
  struct Mimic {
    std::string joint;
    double multiplier, offset;
  };
  std::optional<Mimic> mimic;
  XmlElement element;
};

// throws InputError
UrdfJoint read_urdf_joint(const XmlElement& element);

}  // namespace tauflex

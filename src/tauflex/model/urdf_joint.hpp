// A joint of a URDF file: what carries its child link.
#pragma once

#include <optional>
#include <string>

#include "tauflex/base/xml_element.hpp"
#include "tauflex/model/robot_description.hpp"
#include "tauflex/model/urdf_notes.hpp"

namespace tauflex {

struct UrdfJoint {
  Joint joint;
  // Name of the link it carries.
  std::string child;
  // The directions of a planar joint in the joint frame, where its normal is not x, y or z: x and y
  // of `plane` span it.
  std::optional<Matrix3> plane;
  // The damping of its bearing: of one direction, or of each of a planar joint.
  std::optional<Spring> spring;
  // q = multiplier q(joint) + offset
  struct Mimic {
    std::string joint;
    double multiplier, offset;
  };
  std::optional<Mimic> mimic;
  XmlElement element;
};

// A joint, or one of Drake's that has its name before the colon and a type that URDF lacks.
bool is_urdf_joint(const XmlElement& element);

// Throws InputError.
UrdfJoint read_urdf_joint(const XmlElement& element, UrdfNotes& notes);

}  // namespace tauflex

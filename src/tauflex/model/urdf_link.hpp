// A link of a URDF file: its mass and what it looks like.
#pragma once

#include "tauflex/base/xml_element.hpp"
#include "tauflex/model/robot_description.hpp"

namespace tauflex {

// Without its joint. Meshes are looked for in `folder`. Throws InputError.
Link read_urdf_link(const XmlElement& element, const std::filesystem::path& folder);

// The child `origin`, xyz and rpy; no element: no offset.
Pose read_urdf_origin(const XmlElement& element);

}  // namespace tauflex

// A link of a URDF file: its mass and what it looks like.
#pragma once

#include "tauflex/base/xml_element.hpp"
#include "tauflex/model/robot_description.hpp"
#include "tauflex/model/urdf_notes.hpp"

namespace tauflex {

// Without its joint. Its mass is read strictly. Of what it looks like, whatever cannot be drawn is
// left out with a note; meshes are looked for in `folder`. Throws InputError.
Link read_urdf_link(const XmlElement& element, const std::filesystem::path& folder,
                    UrdfNotes& notes);

// The child `origin`, xyz and rpy; no element: no offset.
Pose read_urdf_origin(const XmlElement& element, UrdfNotes& notes);

}  // namespace tauflex

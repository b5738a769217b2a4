// Checks before an XML parser runs: what it would accept wrongly, or take too long for.
#pragma once

#include <string>

namespace tauflex {

// Refuses zero bytes, document types with entities, nesting deeper than 64 and elements with more
// than 64 attributes. Throws InputError, "arm.urdf:3: ...".
void check_xml_markup(const std::string& text, const std::string& file);

// `<?xml ..?>` behind comments, as older versions of xacro write it, becomes blanks; lines stay.
void blank_late_declaration(std::string& text);

}  // namespace tauflex

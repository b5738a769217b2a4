// What an XML parser would let through, or take too long for.
#pragma once

#include <string>

namespace tauflex {

// Refuses zero bytes, document types, entities of its own, nesting deeper than 64 and elements with
// more than 64 attributes. Throws InputError, "arm.urdf:3: ...".
void check_xml_markup(const std::string& text, const std::string& file);

}  // namespace tauflex

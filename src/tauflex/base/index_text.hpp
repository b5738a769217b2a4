// The number of one of several items that are said once: "link$i", "link$(i-1)", "$(i*0.2+1)".
#pragma once

#include <optional>
#include <string>

namespace tauflex {

// How an index may stand in a text.
constexpr const char* index_rule =
    "the number of an item is $i, $(i-1) or $(i*0.2+1); a $ has no other meaning here";

// None where a $ is followed by something else.
std::optional<std::string> with_index(const std::string& text, int i);

}  // namespace tauflex

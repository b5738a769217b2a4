// Options from a file, as their fields describe them.
#pragma once

#include "tauflex/base/fields.hpp"
#include "tauflex/base/node.hpp"

namespace tauflex {

// Sets the fields that the node has; the others keep their values. Throws InputError with file and
// line for unknown keys and for values out of range.
void read_fields(const Node& node, std::span<const Field> fields);

// A FieldError of options that were read from the node, with file and line: for rules between
// several fields.
[[noreturn]] void fail_at(const Node& node, const FieldError& error);

}  // namespace tauflex

// Text that goes to a reader: made safe, and numbers with units a reader can picture.
#pragma once

#include <string>
#include <string_view>

#include "tauflex/base/quantity.hpp"

namespace tauflex {

// Valid UTF-8 in one line: control characters, direction marks and broken bytes become U+FFFD, so
// that a name in a job file cannot drive a terminal.
std::string printable(std::string_view text);

// printable(), and safe inside any HTML or SVG text or quoted attribute.
std::string escape(std::string_view text);

// At most `most` characters, the last one a "…" where some were cut.
std::string shortened(const std::string& text, size_t most);

// "2.1e-9", "0.0005", "84500": without locale, without padding zeros.
std::string number(double value, int digits = 4);

// "0.012 mm", "3.4 nm", "2.1 mrad": a length in m or an angle in rad.
std::string size_text(double value, Quantity quantity, int digits = 3);

// The same with as many digits as it takes to stay on its side of the tolerance; what is below
// rounding is "< 1 nm".
std::string error_text(double value, double tolerance, Quantity quantity);

}  // namespace tauflex

// Text to numbers and back without any locale, and the "did you mean" of every error message.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tauflex {

// The whole text as a finite number, or nothing. Accepts a leading '+'.
std::optional<double> parse_number(std::string_view text);

// The shortest text that reads back as the same number.
std::string shortest(double number);

// The candidate closest to `word`, when it is close enough to be a slip of the keyboard.
std::optional<std::string> closest(std::string_view word, std::span<const std::string> candidates);

// The candidate that `word` is with one slip of the keyboard, two in words of six letters and more,
// in small or capital letters. Stricter than closest(): what is not close is another word.
std::optional<std::string> misspelt(std::string_view word, std::span<const std::string> candidates);

// "; did you mean 'mass'?" or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

// The place of `word` among `words`, -1 when it is not one of them.
int index_of(std::string_view word, std::span<const std::string> words);

// At most 40 characters of a value, for messages.
std::string shown(const std::string& value);

// "a, b, c"
std::string join(std::span<const std::string> words, std::string_view separator = ", ");

// "a, b or c"
std::string either(std::span<const std::string> words);

// "1st", "2nd", "3rd", "4th", ...
std::string ordinal(int number);

// "1 row", "3 rows"
std::string counted(size_t count, const std::string& one);

}  // namespace tauflex

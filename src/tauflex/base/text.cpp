#include "tauflex/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace tauflex {

std::optional<double> parse_number(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::string shortest(double number) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, number);
  return std::string(buffer, end);
}

namespace {

// Edits (insert, delete, replace, swap neighbours) that turn one word into the other.
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1), above, two_above;
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    two_above = std::move(above);
    above = row;
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = std::min({replaced, above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string> closest(std::string_view word, std::span<const std::string> candidates) {
  std::optional<std::string> best;
  int best_distance = 1 + static_cast<int>(word.size()) / 2;
  for (const auto& candidate : candidates) {
    if (candidate.size() > word.size() + 3 || word.size() > 100) continue;
    const int distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::optional<std::string> misspelt(std::string_view word,
                                    std::span<const std::string> candidates) {
  std::string small(word.substr(0, 100));
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (const auto& candidate : candidates) {
    const int slips = small.size() < 2 ? 0 : std::min(small.size(), candidate.size()) < 6 ? 1 : 2;
    if (edit_distance(small, candidate) <= slips) return candidate;
  }
  return std::nullopt;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const auto guess = closest(word, candidates);
  return guess ? "; did you mean '" + *guess + "'?" : "";
}

int index_of(std::string_view word, std::span<const std::string> words) {
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? -1 : static_cast<int>(found - words.begin());
}

std::string shown(const std::string& value) {
  return value.size() <= 40 ? value : value.substr(0, 37) + "...";
}

std::string join(std::span<const std::string> words, std::string_view separator) {
  std::string text;
  for (const auto& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

std::string either(std::span<const std::string> words) {
  if (words.size() < 2) return join(words);
  return join(words.first(words.size() - 1)) + " or " + words.back();
}

std::string ordinal(int number) {
  const int last = number % 10, teens = (number / 10) % 10;
  const char* suffix = teens == 1  ? "th"
                       : last == 1 ? "st"
                       : last == 2 ? "nd"
                       : last == 3 ? "rd"
                                   : "th";
  return std::to_string(number) + suffix;
}

std::string counted(size_t count, const std::string& one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

}  // namespace tauflex

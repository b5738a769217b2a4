#include "tauflex/model/urdf_notes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tauflex {

namespace {

constexpr size_t most_cases = 12, most_letters = 500;  // in one sentence

}  // namespace

UrdfNotes::Kind& UrdfNotes::kind(const std::string& sentence) {
  for (Kind& known : kinds_)
    if (known.sentence == sentence) return known;
  return kinds_.emplace_back(Kind{sentence, {}, {}});
}

void UrdfNotes::look(const XmlElement& element, std::initializer_list<const char*> attributes,
                     std::initializer_list<const char*> elements,
                     const std::vector<std::string>& further) {
  for (const auto& [what, line] : element.strangers(attributes, elements, further)) {
    Kind& ignored = kind("not known and ignored");
    const auto [said, is_new] = ignored.index.emplace(what, ignored.cases.size());
    if (is_new)
      ignored.cases.push_back({what, line, 1});
    else
      ++ignored.cases[said->second].times;
  }
}

void UrdfNotes::add(const std::string& sentence, const std::string& what) {
  // The sentence begins with the file.
  const std::string here = file_ + ":";
  const std::string brief = what.starts_with(here) ? "line " + what.substr(here.size()) : what;
  Kind& said = kind(sentence);
  if (said.index.emplace(brief, said.cases.size()).second) said.cases.push_back({brief, 0, 1});
}

std::vector<std::string> UrdfNotes::sentences() const {
  std::vector<std::string> all;
  for (const Kind& kind : kinds_) {
    std::string text = fmt::format("{}: {}: ", file_, kind.sentence);
    size_t said = 0;
    for (; said < std::min(kind.cases.size(), most_cases) && text.size() < most_letters; ++said) {
      const Case& c = kind.cases[said];
      text += (said ? ", " : "") + c.what;
      if (c.times > 1)
        text += fmt::format(" ({} times, first in line {})", c.times, c.line);
      else if (c.line > 0)
        text += fmt::format(" (line {})", c.line);
    }
    if (said < kind.cases.size()) text += fmt::format(" and {} more", kind.cases.size() - said);
    all.push_back(text);
  }
  return all;
}

}  // namespace tauflex

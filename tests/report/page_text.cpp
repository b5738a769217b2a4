#include "page_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <vector>

namespace tauflex {

std::string xml_fault(const std::string& text) {
  static const std::regex entity(R"(&(amp|lt|gt|quot|apos|#[0-9]+);)");
  static const std::regex tag(
      R"re(<(/?)([A-Za-z][A-Za-z0-9]*)((?:\s+[A-Za-z][A-Za-z-]*="[^"<]*")*)\s*(/?)>)re");
  static const std::regex attribute(R"re(\s([A-Za-z-]+)=)re");
  std::vector<std::string> open;
  size_t i = 0;
  if (text.starts_with("<!DOCTYPE html>")) i = text.find('>') + 1;
  bool had_root = false;
  for (; i < text.size(); ++i) {
    std::smatch match;
    const auto here = text.begin() + static_cast<std::ptrdiff_t>(i);
    const auto near_here = text.substr(i, 60);
    if (static_cast<unsigned char>(text[i]) < 0x20 && text[i] != '\n') return "control character";
    if (text[i] == '&') {
      if (!std::regex_search(here, text.end(), match, entity,
                             std::regex_constants::match_continuous))
        return "bare & at " + near_here;
    }
    if (text[i] != '<') {
      if (open.empty() && !std::isspace(static_cast<unsigned char>(text[i])))
        return "text outside the root at " + near_here;
      continue;
    }
    const size_t end = text.find('>', i);
    if (end == std::string::npos) return "open tag at " + near_here;
    const std::string whole = text.substr(i, end - i + 1);
    if (!std::regex_match(whole, match, tag)) return "broken tag " + near_here;
    const std::string name = match[2];
    if (match[1].length() > 0) {
      if (open.empty() || open.back() != name) return "unexpected </" + name + ">";
      open.pop_back();
    } else {
      if (open.empty() && had_root) return "second root";
      had_root = true;
      std::vector<std::string> names;
      const std::string attributes = match[3];
      for (std::sregex_iterator a(attributes.begin(), attributes.end(), attribute), none; a != none;
           ++a) {
        if (std::count(names.begin(), names.end(), (*a)[1])) return "attribute twice in " + whole;
        names.push_back((*a)[1]);
      }
      if (match[4].length() == 0) open.push_back(name);
    }
    i = end;
  }
  if (!open.empty()) return "<" + open.back() + "> is never closed";
  return had_root ? "" : "no root";
}

std::string without_paths(std::string html) {
  std::string short_text;
  for (size_t i = 0; i < html.size();) {
    const size_t begin = html.find(" d=\"", i);
    if (begin == std::string::npos) return short_text + html.substr(i);
    const size_t end = html.find('"', begin + 4);
    const std::string data = html.substr(begin + 4, end - begin - 4);
    // what a browser accepts as the data of our paths
    EXPECT_EQ(data.find_first_not_of("0123456789.,-MLHVh"), std::string::npos) << data;
    EXPECT_TRUE(data.starts_with("M")) << data;
    short_text += html.substr(i, begin - i) + " d=\"\"";
    i = end + 1;
  }
  return short_text;
}

void expect_well_formed(const std::string& html) { EXPECT_EQ(xml_fault(without_paths(html)), ""); }

size_t count(const std::string& text, const std::string& word) {
  size_t n = 0;
  for (size_t i = text.find(word); i != std::string::npos; i = text.find(word, i + word.size()))
    ++n;
  return n;
}

bool contains(const std::string& text, const std::string& word) { return count(text, word) > 0; }

}  // namespace tauflex

#include "tauflex/base/xml_markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "tauflex/base/errors.hpp"

namespace tauflex {

namespace {

constexpr int deepest_xml = 64;
constexpr int most_attributes = 64;  // the parser compares each with all others

class Markup {
 public:
  Markup(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  void check() const {
    if (const size_t zero = text_.find('\0'); zero != text_.npos)
      fail(zero, "not valid XML: a zero byte");
    int depth = 0;
    size_t at = 0;
    while ((at = text_.find_first_of("<&", at)) != text_.npos) {
      if (text_[at] == '&')
        check_entity(at++);
      else if (stands("<!--", at))
        at = behind("-->", at + 4);
      else if (stands("<![CDATA[", at))
        at = behind("]]>", at);
      else if (stands("<?", at))
        at = behind("?>", at);
      else if (stands("<!", at))
        at = end_of_type(at);
      else if (stands("</", at)) {
        if (--depth < 0) fail(at, "not valid XML: an end tag without its element");
        ++at;
      } else {
        const size_t begin = at;
        at = end_of_tag(begin);
        if (at < text_.size() && text_[at - 1] != '/' && ++depth > deepest_xml)
          fail(begin, fmt::format("nested deeper than {} levels", deepest_xml));
      }
    }
  }

 private:
  [[noreturn]] void fail(size_t at, const std::string& rule) const {
    const auto begin = text_.begin();
    const auto line = 1 + std::count(begin, begin + static_cast<std::ptrdiff_t>(at), '\n');
    throw InputError(fmt::format("{}:{}: {}", file_, line, rule));
  }
  bool stands(std::string_view word, size_t at) const {
    return std::string_view(text_).substr(at).starts_with(word);
  }

  size_t behind(const char* word, size_t at) const {
    return std::min(text_.find(word, at), text_.size());
  }

  void check_entity(size_t at) const {
    for (const char* known : {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"})
      if (stands(known, at)) return;
    if (is_character_reference(at)) return;
    fail(at,
         "entities are not read, but for &lt; &gt; &amp; &quot; &apos; and numbers of characters");
  }

  // &#10; or &#xA;
  bool is_character_reference(size_t at) const {
    const bool is_hexadecimal = stands("&#x", at);
    if (!stands("&#", at)) return false;
    const size_t first = at + (is_hexadecimal ? 3 : 2);
    const size_t end =
        text_.find_first_not_of(is_hexadecimal ? "0123456789abcdefABCDEF" : "0123456789", first);
    return end != text_.npos && end > first && end - first <= 7 && text_[end] == ';';
  }

  // Where the '>' of a document type stands; it may say where it comes from, but hold nothing.
  size_t end_of_type(size_t at) const {
    const size_t end = text_.find_first_of("[>", at);
    if (!stands("<!DOCTYPE", at) || end == text_.npos || text_[end] == '[')
      fail(at, "document types with entities are not read; remove '<!...>'");
    return end;
  }

  // Where the '>' of the tag stands, quotes skipped.
  size_t end_of_tag(size_t begin) const {
    char quote = 0;
    int attributes = 0;
    for (size_t at = begin + 1; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '&') check_entity(at);
      if (quote) {
        if (c == quote) quote = 0;
      } else if (c == '>') {
        return at;
      } else if (c == '"' || c == '\'') {
        quote = c;
        if (++attributes > most_attributes)
          fail(begin, fmt::format("an element with more than {} attributes", most_attributes));
      }
    }
    return text_.size();
  }

  const std::string& text_;
  const std::string& file_;
};

}  // namespace

void check_xml_markup(const std::string& text, const std::string& file) {
  Markup(text, file).check();
}

void blank_late_declaration(std::string& text) {
  const size_t at = text.find("<?xml "), end = text.find("?>", at == text.npos ? 0 : at);
  if (at == text.npos || end == text.npos || text.find('<') == at) return;
  for (size_t i = at; i < end + 2; ++i)
    if (text[i] != '\n') text[i] = ' ';
}

}  // namespace tauflex

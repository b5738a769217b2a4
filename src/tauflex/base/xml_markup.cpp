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
        fail(at, "document types and entities are not read; remove '<!...>'");
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
    fail(at, "entities are not read, but for &lt; &gt; &amp; &quot; &apos;");
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

}  // namespace tauflex

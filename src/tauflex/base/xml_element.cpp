#include "tauflex/base/xml_element.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <string_view>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/sizes.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/base/text_file.hpp"
#include "tauflex/base/xml_markup.hpp"

namespace tauflex {

namespace {

constexpr size_t largest_xml = 20;  // MiB
constexpr const char* blank = " \t\r\n";

const char* sentence(tinyxml2::XMLError error) {
  switch (error) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "the file is empty";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "an element is not closed, or closed by the end tag of another";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is not written as name=\"value\", or stands twice";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
      return "an element has no name or no end";
    case tinyxml2::XML_ERROR_PARSING_TEXT:
      return "text stands outside of the elements";
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return "a comment has no end";
    default:
      return "it cannot be parsed";
  }
}

std::string label(const tinyxml2::XMLElement& element) {
  const char* name = element.Attribute("name");
  return fmt::format("{}{}{}", shown(element.Name()), name && *name ? " " : "",
                     shown(name ? name : ""));
}

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> found;
  for (size_t begin = 0; (begin = text.find_first_not_of(blank, begin)) != text.npos;) {
    const size_t end = std::min(text.find_first_of(blank, begin), text.size());
    found.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return found;
}

bool among(const std::vector<std::string>& known, const std::string& name) {
  return std::find(known.begin(), known.end(), name) != known.end();
}

}  // namespace

struct XmlElement::Document {
  tinyxml2::XMLDocument xml;
  std::string file;
};

XmlElement XmlElement::read_file(const std::filesystem::path& path) {
  auto document = std::make_shared<Document>();
  document->file = path.string();
  std::string text = read_text_file(path, largest_xml);
  check_xml_markup(text, document->file);
  blank_late_declaration(text);
  tinyxml2::XMLDocument& xml = document->xml;
  if (xml.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS)
    throw InputError(fmt::format("{}:{}: not valid XML: {}", document->file,
                                 std::max(xml.ErrorLineNum(), 1), sentence(xml.ErrorID())));
  for (auto* node = xml.FirstChild(); node; node = node->NextSibling())
    if (node->ToText() || (node->ToElement() && node != xml.RootElement()))
      throw InputError(fmt::format("{}:{}: not valid XML: something stands beside the root element",
                                   document->file, node->GetLineNum()));
  if (!xml.RootElement())
    throw InputError(fmt::format("{}:1: not valid XML: there is no element", document->file));
  return XmlElement(document, xml.RootElement());
}

std::vector<XmlElement::Stranger> XmlElement::strangers(
    std::initializer_list<const char*> attributes, std::initializer_list<const char*> elements,
    const std::vector<std::string>& further) const {
  std::vector<Stranger> found;
  const auto look_at = [&](const char* what, const std::string& name, int line,
                           const std::vector<std::string>& known) {
    if (among(known, name)) return;
    if (const auto meant = misspelt(name, known))
      throw InputError(fmt::format("{}: unknown {} '{}'; did you mean '{}'?", place(line), what,
                                   shown(name), *meant));
    found.push_back({fmt::format("{} '{}' of {}", what, shown(name), shown(tag())), line});
  };
  std::vector<std::string> known(attributes.begin(), attributes.end());
  for (auto* a = element_->FirstAttribute(); a; a = a->Next())
    if (!std::string_view(a->Name()).starts_with("xmlns"))
      look_at("attribute", a->Name(), a->GetLineNum(), known);
  known.assign(elements.begin(), elements.end());
  for (auto* node = element_->FirstChild(); node; node = node->NextSibling()) {
    if (node->ToElement() && !among(further, node->Value()))
      look_at("element", node->Value(), node->GetLineNum(), known);
    if (node->ToText()) found.push_back({"text in " + shown(tag()), node->GetLineNum()});
  }
  return found;
}

std::string XmlElement::tag() const { return element_->Name(); }

std::vector<XmlElement> XmlElement::children() const {
  std::vector<XmlElement> found;
  for (auto* e = element_->FirstChildElement(); e; e = e->NextSiblingElement())
    found.push_back(XmlElement(document_, e));
  return found;
}

std::vector<XmlElement> XmlElement::children(const std::string& tag) const {
  std::vector<XmlElement> found;
  for (const XmlElement& child : children())
    if (child.tag() == tag) found.push_back(child);
  return found;
}

XmlElement XmlElement::at(const std::string& tag) const {
  const auto found = find(tag);
  if (!found) fail(fmt::format("element '{}' is missing", tag));
  return *found;
}

std::optional<XmlElement> XmlElement::find(const std::string& tag) const {
  const auto found = children(tag);
  if (found.size() > 1) found[1].fail("stands here twice");
  if (found.empty()) return std::nullopt;
  return found[0];
}

std::vector<std::string> XmlElement::values() const {
  std::vector<std::string> all;
  for (auto* a = element_->FirstAttribute(); a; a = a->Next()) all.emplace_back(a->Value());
  return all;
}

bool XmlElement::has(const char* attribute) const { return element_->Attribute(attribute); }

std::string XmlElement::text(const char* attribute) const {
  const char* value = element_->Attribute(attribute);
  if (!value) fail(fmt::format("attribute '{}' is missing", attribute));
  if (!*value) fail(attribute, "must not be empty");
  return value;
}

double XmlElement::number(const char* attribute) const { return numbers(attribute, 1)[0]; }

double XmlElement::positive(const char* attribute) const {
  const double value = number(attribute);
  if (value <= 0)
    fail(attribute, fmt::format("must be greater than 0, got {}", shown(text(attribute))));
  if (value < smallest_number)
    fail(attribute,
         fmt::format("must be at least {:g}, got {}", smallest_number, shown(text(attribute))));
  return value;
}

double XmlElement::not_negative(const char* attribute) const {
  const double value = number(attribute);
  if (value < 0)
    fail(attribute, fmt::format("must not be negative, got {}", shown(text(attribute))));
  return value;
}

Vector XmlElement::numbers(const char* attribute, int count) const {
  const std::string given = text(attribute);
  const std::vector<std::string> parts = words(given);
  Vector values(count);
  bool all = std::ssize(parts) == count;
  for (int i = 0; all && i < count; ++i) {
    const auto value = parse_number(parts[i]);
    all = value.has_value();
    values[i] = value.value_or(0);
  }
  if (!all)
    fail(attribute,
         fmt::format("expected {}, got '{}'{}",
                     count == 1 ? "a finite number" : fmt::format("{} finite numbers", count),
                     shown(given),
                     given.find("${") == given.npos
                         ? ""
                         : "; xacro computes that: expand the file with it first"));
  if (values.size() > 0 && values.cwiseAbs().maxCoeff() > largest_number)
    fail(attribute,
         fmt::format("must be at most {:g} in size, got '{}'", largest_number, shown(given)));
  return values;
}

double XmlElement::number_or(const char* attribute, double otherwise) const {
  return has(attribute) ? number(attribute) : otherwise;
}

Vector XmlElement::numbers_or(const char* attribute, const Vector& otherwise) const {
  return has(attribute) ? numbers(attribute, static_cast<int>(otherwise.size())) : otherwise;
}

int XmlElement::line() const { return element_->GetLineNum(); }

std::string XmlElement::where() const { return place(line()); }

// The element, and those around it that have a name; not the root.
std::string XmlElement::place(int line) const {
  std::string path = label(*element_);
  const tinyxml2::XMLElement* root = document_->xml.RootElement();
  for (auto* node = element_->Parent(); node && node->ToElement() != root; node = node->Parent())
    if (node->ToElement() && node->ToElement()->Attribute("name"))
      path = label(*node->ToElement()) + ": " + path;
  return fmt::format("{}:{}: {}", document_->file, line, path);
}

void XmlElement::fail(const std::string& rule) const { throw InputError(where() + ": " + rule); }

void XmlElement::fail(const char* attribute, const std::string& rule) const {
  const auto* found = element_->FindAttribute(attribute);
  throw InputError(
      fmt::format("{}: {}: {}", place(found ? found->GetLineNum() : line()), attribute, rule));
}

}  // namespace tauflex

// An element of an XML file that knows where it stands: every error names file, line, element, rule
// and value. What is unknown is told apart from what may be a misspelt word.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/base/linear_algebra.hpp"

namespace tinyxml2 {
class XMLElement;
}

namespace tauflex {

class XmlElement {
 public:
  // The root of a file. Document types and entities of its own are refused. Throws InputError.
  static XmlElement read_file(const std::filesystem::path& path);

  // What this element has besides the given attributes and elements, as a person would call it:
  // "attribute 'type' of link", "element 'sensor' of link", "text in joint". A word that may be one
  // of them with a slip of the keyboard throws InputError; one of `further` does not, nor is it
  // reported.
  struct Stranger {
    std::string what;
    int line;
  };
  std::vector<Stranger> strangers(std::initializer_list<const char*> attributes,
                                  std::initializer_list<const char*> elements,
                                  const std::vector<std::string>& further = {}) const;

  std::string tag() const;
  std::vector<XmlElement> children() const;
  std::vector<XmlElement> children(const std::string& tag) const;
  // The only one of this tag; error when missing.
  XmlElement at(const std::string& tag) const;
  std::optional<XmlElement> find(const std::string& tag) const;

  // Of all attributes.
  std::vector<std::string> values() const;
  // Attributes; errors when missing.
  bool has(const char* attribute) const;
  std::string text(const char* attribute) const;  // not empty
  double number(const char* attribute) const;     // finite
  double positive(const char* attribute) const;
  double not_negative(const char* attribute) const;
  Vector numbers(const char* attribute, int count) const;
  double number_or(const char* attribute, double otherwise) const;
  Vector numbers_or(const char* attribute, const Vector& otherwise) const;

  int line() const;
  // "arm.urdf:12: link hand: mass"
  std::string where() const;
  [[noreturn]] void fail(const std::string& rule) const;
  [[noreturn]] void fail(const char* attribute, const std::string& rule) const;

 private:
  struct Document;
  XmlElement(std::shared_ptr<const Document> document, const tinyxml2::XMLElement* element)
      : document_(std::move(document)), element_(element) {}
  std::string place(int line) const;

  std::shared_ptr<const Document> document_;
  const tinyxml2::XMLElement* element_;
};

}  // namespace tauflex

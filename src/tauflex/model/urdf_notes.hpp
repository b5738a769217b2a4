// What a reader of a URDF file left out, changed or doubts, as few sentences as there are kinds.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "tauflex/base/xml_element.hpp"

namespace tauflex {

class UrdfNotes {
 public:
  explicit UrdfNotes(const std::filesystem::path& file) : file_(file.string()) {}

  // Notes what stands in `element` beside the words that matter to mechanics. Throws InputError
  // when it may be one of these, misspelt; `further` are words that are left out without a note.
  void look(const XmlElement& element, std::initializer_list<const char*> attributes,
            std::initializer_list<const char*> elements,
            const std::vector<std::string>& further = {});

  // One more case of a sentence, "meshes that are left out of pictures", unless it was said before.
  void add(const std::string& sentence, const std::string& what);

  // "arm.urdf: ignored: element 'sensor' of link (line 12), text in joint (3 times, first in line
  // 9)"
  std::vector<std::string> sentences() const;

 private:
  struct Case {
    std::string what;
    // Of its first time; 0: it has none.
    int line;
    int times;
  };
  struct Kind {
    std::string sentence;
    std::vector<Case> cases;
    std::map<std::string, size_t> index;  // of each `what`
  };
  Kind& kind(const std::string& sentence);

  std::string file_;
  std::vector<Kind> kinds_;
};

}  // namespace tauflex

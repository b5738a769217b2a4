#include "tauflex/base/named_file.hpp"

#include "tauflex/base/text.hpp"
#include "tauflex/base/text_file.hpp"

namespace tauflex {

std::filesystem::path named_file(const Node& name) {
  const std::filesystem::path path = name.folder() / name.text();
  if (const std::string missing = missing_file(path); !missing.empty())
    name.fail(shown(name.text()) + ": " + missing);
  return path;
}

}  // namespace tauflex

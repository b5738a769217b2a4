#include "tauflex/model/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "tauflex/base/errors.hpp"

namespace tauflex {

namespace {

namespace fs = std::filesystem;

bool is_known(const fs::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending == ".stl" || ending == ".obj" || ending == ".dae";
}

bool is_inside(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

// What `name` may mean, best first.
std::vector<fs::path> candidates(const std::string& name) {
  const std::string scheme = "package://";
  if (!name.starts_with(scheme)) return {name};
  const fs::path in_package = name.substr(scheme.size());
  fs::path rest;
  for (auto part = in_package.begin(); part != in_package.end(); ++part)
    if (part != in_package.begin()) rest /= *part;
  return {in_package, rest};
}

}  // namespace

fs::path find_mesh(const std::string& name, const fs::path& folder) {
  constexpr size_t longest = 200;  // whole paths are what a person can look for
  const std::string called =
      fmt::format("mesh '{}{}'", name.substr(0, longest), name.size() > longest ? "..." : "");
  if (!is_known(name)) throw InputError(called + " is not an .stl, .obj or .dae file");
  std::error_code failed;
  const fs::path home = fs::canonical(folder.empty() ? "." : folder, failed);
  for (const fs::path& candidate : candidates(name)) {
    if (candidate.is_absolute() || candidate.string().find("://") != std::string::npos)
      throw InputError(called + " is neither a relative path nor package://...");
    const fs::path path = fs::weakly_canonical(home / candidate, failed);
    if (failed) continue;
    if (!is_inside(path, home))
      throw InputError(called + " lies outside the folder of the URDF file");
    if (fs::is_regular_file(path, failed)) return path;
  }
  throw InputError(called + " does not exist");
}

}  // namespace tauflex

#include "tauflex/base/version.hpp"

namespace tauflex {

std::string version() { return TAUFLEX_VERSION; }

}  // namespace tauflex

// What `tauflex modes` prints, as text and as JSON.
#pragma once

#include <string>

#include "tauflex/analysis/natural_modes.hpp"

namespace tauflex {

struct ModesReport {
  const Robot& robot;
  const Vector& q;
  bool drives_free;
  NaturalModes modes;
};
std::string modes_text(const ModesReport& report);
std::string modes_json(const ModesReport& report);

}  // namespace tauflex

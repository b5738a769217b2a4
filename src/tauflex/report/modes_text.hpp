// What `tauflex modes` prints, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "tauflex/analysis/natural_modes.hpp"

namespace tauflex {

struct ModesReport {
  const Robot& robot;
  const Vector& q;
  bool drives_free;
  NaturalModes modes;
};
std::string modes_text(const ModesReport& report);
// `files`: that are written with it.
std::string modes_json(const std::string& job, const ModesReport& report,
                       const std::vector<std::string>& files = {});

}  // namespace tauflex

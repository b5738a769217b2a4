#include "tauflex/report/modes_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tauflex/base/text.hpp"
#include "tauflex/base/version.hpp"
#include "tauflex/report/plain_text.hpp"

namespace tauflex {

std::string modes_text(const ModesReport& report) {
  const NaturalModes& found = report.modes;
  std::string text = fmt::format("{}, motors {}\n", counted(found.modes.size(), "mode"),
                                 report.drives_free ? "free" : "locked");
  if (!found.at_rest)
    text +=
        "The pose is not one at rest: the frequencies are those of springs as they are there.\n";
  if (found.free_motions > 0)
    text +=
        fmt::format("{} without a spring: no frequency.\n", counted(found.free_motions, "motion"));
  if (!found.falling.empty())
    text += fmt::format(
        "{} away from this pose: springs are too weak for the weight on them, and the fastest "
        "grows e-fold in {} s.\n",
        found.falling.size() == 1 ? "1 motion runs"
                                  : fmt::format("{} motions run", found.falling.size()),
        number(1 / found.falling.front(), 3));
  if (found.modes.empty()) return text;
  text += "      Hz   damping   elastic energy in\n";
  for (const NaturalMode& mode : found.modes)
    text += fmt::format("{:>8} {:>7} %   {}\n", number(mode.frequency, 5),
                        number(100 * mode.damping, 3), printable(mode.words));
  return text;
}

std::string modes_json(const std::string& job, const ModesReport& report,
                       const std::vector<std::string>& files) {
  using Json = nlohmann::ordered_json;
  Json modes = Json::array();
  for (const NaturalMode& mode : report.modes.modes) {
    Json shares = Json::object(), shape = Json::object();
    for (const NaturalMode::Share& share : mode.shares)
      if (share.fraction > 1e-6) shares[share.part] = share.fraction;
    for (int k = 0; k < report.robot.nv(); ++k)
      shape[report.robot.coordinates().velocity_names[k]] = {mode.shape[k].real(),
                                                             mode.shape[k].imag()};
    modes.push_back({{"frequency", mode.frequency},
                     {"damping", mode.damping},
                     {"what", mode.words},
                     {"energy", shares},
                     {"shape", shape}});
  }
  Json pose = Json::object();
  for (int k = 0; k < report.robot.nq(); ++k)
    pose[report.robot.coordinates().names[k]] = report.q[k];
  const Json json = {{"format", 1},
                     {"version", version()},
                     {"job", job},
                     {"files", files},
                     {"pose", pose},
                     {"motors", report.drives_free ? "free" : "locked"},
                     {"at_rest", report.modes.at_rest},
                     {"free_motions", report.modes.free_motions},
                     {"falling", report.modes.falling},
                     {"modes", modes}};
  return json.dump(2) + "\n";
}

}  // namespace tauflex

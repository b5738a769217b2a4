#include "tauflex/report/fit_table.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tauflex/report/plain_text.hpp"
#include "tauflex/report/verdict.hpp"
#include "tauflex/results/files.hpp"

namespace tauflex {

std::string fit_text(const std::string& job, const Fit& fit) {
  std::string text = printable(job) + ": durations tried, and the limit that is closest\n";
  constexpr const char* layout = "  {:<10} {:>11}  {}\n";
  text += fmt::format(layout, "profile", "duration", "closest limit");
  for (const FitTrial& trial : fit.trials)
    text += fmt::format(layout, trial.profile, fmt::format("{:.6g} s", trial.duration),
                        printable(trial.status == Status::solved
                                      ? limit_name(trial.closest) + " " + limit_value(trial.closest)
                                      : trial.message));
  if (fit.status == Status::interrupted) return text + "interrupted\n";
  return text + fmt::format("shortest within the limits: {:.6g} s ({}), {} trials\n",
                            fit.found.duration, fit.found.profile, fit.trials.size());
}

std::string fit_json(const std::string& job, const Fit& fit) {
  using Json = nlohmann::ordered_json;
  const auto row = [](const FitTrial& trial) {
    Json json = {{"profile", trial.profile},
                 {"duration", trial.duration},
                 {"status", name(trial.status)},
                 {"message", trial.message},
                 {"of", nullptr},
                 {"limit", nullptr},
                 {"margin", nullptr}};
    if (trial.status == Status::solved) {
      json["of"] = trial.closest.of;
      json["limit"] = name(trial.closest.kind);
      json["margin"] = trial.closest.margin;
    }
    return json;
  };
  Json trials = Json::array();
  for (const FitTrial& trial : fit.trials) trials.push_back(row(trial));
  const bool done = fit.status != Status::interrupted;
  return Json{{"format", 1},
              {"version", version()},
              {"job", job},
              {"found", done ? row(fit.found) : Json(nullptr)},
              {"trials", trials}}
             .dump(2) +
         "\n";
}

}  // namespace tauflex

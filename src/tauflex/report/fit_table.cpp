#include "tauflex/report/fit_table.hpp"

#include <fmt/format.h>

#include "tauflex/report/plain_text.hpp"
#include "tauflex/report/verdict.hpp"

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

}  // namespace tauflex

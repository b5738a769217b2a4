#include "tauflex/report/study_json.hpp"

#include <nlohmann/json.hpp>

#include "tauflex/base/failures.hpp"
#include "tauflex/base/version.hpp"

namespace tauflex {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string comparison_json(const std::vector<ComparedMethod>& rows) {
  const auto optional = [](const std::optional<double>& x) { return x ? Json(*x) : Json(nullptr); };
  const auto measured = [](double x) { return x > 0 ? Json(x) : Json(nullptr); };
  Json list = Json::array();
  for (const ComparedMethod& row : rows)
    list.push_back({{"method", row.method},
                    {"dynamics", row.dynamics},
                    {"status", name(row.status)},
                    {"message", row.message},
                    {"order", row.order},
                    {"step", row.step},
                    {"solve_seconds", row.seconds},
                    {"torque_error", optional(row.torque_error)},
                    {"max_tool_error_m", optional(row.tool_error_m)},
                    {"max_orientation_error_rad", optional(row.orientation_error_rad)},
                    {"newton_iterations", row.newton_iterations},
                    {"condition", measured(row.condition)},
                    {"condition_unscaled", measured(row.condition_unscaled)}});
  return list.dump(2) + "\n";
}

std::string error_json(const Error& error) {
  nlohmann::ordered_json json = {{"status", "error"},
                                 {"exit_code", static_cast<int>(error.code())},
                                 {"message", error.what()}};
  if (const Failure* failure = find_failure(error.code(), error.what()))
    json["code"] = failure->code();
  return json.dump(2) + "\n";
}

std::string fit_json(const std::string& job, const Fit& fit) {
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

#include "tauflex/report/design_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tauflex/base/text.hpp"
#include "tauflex/base/version.hpp"
#include "tauflex/report/plain_text.hpp"

namespace tauflex {

namespace {

std::string condition_words(const DesignQuestion& question) {
  std::vector<std::string> words;
  for (const Condition& condition : question.where) words.push_back(condition.text);
  return join(words, " and ");
}

std::string number_words(const std::string& text) {
  const auto number = parse_number(text);
  return number ? fmt::format("{:.6g}", *number) : text;
}

std::string trial_line(const Design& design, const DesignTrial& trial) {
  std::string line = "  ";
  for (const std::string& value : trial.row.parameters)
    line += fmt::format("{:>12}", number_words(value));
  line += fmt::format("  {:<4}", trial.keeps ? "yes" : "no");
  for (size_t i = 0; i < design.keys.size(); ++i)
    if (trial.row.kept[i])
      line += fmt::format(" {} {:.4g}", printable(design.keys[i]), *trial.row.kept[i]);
  if (trial.row.code != ExitCode::success && trial.row.code != ExitCode::proof_missed)
    line += " " + printable(trial.row.message);
  return line + "\n";
}

}  // namespace

std::string design_text(const Study& study, const Design& design) {
  const DesignQuestion& question = *study.design;
  std::string text = fmt::format("{}: values tried, and whether they keep {}\n",
                                 printable(study.name), printable(condition_words(question)));
  for (const DesignTrial& trial : design.trials) text += trial_line(design, trial);
  if (design.status == Status::interrupted) return text + "interrupted\n";
  text += fmt::format("{} that keeps {}, {} trials:\n", question.smallest ? "smallest" : "largest",
                      printable(condition_words(question)), design.trials.size());
  for (size_t i = 0; i < design.parameters.size(); ++i) {
    const std::string shown_value = number_words(design.found.row.parameters[i]);
    text += fmt::format("  {} {}", printable(design.parameters[i]), shown_value);
    if (question.parameters[i].distribution.by == ChangeBy::factor)
      text += fmt::format("{}", question.parameters[i].is_absolute()
                                    ? fmt::format(" (x{:.6g})", design.found.values[i])
                                    : " times what the job has");
    text += "\n";
  }
  for (const std::string& note : design.notes) text += fmt::format("  note: {}\n", printable(note));
  return text;
}

std::string design_json(const Study& study, const Design& design) {
  using Json = nlohmann::ordered_json;
  const DesignQuestion& question = *study.design;
  const auto trial_json = [&](const DesignTrial& trial) {
    Json json = {{"keeps", trial.keeps},
                 {"status", trial.row.status},
                 {"parameters", Json::object()},
                 {"drawn", trial.values}};
    for (size_t i = 0; i < design.parameters.size(); ++i) {
      const auto number = parse_number(trial.row.parameters[i]);
      json["parameters"][design.parameters[i]] =
          number ? Json(*number) : Json(trial.row.parameters[i]);
    }
    for (size_t i = 0; i < design.keys.size(); ++i)
      json["kept"][design.keys[i]] = trial.row.kept[i] ? Json(*trial.row.kept[i]) : Json(nullptr);
    json["message"] = trial.row.message;
    return json;
  };
  Json trials = Json::array();
  for (const DesignTrial& trial : design.trials) trials.push_back(trial_json(trial));
  return Json{{"format", 1},
              {"version", version()},
              {"study", study.name},
              {"job", study.job_name},
              {"wanted", question.smallest ? "smallest" : "largest"},
              {"where", condition_words(question)},
              {"found",
               design.status == Status::interrupted ? Json(nullptr) : trial_json(design.found)},
              {"notes", design.notes},
              {"trials", trials}}
             .dump(2) +
         "\n";
}

}  // namespace tauflex

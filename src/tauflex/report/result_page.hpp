// Everything that a page shows of one result, as scene.json holds it: verdict, numbers, drawing,
// plots, tables, facts and the job. docs/scene.md describes the file.
#pragma once

#include <complex>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/report/facts.hpp"
#include "tauflex/report/modes_text.hpp"
#include "tauflex/report/plots.hpp"
#include "tauflex/report/scene.hpp"
#include "tauflex/studies/compare.hpp"
#include "tauflex/studies/fit.hpp"

namespace tauflex {

// A number that leads the page, with all its digits for scripts.
struct PageFigure {
  std::string label, text, note;
  std::optional<double> value;
  // "good", "bad", "warn", or none of them
  std::string tone;
};

struct PageTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

// Zeros of the problem at one time of the path, 1/s.
struct PageZeros {
  double t = 0;
  std::vector<std::complex<double>> zeros;
};

struct ResultPage {
  std::string job;
  // "proved", "missed", "partial", "failed", "not_verified", "simulated", "modes"
  std::string outcome;
  // as the summary says it: "proved", "Tool error 0.012 mm", "Tolerance 1 mm: proved by .."
  std::string word, headline, sentence;
  // "limits kept"; empty where none are stated
  std::string limits;
  bool limits_exceeded = false;
  std::vector<PageFigure> figures;
  std::vector<std::string> warnings, notes, meaning;
  // Where a failed run ended; s.
  std::optional<double> failed_at;
  Scene scene;
  std::vector<Plot> plots;
  std::vector<PageZeros> zeros;
  std::vector<PageTable> tables;
  std::vector<FactGroup> facts;
  std::string job_text;
  std::vector<std::string> overrides, plant_differences;
};

ResultPage result_page(const Record& record);
ResultPage result_page(const Job& job, const FreeRun& run);
ResultPage result_page(const std::string& job, const ModesReport& report);

// Beside the result that it is about.
void add_comparison(const std::vector<ComparedMethod>& rows, ResultPage& page);
void add_trials(const Fit& fit, ResultPage& page);

// scene.json
std::string scene_json(const ResultPage& page);

// scene.json of the folder of a result, named after the folder: results of one job differ by that.
std::string scene_of_result(const std::filesystem::path& folder);

}  // namespace tauflex

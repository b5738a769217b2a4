// The smallest stiffness, largest payload or shortest duration that keeps a condition.
//
// One parameter: points between its bounds are looked at, evenly spaced, or by equal ratios where
// the bounds are positive and far apart; then the interval in front of the first point that keeps
// the condition, seen from the wanted end, is halved down to the tolerance. A condition that is
// lost again further on is noted. Several parameters: first all together, in step between their
// bounds; then each by itself, in the order of the file, as far as the condition allows while the
// others stay. In the end none of them alone can be better; another order may end elsewhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauflex/base/progress.hpp"
#include "tauflex/studies/engine.hpp"
#include "tauflex/studies/study.hpp"
#include "tauflex/studies/varied_job.hpp"

namespace tauflex {

struct DesignTrial {
  // One per parameter, as drawn: a factor where the bounds are factors.
  std::vector<double> values;
  StudyRow row;
  bool keeps = false;
};

struct Design {
  // interrupted: without an answer
  Status status = Status::solved;
  std::vector<std::string> parameters, keys;
  // In the order they were made.
  std::vector<DesignTrial> trials;
  // The answer, as a trial.
  DesignTrial found;
  // A bound that keeps the condition itself, a condition that is lost again further on.
  std::vector<std::string> notes;
  // The job with the answer in it, and its record, proved.
  std::optional<Node> job;
  std::optional<Record> record;
};

// Throws InputError when the study asks for no design, ProblemError when no value between the
// bounds keeps the condition.
Design design(const Study& study, Engine& engine, const StageProgress& progress = {});

}  // namespace tauflex

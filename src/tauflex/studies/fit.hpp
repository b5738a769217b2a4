// The shortest duration of a path within the limits of drives and joints, holds included.
//
// Times of the path are stretched until no limit is exceeded, then halved in between down to the
// tolerance. The margin need not grow with the duration: it depends on the phase in which a hand
// that rings meets the end of the path. So shorter durations down to half are looked at too, 5 %
// apart, and the shortest that respects the limits is taken.                         theory (R.2)
#pragma once

#include <string>
#include <vector>

#include "tauflex/results/limits.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {

struct FitOptions {
  // Of the duration, relative.
  double tolerance = 1e-4;
  // Orders C^m of the path to try; none: that of the job.
  std::vector<int> smoothness = {};
  // Times the duration of the job.
  double longest = 100;
  // The answer, by forward simulation.
  bool verify = true;

  std::vector<Field> fields();
  // Throws InputError naming the field, the rule and the value.
  void check() const;
};

struct FitTrial {
  // "as given", "C^5"
  std::string profile;
  // s, of the path
  double duration = 0;
  Status status = Status::solved;
  // Why it was not solved.
  std::string message = {};
  // The limit with the least margin.
  LimitMargin closest = {};

  bool respects_limits() const { return status == Status::solved && closest.margin >= 0; }
};

struct Fit {
  // interrupted: without an answer
  Status status = Status::solved;
  // In the order they were made.
  std::vector<FitTrial> trials;
  FitTrial found = {};
  // as given, with the times that were found
  Node job;
  Record record;  // of it
};

// `job` as read_job_node() gives it. Throws InputError where there is nothing to fit: no limits of
// drives, no times that could change; ProblemError where no duration respects the limits.
Fit fit(const Node& job, const std::string& name, const FitOptions& options = {},
        const StageProgress& progress = {});

}  // namespace tauflex

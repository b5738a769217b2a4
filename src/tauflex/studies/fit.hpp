// The shortest duration of a path within the limits of drives and joints, holds included.
//
// Times of the path are stretched until no limit is exceeded, then halved in between down to the
// tolerance. The margin need not grow with the duration: a hand that rings may meet the end of the
// path well or badly. So shorter durations down to half are looked at too, 5 % apart, and the
// shortest that respects the limits is taken.                                        theory (R.2)
#pragma once

#include <string>
#include <vector>

#include "tauflex/results/limits.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {

struct FitOptions {
  double tolerance = 1e-4;           // of the duration, relative
  std::vector<int> smoothness = {};  // orders C^m of the path to try; none: that of the job
  double longest = 100;              // times the duration of the job
  bool verify = true;                // the answer, by forward simulation

  std::vector<Field> fields();
  void check() const;  // throws InputError naming the field, the rule and the value
};

struct FitTrial {
  std::string profile;  // "as given", "C^5"
  double duration = 0;  // s, of the path
  Status status = Status::solved;
  std::string message = {};  // why it was not solved
  LimitMargin closest = {};  // the limit with the least margin

  bool respects_limits() const { return status == Status::solved && closest.margin >= 0; }
};

struct Fit {
  Status status = Status::solved;  // interrupted: without an answer
  std::vector<FitTrial> trials;    // in the order they were made
  FitTrial found = {};
  Node job;       // as given, with the times that were found
  Record record;  // of it
};

// `job` as read_job_node() gives it. Throws InputError where there is nothing to fit: no limits of
// drives, no times that could change; ProblemError where no duration respects the limits.
Fit fit(const Node& job, const std::string& name, const FitOptions& options = {},
        const StageProgress& progress = {});

}  // namespace tauflex

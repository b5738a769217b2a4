// When the run of a proof is measured: the tool may leave its path, or the path the tool, and be
// back at the next sample. So the tool is looked at
//   - in every sample of the solution,
//   - at least 400 times over the task, and in each sample of a controller,
//   - several times in each piece of the path, however short it is: problem/path_pieces.hpp
// The number of times is bounded by the samples, and some for each piece.
#pragma once

#include <vector>

#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/solution.hpp"

namespace tauflex {

// The times at which one segment is measured.
struct Measurements {
  Vector t;
  // Of the solution's table; -1 between two of its columns.
  std::vector<Eigen::Index> column;
};

// What these times follow from.
struct MeasuringRule {
  // s between two of them at most
  double longest;
  // At least one from each of these times to the next.
  std::vector<double> path;
};

// `sample`: that of a controller, s; 0: continuous. Throws InputError where the torques last so
// much longer than the task that the times do not fit into memory.
MeasuringRule measuring_rule(const InverseProblem& problem, const Robot& plant,
                             const Solution& solution, double sample);

// The times of the solution from column `first` to `last`, and more between them.
Measurements measured_times(const Vector& t, Eigen::Index first, Eigen::Index last,
                            const MeasuringRule& rule);

}  // namespace tauflex

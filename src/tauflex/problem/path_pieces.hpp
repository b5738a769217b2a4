// The times at which a path has to be looked at, so that no part of it is missed: a robot may be
// asked to leave a point and be back there between two samples.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauflex/problem/inverse_problem.hpp"

namespace tauflex {

// Each piece is looked at in so many parts.
constexpr int parts_per_piece = 8;

// Ordered, from the begin to the end of the problem: where pieces of the path begin and end, those
// of outputs and of driven constraints, and several times within each.
std::vector<double> path_times(const InverseProblem& problem);

// A part of the path that samples do not show.
struct SkippedPiece {
  // s
  double from, to;
  int output;
  // In the unit of the output: how far the path is there from the curve through the samples.
  double distance;
  // s between samples that would show it
  double step() const { return (to - from) / parts_per_piece; }
};

// The shortest of the pieces shorter than two steps that the samples do not show: the path leaves
// the curve through its values and rates in the samples by more than a thousandth of what the
// output moves, or by more than 1 mm or 1 mrad. None: they show all of it.
std::optional<SkippedPiece> skipped_piece(const InverseProblem& problem, const Vector& t);
// The same of samples `step` apart.
std::optional<SkippedPiece> skipped_piece(const InverseProblem& problem, double step);

// "samples 0.001 s apart do not show the path of 'tool.x' between t = 0.5002 and 0.5005 s (20 mm):
// .."
std::string skipped_text(const InverseProblem& problem, const SkippedPiece& skipped);

}  // namespace tauflex

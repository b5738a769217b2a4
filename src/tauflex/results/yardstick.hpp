// What the errors of a proof are measured by: the tolerance that the job asks for, or one that
// knows the size of the motion, and what a robot that stands still would have scored.
//   default tolerance = min(1 mm, 1 % of the error of standing still)     lengths
//                     = min(1 mrad, 1 % of the error of standing still)   angles
//                     = min(0.1 N, 1 % of the largest force)              forces
// Where nothing of a kind is asked to move, its default is the constant.
// With a default tolerance each output also has to be met to a tenth of its own motion: beside one
// that moves a metre, 1 mm would prove any motion of less than that. What moves less than a
// hundredth of the tolerance counts as standing.
#pragma once

#include <optional>

#include "tauflex/jobs/verification_options.hpp"
#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/solution.hpp"

namespace tauflex {

// One number for each kind of output; none where there is no such output.
struct OutputErrors {
  // m
  std::optional<double> length;
  // rad
  std::optional<double> angle;
  // N, and N m; of force outputs, or of all multipliers where there are no outputs at all.
  std::optional<double> force;

  // Keeps the larger of each.
  void raise(const OutputErrors& other);
};

// Of each kind the largest error of one time.
OutputErrors output_errors_of(const Outputs& outputs, const VectorRef& y, const VectorRef& y_d);

// The largest errors of a robot that stays where the path begins, and whose constraints carry
// nothing.
OutputErrors standing_still(const InverseProblem& problem, const Solution& solution);

// One number for each output: the error of a component of a position, the size of the error of an
// orientation or an axis for each of theirs.
Vector errors_of_each(const Outputs& outputs, const VectorRef& y, const VectorRef& y_d);
// The largest of them for a robot that stays where the path begins.
Vector standing_still_of_each(const InverseProblem& problem, const Solution& solution);

// The output that is off by more than a tenth of its own motion, in a sentence; none where all are
// nearer, or the tolerance was asked for. Errors and motions of each output.
std::optional<std::string> above_own_motion(const InverseProblem& problem,
                                            const VerificationOptions& options,
                                            const OutputErrors& tolerance, const Vector& errors,
                                            const Vector& motions);

// What is asked for, of each kind that there is.
OutputErrors tolerances(const VerificationOptions& options, const OutputErrors& still);

// rad or m: what no tolerance of lengths and angles could see; 1e-3 where there is none.
double negligible_motion(const OutputErrors& tolerance);

// The first kind of error that is above its tolerance, in a sentence; none: all are within.
std::optional<std::string> above_tolerance(const OutputErrors& errors,
                                           const OutputErrors& tolerance);

}  // namespace tauflex

#include "tauflex/results/yardstick.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/problem/path_pieces.hpp"

namespace tauflex {

namespace {

constexpr double default_error = 1e-3;        // m or rad
constexpr double default_force_error = 1e-1;  // N or N m
constexpr double share_of_motion = 1e-2;      // what a path may be missed by, of its own size
constexpr int path_points = 1000;             // at which a path is looked at, besides the samples

void raise_to(std::optional<double>& largest, const std::optional<double>& value) {
  // a number that is none is the largest of all
  if (value && (!largest || !(*value <= *largest))) largest = value;
}

std::optional<double> tolerance_of(const std::optional<double>& still,
                                   const std::optional<double>& asked, double constant) {
  if (!still) return std::nullopt;
  if (asked) return asked;
  return *still > 0 ? std::min(constant, share_of_motion * *still) : constant;
}

// Calls look(start, wanted) with the outputs at the start and those that are wanted at a time, for
// so many times that no piece of the path is missed.
template <class Look>
void look_along_path(const InverseProblem& problem, const Solution& solution, const Look& look) {
  const Outputs& outputs = problem.outputs();
  Vector start(outputs.count()), wanted = start;
  path_values<double>(problem.path(), problem.begin(), start);
  for (const ForceRow& row : outputs.forces) start[row.output] = 0;
  const auto look_at = [&](double t) {
    path_values<double>(problem.path(), t, wanted);
    look(start, wanted);
  };
  for (const double t : solution.t) look_at(t);
  for (const double t : path_times(problem)) look_at(t);
  for (int i = 0; i <= path_points; ++i)
    look_at(problem.begin() + (problem.end() - problem.begin()) * i / path_points);
}

}  // namespace

void OutputErrors::raise(const OutputErrors& other) {
  raise_to(length, other.length);
  raise_to(angle, other.angle);
  raise_to(force, other.force);
}

OutputErrors output_errors_of(const Outputs& outputs, const VectorRef& y, const VectorRef& y_d) {
  return {largest_error(outputs, Quantity::length, y, y_d),
          largest_error(outputs, Quantity::angle, y, y_d),
          largest_error(outputs, Quantity::force, y, y_d)};
}

Vector errors_of_each(const Outputs& outputs, const VectorRef& y, const VectorRef& y_d) {
  Vector errors = Vector::Zero(outputs.count());
  for (const OutputGroup& group : outputs.groups)
    for (const int row : group.rows)
      errors[row] = group.position() ? std::abs(y[row] - y_d[row]) : error_size(group, y, y_d);
  return errors;
}

Vector standing_still_of_each(const InverseProblem& problem, const Solution& solution) {
  Vector largest = Vector::Zero(problem.output_count());
  look_along_path(problem, solution, [&](const Vector& start, const Vector& wanted) {
    largest = largest.cwiseMax(errors_of_each(problem.outputs(), start, wanted));
  });
  return largest;
}

OutputErrors standing_still(const InverseProblem& problem, const Solution& solution) {
  const Outputs& outputs = problem.outputs();
  OutputErrors largest;
  look_along_path(problem, solution, [&](const Vector& start, const Vector& wanted) {
    largest.raise(output_errors_of(outputs, start, wanted));
  });
  if (outputs.count() == 0 && solution.lambda.size() > 0)
    largest.force = solution.lambda.cwiseAbs().maxCoeff();
  return largest;
}

OutputErrors tolerances(const VerificationOptions& options, const OutputErrors& still) {
  return {tolerance_of(still.length, options.tolerance, default_error),
          tolerance_of(still.angle, options.tolerance, default_error),
          tolerance_of(still.force, options.force_tolerance, default_force_error)};
}

std::optional<std::string> above_tolerance(const OutputErrors& errors,
                                           const OutputErrors& tolerance) {
  const auto sentence = [](const char* of, const std::optional<double>& error,
                           const std::optional<double>& most,
                           const char* unit) -> std::optional<std::string> {
    if (!error || !most || *error <= *most) return std::nullopt;
    return fmt::format("the error of the {} is {:.3g}, above the tolerance of {:.3g} {}", of,
                       *error, *most, unit);
  };
  if (auto text = sentence("tool", errors.length, tolerance.length, "m")) return text;
  if (auto text = sentence("tool", errors.angle, tolerance.angle, "rad")) return text;
  return sentence("force", errors.force, tolerance.force, "N");
}

std::optional<std::string> above_own_motion(const InverseProblem& problem,
                                            const VerificationOptions& options,
                                            const OutputErrors& tolerance, const Vector& errors,
                                            const Vector& motions) {
  constexpr double share_of_own = 0.1, standing = 1e-2;  // of its motion, of the tolerance
  for (int i = 0; i < errors.size(); ++i) {
    const Output& output = problem.outputs().rows[i];
    const bool is_force = output.quantity == Quantity::force;
    if (is_force ? options.force_tolerance : options.tolerance) continue;
    const auto& most = is_force                              ? tolerance.force
                       : output.quantity == Quantity::length ? tolerance.length
                                                             : tolerance.angle;
    if (motions[i] < standing * most.value_or(0) || errors[i] <= share_of_own * motions[i])
      continue;
    const char* unit = unit_of(output.quantity);
    return fmt::format(
        "output '{}' is off by {:.3g} {}, {:.0f} % of the {:.3g} {} that it is asked to move; a "
        "tolerance of your own (verification.{}) would accept that",
        output.name, errors[i], unit, 100 * errors[i] / motions[i], motions[i], unit,
        is_force ? "force_tolerance" : "tolerance");
  }
  return std::nullopt;
}

double negligible_motion(const OutputErrors& tolerance) {
  constexpr double usual = 1e-3;
  return std::min(tolerance.length.value_or(usual), tolerance.angle.value_or(usual));
}

}  // namespace tauflex

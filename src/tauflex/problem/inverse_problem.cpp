#include "tauflex/problem/inverse_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/mechanics/drive_train.hpp"
#include "tauflex/problem/find_outputs.hpp"
#include "tauflex/problem/posture_question.hpp"

namespace tauflex {

InverseProblem::InverseProblem(const InverseProblem&) = default;
InverseProblem::InverseProblem(InverseProblem&&) noexcept = default;
InverseProblem& InverseProblem::operator=(const InverseProblem&) = default;
InverseProblem& InverseProblem::operator=(InverseProblem&&) noexcept = default;
InverseProblem::~InverseProblem() = default;

namespace {

std::string too_few_drives(const Task& task, const Outputs& outputs, size_t drives) {
  return fmt::format(
      "{}: {} outputs but {} drive{}; remove one of: {}{}", task.where, outputs.rows.size(), drives,
      drives == 1 ? "" : "s", join(task.outputs),
      drives > 0 ? ""
                 : ", or give the joints that have a motor a drive: drive: {} in their links, or "
                   "elastic: {links: {axis1: {drive: {}}}} beside urdf");
}

}  // namespace

InverseProblem::InverseProblem(Robot robot, Task task)
    : robot_(std::move(robot)), task_(std::move(task)), near_(robot_.coordinates().neutral) {
  const auto is_force = [](const std::string& name) { return name.ends_with(".force"); };
  const auto asked = std::count_if(task_.outputs.begin(), task_.outputs.end(), is_force);
  const auto rows = robot_.constraint_count() + std::ssize(robot_.redundant_constraints());
  if (asked > rows)
    throw ProblemError(
        fmt::format("{}: {} force output{} ({}), but the robot has {} constraint row{}",
                    task_.where, asked, asked == 1 ? "" : "s", join([&] {
                      std::vector<std::string> names;
                      std::copy_if(task_.outputs.begin(), task_.outputs.end(),
                                   std::back_inserter(names), is_force);
                      return names;
                    }()),
                    rows, rows == 1 ? "" : "s"));
  outputs_ = find_outputs(robot_, task_);
  for (int rotor = robot_.tree_nq(); rotor < robot_.nq(); ++rotor)
    if (outputs_.follows_coordinate(rotor)) is_block_triangular_ = false;
  if (task_.path->size() != output_count())
    throw InputError(fmt::format("{}: {} outputs, but the path has {} values", task_.where,
                                 output_count(), task_.path->size()));
  const auto drives = robot_.actuation().drives.size();
  if (outputs_.rows.size() > drives) throw ProblemError(too_few_drives(task_, outputs_, drives));
  std::set<int> actuated, driven;
  for (const DriveLayout& drive : robot_.actuation().drives) {
    actuated.insert(drive.row());
    driven.insert(drive.joint_v);
  }
  for (int row = 0; row < robot_.nv(); ++row)
    if (!actuated.contains(row)) unactuated_rows_.push_back(row);
  for (int row = 0; row < robot_.tree_nv(); ++row)
    if (!driven.contains(row)) passive_rows_.push_back(row);

  const auto near_where = [&](const std::string& name) {
    const auto found = task_.near_where.find(name);
    return found == task_.near_where.end() ? std::string("task.start.near") : found->second;
  };
  const auto coordinate_of = [&](const std::string& name) {
    const int found = robot_.coordinates().find(name);
    if (found < 0)
      throw InputError(fmt::format("{}: '{}' is not a joint{}", near_where(name), name,
                                   did_you_mean(name, robot_.coordinates().names)));
    return found;
  };
  for (const auto& [name, value] : task_.near) {
    const int at = coordinate_of(name);
    if (const std::string doubt = degrees_doubt(robot_, at, value); !doubt.empty())
      throw InputError(near_where(name) + ": " + doubt);
    if (const auto given = task_.near_units.find(name);
        given != task_.near_units.end() &&
        (given->second == "rad") != robot_.coordinates().is_angle[at])
      throw InputError(fmt::format("{}: '{}' is measured in {}, not in {}", near_where(name), name,
                                   robot_.coordinates().is_angle[at] ? "rad" : "m", given->second));
    near_[at] = value;
  }
  // rotors follow their joints, unless they were named
  Vector rates = Vector::Zero(robot_.nv());
  DriveTrain(robot_).set_unstretched(near_, rates);
  for (const auto& [name, value] : task_.near) near_[coordinate_of(name)] = value;
}

void InverseProblem::require_determined() const {
  const auto drives = robot_.actuation().drives.size();
  if (!is_redundant() || is_complete()) return;
  throw ProblemError(fmt::format(
      "{}: {} output{} but {} drives ({}); the torques would not be unique, add {} output{}",
      task_.where, outputs_.rows.size(), outputs_.rows.size() == 1 ? "" : "s", drives,
      join(robot_.actuation().names), drives - outputs_.rows.size(),
      drives - outputs_.rows.size() == 1 ? "" : "s"));
}

InverseProblem InverseProblem::with_window(const Window& window) const {
  InverseProblem problem = *this;
  problem.task_.hold_before = window.hold_before;
  problem.task_.hold_after = window.hold_after;
  return problem;
}

std::string InverseProblem::row_name(int row) const {
  return "motion of " + robot_.coordinates().velocity_names[row];
}

std::string InverseProblem::constraint_row_name(int row) const {
  return "constraint " + robot_.constraints()[row].name;
}

std::string InverseProblem::output_row_name(int output) const {
  return "servo " + outputs_.rows[output].name;
}

template <class S>
void path_values(const OutputPath& path, const S& t, VectorOutOf<S> y) {
  if constexpr (std::is_same_v<S, double>) {
    path.derivatives(t, y);
  } else {
    const int order = t.order();
    Matrix derivatives(path.size(), order + 1);
    path.derivatives(leading(t), derivatives);
    for (int i = 0; i < path.size(); ++i) {
      y[i] = S::zero(order);
      double factorial = 1;
      for (int k = 0; k <= order; ++k) {
        if (k > 1) factorial *= k;
        y[i][k] = derivatives(i, k) / factorial;
      }
    }
  }
}

template void path_values<double>(const OutputPath&, const double&, VectorOut);
template void path_values<Jet>(const OutputPath&, const Jet&, VectorOutOf<Jet>);
template void path_values<JetOfDual>(const OutputPath&, const JetOfDual&, VectorOutOf<JetOfDual>);

}  // namespace tauflex

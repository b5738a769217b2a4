#include "tauflex/results/stated_errors.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/solvers/torque_noise.hpp"

namespace tauflex {

bool torque_is_known(const Robot& robot, const Solution& solution, int drive, double negligible) {
  if (solution.torque_errors.size() == 0 || solution.u.cols() == 0) return true;
  return solution.torque_errors[drive] <=
         largest_known_share * torque_sizes(robot, solution, negligible)[drive];
}

Vector ranges(const Matrix& q) { return q.rowwise().maxCoeff() - q.rowwise().minCoeff(); }

namespace {

// "; take a smaller step": what lowers the error of a drive's torque.
std::string remedy(const Solution& solution, const VectorRef& u, double error) {
  if (solution.order == 0) return "; take a smaller method.tolerance";
  constexpr double most_of_it = 0.1;  // the largest of many samples is several times their noise
  return torque_noise(u) > most_of_it * error && is_rounding(u)
             ? "; rounding is most of it: take a larger step, or method: jets where it applies"
             : "; take a smaller step, or method: jets where it applies";
}

}  // namespace

std::optional<std::string> unknown_torque(const Robot& robot, const Solution& solution,
                                          double negligible) {
  if (solution.torque_errors.size() == 0 || solution.u.cols() == 0) return std::nullopt;
  if (!solution.torque_errors.allFinite())
    return "the error of the torques is not known: the same method with half and with twice the "
           "step finds no solution; take another step, or method: jets where it applies";
  Eigen::Index d = 0;
  const Vector sizes = torque_sizes(robot, solution, negligible);
  if (solution.torque_errors.cwiseQuotient(sizes).maxCoeff(&d) > largest_known_share) {
    const bool turns = robot.actuation().drives[d].motor_turns;
    const double peak = solution.u.row(d).cwiseAbs().maxCoeff(), error = solution.torque_errors[d];
    return fmt::format("the torque of '{}' may be off by {:.3g} {}, its peak is {:.4g}{}",
                       robot.actuation().names[d], error, turns ? "N m" : "N", peak,
                       remedy(solution, solution.u.row(d).transpose(), error));
  }
  if (solution.motion_errors.size() == 0) return std::nullopt;
  Eigen::Index i = 0;
  const Vector range = ranges(solution.q);
  if (solution.motion_errors.cwiseQuotient(range.cwiseMax(negligible)).maxCoeff(&i) >
      largest_known_share)
    return fmt::format("coordinate '{}' may be off by {:.3g} {}, its range is {:.4g}{}",
                       robot.coordinates().names[i], solution.motion_errors[i],
                       robot.coordinates().is_angle[i] ? "rad" : "m", range[i],
                       remedy(solution, solution.q.row(i).transpose(), solution.motion_errors[i]));
  return std::nullopt;
}

}  // namespace tauflex

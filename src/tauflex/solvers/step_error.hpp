// How far a result may be off that was found with difference formulas or by an integrator: the
// method itself once more with half the step (a hundredth of the tolerance), everything else the
// same. What changes is the error: Solution::torque_errors, per drive, and motion_errors, per
// coordinate. Methods that measure their own errors are left alone.                  theory (S.2)
#pragma once

#include "tauflex/analysis/diagnosis.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {

// solve() and, where the method does not state its error, the second run. The answer is that of the
// method as given: its step, its steps and iterations. Where the second run fails, one with twice
// the step takes its place; where that fails too the errors are infinite.
Solution solve_with_error(const InverseProblem& problem, const RestState& start,
                          const Method& method, const Progress& progress = {});

// For a bdf whose step and order are left open: they are those with the least error
// among a few, starting from `first`. Where all of them leave the torques of a drive unknown the
// derivative array is tried, which differentiates equations in the place of motions.
struct ChosenSteps {
  Method method;
  Solution solution;
};
ChosenSteps solve_with_best_step(const InverseProblem& problem, const RestState& start,
                                 const Diagnosis& diagnosis, const BdfOptions& first,
                                 const Progress& progress = {});

// Of a drive's peak, and of a coordinate's range: with a larger error they are not known.
inline constexpr double largest_known_share = 0.05;

// What an error of each drive's torque is to be compared with: its own peak. A drive that has
// nothing to do has only rounding for a peak; it is the torque that moves it by `negligible` (rad
// or m) within the window instead.
Vector torque_sizes(const Robot& robot, const Solution& solution, double negligible);

}  // namespace tauflex

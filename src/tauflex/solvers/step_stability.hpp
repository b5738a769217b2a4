// Difference formulas with a fixed step amplify what they should not: a lightly damped internal
// motion x' = s x becomes, by backward differences of order k > 2, a sequence that grows. The zeros
// and the step say by how much before anything is solved.                            theory (S.1)
#pragma once

#include <complex>
#include <optional>
#include <string>

#include "tauflex/analysis/diagnosis.hpp"
#include "tauflex/solvers/method.hpp"

namespace tauflex {

// The largest root of the formula applied to x' = s x: x(t + h) / x(t) once all others have died
// out. `hs` is h times s.
double largest_root(int order, std::complex<double> hs);

// How much more the formula lets an internal motion grow than it grows by itself, at most.
struct FormulaGrowth {
  // Natural logarithm of the factor, over the window; 0: none.
  double exponent = 0;
  // 1/s: the zero that grows most.
  std::complex<double> zero = 0;
};
FormulaGrowth formula_growth(const InverseProblem& problem, const Diagnosis& diagnosis, int order,
                             double step);

// More than ten thousandfold: of 30 runs of random robots 28 had torques off by more than 5 %.
bool is_unstable(const FormulaGrowth& growth);

// Why a method with a fixed step cannot answer, with the step and the order that would do; nothing
// when it can, and for other methods.
std::optional<std::string> unstable_formula(const InverseProblem& problem, const RestState& start,
                                            const Diagnosis& diagnosis, const Method& method);

}  // namespace tauflex

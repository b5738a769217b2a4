// Which method answers a question, and why one has no answer to it.
#pragma once

#include <optional>
#include <string>

#include "tauflex/analysis/diagnosis.hpp"
#include "tauflex/solvers/method.hpp"

namespace tauflex {

// What the diagnosis recommends when the job leaves the method out.
Method choose_method(const InverseProblem& problem, const RestState& start,
                     const Diagnosis& diagnosis);

// Why a method has no answer to the question, in a sentence; nothing when it has one. Where the
// robot at rest cannot follow the path is for stop_at_rest() to say.
std::optional<std::string> unsolvable_because(const InverseProblem& problem, const RestState& start,
                                              const Diagnosis& diagnosis, const Method& method);

// Logarithm of how much an error of the internal state grows over the window, by the frozen zeros.
double growth_exponent(const InverseProblem& problem, const Diagnosis& diagnosis);
// Whether it grows so much that no torque that starts with the path can be trusted.
bool grows_away(const InverseProblem& problem, const Diagnosis& diagnosis);

}  // namespace tauflex

// Which methods answer a question, and why one has no answer to it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauflex/solvers/causal_growth.hpp"
#include "tauflex/solvers/method.hpp"

namespace tauflex {

// What the diagnosis recommends when the job leaves the method out, the best first; the others are
// for when it fails. At least one.
std::vector<Method> choose_methods(const InverseProblem& problem, const RestState& start,
                                   const Diagnosis& diagnosis, const CausalGrowth& growth);

// Why the question has no answer that a method could find, in a sentence; nothing when it may have
// one. Where the robot at rest cannot follow the path is for stop_at_rest() to say.
std::optional<std::string> unsolvable_because(const InverseProblem& problem, const RestState& start,
                                              const Diagnosis& diagnosis,
                                              const CausalGrowth& growth, const Method& method);

// Why a method does not apply to the question, in a sentence: what solve() would throw.
std::optional<std::string> inapplicable_because(const InverseProblem& problem,
                                                const RestState& start, const Method& method);

}  // namespace tauflex

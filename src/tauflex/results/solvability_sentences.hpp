// The words of a verdict: what was decided elsewhere, in sentences.
#pragma once

#include <string>
#include <vector>

#include "tauflex/jobs/pose.hpp"
#include "tauflex/results/solvability.hpp"

namespace tauflex {

// "Not solvable as posed: <reason>."
std::string no(const std::string& reason);
// "Not solved: <reason>.": a method was tried.
std::string not_solved(const std::string& reason);
// "Solvable. The torque depends on the 3rd derivative of the path; yours has 5. ..." Where it was
// not solved, only that no obstacle was found.
std::string yes(const Posed& posed, const Method& method, bool solved, int path_smoothness);

// What would make it solvable, beyond what the reason says itself: what to change.
std::vector<std::string> advice(const Posed& posed, const Solvability& result);

// What to know although it can be solved. `diagnosis`: with the index at all points.
std::vector<std::string> remarks(const Posed& posed, const Diagnosis& diagnosis);

}  // namespace tauflex

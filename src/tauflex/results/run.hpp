// The whole pipeline: the first file to read.
#pragma once

#include <functional>

#include "tauflex/planning/plan.hpp"
#include "tauflex/results/record.hpp"
#include "tauflex/results/torque_table.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {

enum class Until { solved, verified };

// Diagnose, solve, verify. Throws InputError for what cannot be read as a question.
Record run(const Job& job, Until until = Until::verified, const StageProgress& progress = {});

// The proof of a solution on a plant: its outputs, the stated errors of its torques, its motion.
Verification prove(const Robot& plant, const InverseProblem& problem, const Solution& solution,
                   const VerificationOptions& options, const Progress& progress = {});

// The proof alone, of the question that the job poses.
Record verify_table(const Job& job, const Posed& posed, const TorqueTable& table,
                    const StageProgress& progress = {});

}  // namespace tauflex

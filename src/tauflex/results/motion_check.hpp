// The proof, once more, by every coordinate instead of the outputs alone: a tool may hardly see an
// internal motion that the torques get wrong.                                        theory (S.3)
#pragma once

#include "tauflex/results/verification.hpp"

namespace tauflex {

// Whether both need the same forces for the motion of a solution.
bool is_same_plant(const Robot& plant, const Robot& model, const Solution& solution);

// Compares the run of the proof with the solution's own motion, each coordinate relative to its
// range, or to the tolerance where it moves less. Where they are more than a twentieth apart, a run
// decides whose torques are as exact as the solution has them, and which starts again wherever
// errors have grown a thousandfold: then neither the torque hold nor feedback nor growth of errors
// can be the cause.
// Writes max_motion_error and, where the motion is missed, status, message and doubt. On another
// plant it does nothing: the outputs decide.
void check_motion(const Robot& plant, const InverseProblem& problem, const Solution& solution,
                  const VerificationOptions& options, Verification& proof,
                  const Progress& progress = {});

}  // namespace tauflex

// What ordinary rigid inverse dynamics would have sent, and what the elastic robot does with it:
// the number beside which our own tool error is to be read.
//
// Every spring is locked as it stands while the robot rests at the start of the path, gears
// included, so the rigid robot stands where the elastic one does and holds it there. From then on
// its joints follow the same path, rotors turn with their joints, and the torques are those of the
// rigid robot. They run through the same simulation of the same plant, with the same feedback.
#pragma once

#include <optional>
#include <string>

#include "tauflex/results/verification.hpp"

namespace tauflex {

struct RigidAnswer {
  // Why there is none, in a sentence; empty: there is one.
  std::string left_out;
  // The simulation under the rigid torques; none where it is left out.
  std::optional<Verification> run;
};

// None for a robot without elastic parts. `start`: the elastic robot at rest; `step`: s, between
// two torques; more where a smooth curve through 400 of them will do. The mode automatic is taken
// as open loop.
std::optional<RigidAnswer> rigid_answer(const Robot& plant, const InverseProblem& problem,
                                        const Vector& start, double step,
                                        VerificationOptions options, const Progress& progress = {});

// Why the run proves nothing beside a proof that had to be cut into segments.
std::string open_loop_is_meaningless(const Verification& proof);

}  // namespace tauflex

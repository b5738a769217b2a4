// What the torques do to the same robot with beams of twice as many elements, all of whose nodes
// move: how far the mesh of the model, and the component modes it keeps, can be trusted. It stands
// beside the proof and does not decide.
#pragma once

#include <optional>
#include <string>

#include "tauflex/results/verification.hpp"

namespace tauflex {

struct FinerMesh {
  // Why there is none, in a sentence; empty: there is one.
  std::string left_out;
  // From the finer plant's own rest; none where it is left out.
  std::optional<Verification> run;
};

// None for a plant without beams.
std::optional<FinerMesh> finer_mesh(const Robot& plant, const InverseProblem& problem,
                                    const Solution& solution, VerificationOptions options,
                                    const Progress& progress = {});

}  // namespace tauflex

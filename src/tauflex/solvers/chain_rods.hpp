// An underactuated chain in a plane as rods between joints: what the literal step of the parallel
// scheme is made of, solvers/revised_chain.hpp.
#pragma once

#include <string>

#include "tauflex/elements/element_frame.hpp"
#include "tauflex/problem/inverse_problem.hpp"

namespace tauflex {

// Masses of a link between its nodes (start, end), kg, and its tension so far, N: as a number,
// which turns with the link, and as the sum of forces that do not.
struct ChainRod {
  double length;
  double m_aa, m_ab, m_bb;
  double tension = 0;
};

struct ChainRods {
  // 2 x (links + 1), in axes of the plane: joints and tip at the start.
  Matrix nodes;
  std::vector<ChainRod> rods;
  std::vector<double> directions;  // rad
};

// Throws ProblemError unless the robot is a chain in a plane whose first joint alone is driven.
void require_chain(const InverseProblem& problem, const ElementFrame& frame,
                   const std::string& revision);

// Throws ProblemError for links without mass or length, and for those that are no rods.
ChainRods chain_rods(const InverseProblem& problem, const ElementFrame& frame);

}  // namespace tauflex

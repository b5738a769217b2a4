// All solutions x of a square system of analytic equations r(x, y) = 0 at given parameters y.
//
// Over the complex numbers the solutions at two values of y belong together one by one: each moves
// continuously when y moves along a path that avoids the y at which two of them meet, and a path
// through random complex points avoids these. So
//   1. from one solution at a random y, loops of y lead to the others: a loop permutes them
//      (monodromy). This is done once for the equations.
//   2. all of them followed to any y give all solutions there.                       theory (P.20)
// When the solutions are those of y = c(x) for an analytic c, loops reach every one of them.
#pragma once

#include <functional>
#include <vector>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

using ComplexVector = VectorOf<Complex>;
using ComplexMatrix = MatrixOf<Complex>;

// Writes r and dr/dx.
using ComplexEquations = std::function<void(const ComplexVector& x, const ComplexVector& y,
                                            ComplexVector& r, ComplexMatrix& J)>;
// Makes them, for one thread.
using MakeComplexEquations = std::function<ComplexEquations()>;

struct SolutionPathOptions {
  // The search ends when so many followed paths, in at least ten loops, gave no new solution. A
  // loop of two solutions swaps them less than every second time.
  int idle_paths = 160;
  // More are not looked for.
  int most_solutions = 64;
};

// Solutions at one y. Unknowns that are angles count modulo a full turn.
struct SolutionSet {
  ComplexVector y;
  std::vector<ComplexVector> x;
};

// All solutions at y, from one of them. `reach`: how far loops go in each parameter.
SolutionSet all_solutions(const MakeComplexEquations& equations, const std::vector<bool>& is_angle,
                          const ComplexVector& y, const ComplexVector& x, const Vector& reach,
                          const SolutionPathOptions& options = {});

// Where they are at another y; those that go to infinity are left out. A solution at which two meet
// is approximate.
std::vector<ComplexVector> solutions_at(const MakeComplexEquations& equations,
                                        const std::vector<bool>& is_angle, const SolutionSet& known,
                                        const ComplexVector& y, const Vector& reach);

// Size of a - b, angles modulo a full turn.
double distance_modulo_turns(const ComplexVector& a, const ComplexVector& b,
                             const std::vector<bool>& is_angle);

}  // namespace tauflex

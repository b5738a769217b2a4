// Index reduction without hand work: which equations to differentiate, which derivatives become
// unknowns of their own. Offsets come from the structure, the choice of derivatives from pivoting
// on numbers at a point.                                                              theory (A.6)
#pragma once

#include "tauflex/analysis/structure.hpp"
#include "tauflex/equations/reduced_dae.hpp"

namespace tauflex {

// A Dae and what its structure says, at a point.
struct StructuredDae {
  Incidence incidence;
  Structure structure;
  Matrix F_x, F_xdot;
};
StructuredDae structure_of(Dae& dae, double t, const Vector& x, const Vector& xdot);

struct ReductionOptions {
  // How often equations are differentiated at most.
  int stages = 1;
  // Variables whose derivatives are replaced first where possible.
  std::vector<int> prefer = {};
  // Dummy rates stay unknowns where leaving them out would do.
  bool keep_rates = false;
};

// Stages 0 is the Dae itself. Throws ProblemError when the structure does not allow it: where the
// matrix of the highest derivatives is singular although its pattern is not.
Reduction reduce_index(const Dae& dae, const StructuredDae& at, const ReductionOptions& options);

// The same with the once differentiated equations replaced by their second derivative,
// [Moberg2009, eq. (49)]. Throws ProblemError where some are differentiated twice already.
Reduction with_second_derivatives(Reduction reduction);

// Equations and both derivatives of them, every rate row of their variables left out: eq. (48)
// there. Throws ProblemError when rows and unknowns do not match.
Reduction with_both_derivatives(const Dae& dae, const StructuredDae& at);

}  // namespace tauflex

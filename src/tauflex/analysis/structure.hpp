// What the mere occurrence of derivatives says about F(t, x, x', ...) = 0, n equations for n
// unknowns, by the Sigma-method of Pryce: how often each equation has to be differentiated until
// the highest derivatives of all unknowns follow from the equations, the index, the freedom of
// start values, and an order of solving.
//   sigma_ij            highest order of a derivative of unknown j in equation i
//   d_j - c_i >= sigma_ij, equality on a transversal of the largest sum; c >= 0 as small as it goes
//                       equation i differentiated c_i times gives derivative d_j of unknown j
// It holds for almost all values of what occurs: where the matrix of the highest derivatives is
// singular all the same, numbers have to decide.                                      theory (A.4)
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tauflex {

// Equations x unknowns; absent (-1): does not occur.
using Signature = Eigen::MatrixXi;

struct Block {
  // equations[k] is matched with variables[k]
  std::vector<int> equations, variables;
};

struct Structure {
  // Every equation can be matched with an unknown of its own.
  bool regular = true;
  // Matched with each equation; absent (-1) for those left over.
  std::vector<int> variable_of;
  // When not regular: k equations that hold k - 1 unknowns, and k unknowns that occur in k - 1
  // equations. Minimal: without any one of them the others can be matched.
  std::vector<int> overdetermined_equations;
  std::vector<int> underdetermined_variables;

  // The rest is known when every equation is matched.

  // c: how often each equation is differentiated
  std::vector<int> equation_offsets;
  // d: up to which derivative each unknown is then known
  std::vector<int> variable_offsets;
  // Largest c, + 1 when some d is 0.
  int index = 0;
  // Start values that may be chosen: sum d - sum c.
  int degrees_of_freedom = 0;
  // For the highest derivatives: entries with d_j - c_i = sigma_ij are block lower triangular, in
  // the order of solving, and no block can be split further.
  std::vector<Block> blocks;
};

Structure analyze_structure(const Signature& sigma);

// The same c by the algorithm of Pantelides: wherever the equations so far cannot be matched with
// the highest derivatives, the equations in the way are differentiated. Empty when not regular.
std::vector<int> pantelides(const Signature& sigma);

}  // namespace tauflex

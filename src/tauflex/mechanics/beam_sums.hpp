// Sums over the points of a segment of a beam, as matrices over its coordinates, over doubles.
//   sum of J_k . X_l = D_k^T (sum of L . X) for each part, from the last to the first
// L are the few columns by which a part moves: its own coordinates, and the sums that all
// coordinates before it act through. Twice as many elements take twice as long for the points, and
// four times as long for the matrices.                                              theory (B.14)
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

// r, J and carried of `m`; with their time derivatives where z_rate and z_acceleration are known.
void beam_jacobians(const BeamLayout& beam, const BeamMotion<double>& at, bool rates,
                    BeamMatrices& m);

// Columns of m.J of a part: its coordinates, then kinds of sums, then six motions of the start.
struct PartColumns {
  int first_row, rows, own, kinds;
  int moving() const { return own + kinds; }
};
PartColumns part_columns(const BeamLayout& beam, int part);

// A^T B of the rows of a part: of an element a few, of a beam in component modes many.
template <class A, class B, class Out>
void set_products(const A& a, const B& b, Out&& out) {
  constexpr int few = 48;
  if (a.rows() <= few)
    out = a.transpose().lazyProduct(b);
  else
    out.noalias() = a.transpose() * b;
}

// Before the first part that is handed on.
void start_sum(BeamSum& sum, Matrix& matrix);
// Hands a sum over the points of a part on to the coordinates; parts come from the last to the
// first. Of `sum`, near and far belong to the part, beyond to all so far. Of orders 1, 2, 3 the
// columns of far stand for carried, its rate and its acceleration.
void hand_on(const BeamLayout& beam, int part, int orders, const BeamMatrices& m, BeamSum& sum,
             Matrix& matrix);

}  // namespace tauflex

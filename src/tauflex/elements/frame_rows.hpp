// Rows of a frame of elements: what joints, loops and drivers ask for, g(x, t) = 0, and what its
// derivatives are by the displacements and turns of nodes.                            theory (E.6)
#pragma once

#include "tauflex/elements/element_frame.hpp"
#include "tauflex/math/sparse_ldlt.hpp"

namespace tauflex {

// What a driven joint shall do, counted from the start, or an output.
struct Driven {
  double value = 0, rate = 0, acceleration = 0;
  // Of an orientation, in axes of the node that sees it: A and its derivatives.
  Matrix3 turned = Matrix3::Identity(), turned_rate = Matrix3::Zero(),
          turned_acceleration = Matrix3::Zero();
};

struct RowValues {
  double g;
  // dg/dt at rest, and d2g/dt2 for accelerations of zero.
  double rate, bias;
  // By displacement and turn of node a and of node b.
  Eigen::Matrix<double, 12, 1> by;
};
// `driven`: per joint; read by rows that drive one.
RowValues row_values(const ElementFrame::Row& row, const FrameState& state,
                     const std::vector<Driven>& driven);

// Sum over entries of G: f(dof, value).
template <class F>
void for_each_entry(const ElementFrame& frame, const ElementFrame::Row& row,
                    const Eigen::Matrix<double, 12, 1>& by, const F& f) {
  for (int side = 0; side < 2; ++side) {
    const int node = side == 0 ? row.a.node : row.b.node;
    if (node < 0) continue;
    for (int k = 0; k < 6; ++k)
      if (frame.dof[node][k] >= 0) f(frame.dof[node][k], by[6 * side + k]);
  }
}

}  // namespace tauflex

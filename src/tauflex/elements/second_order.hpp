// Equations of motion of the second order with constraints,
//   M(x) a + f(x, v, t) = G(x, t)^T lambda      g(x, t) = 0                          theory (N.1)
// A pose x need not be a vector, as rotations are none: an object keeps its pose itself and moves
// it by steps, which are vectors of size() like v and a. An object is its own workspace: one per
// thread.
#pragma once

#include <vector>

#include "tauflex/math/sparse_ldlt.hpp"

namespace tauflex {

class SecondOrderSystem {
 public:
  virtual ~SecondOrderSystem() = default;
  virtual int size() const = 0;
  virtual int rows() const = 0;

  // Remembers the pose; and moves from there.
  virtual void keep_pose() = 0;
  virtual void move_from_kept(const VectorRef& step) = 0;

  // At the pose: M a + f.
  virtual void forces(double t, const VectorRef& v, const VectorRef& a, VectorOut r) = 0;
  // g, what G v must be, and what G a must be.
  virtual void constraints(double t, const VectorRef& v, VectorOut g, VectorOut rate,
                           VectorOut acceleration) = 0;
  // After constraints(): r -= G^T lambda.
  virtual void subtract_constraint_forces(const VectorRef& lambda, VectorOut r) = 0;
  // After constraints(): one half of [mass M + stiffness df/dx + damping df/dv, G^T; G, 0]. K and C
  // may be approximate.
  virtual void matrix(double mass, double stiffness, double damping,
                      std::vector<SparseLdlt::Entry>& entries) = 0;

  // Outputs c(x) - y(t) = 0 that forces along other rows make so: rows of g, one per output, whose
  // force is kept and whose value is not asked for.                                  theory (N.8)
  virtual std::vector<int> released_rows() const { return {}; }
  // c - y, what its gradient times v must be, and that times a.
  virtual void outputs(double /*t*/, const VectorRef& /*v*/, VectorOut /*c*/, VectorOut /*rate*/,
                       VectorOut /*acceleration*/) {}
  // After outputs(): entries of the gradient.
  virtual void output_matrix(std::vector<SparseLdlt::Entry>& /*entries*/) {}
};

}  // namespace tauflex

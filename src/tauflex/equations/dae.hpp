// An implicit differential-algebraic equation F(t, x, x') = 0, as many equations as unknowns (an
// inverse problem with more drives than outputs has fewer, and says so).
// An object is also its own workspace: one per thread. Exact derivatives come with it.
#pragma once

#include <string>

#include "tauflex/base/linear_algebra.hpp"
#include "tauflex/math/jet.hpp"

namespace tauflex {

// What a step of an integrator needs.
class ImplicitSystem {
 public:
  virtual ~ImplicitSystem() = default;
  virtual int size() const = 0;
  virtual std::string variable_name(int index) const = 0;
  virtual std::string equation_name(int index) const = 0;

  virtual void residual(double t, const VectorRef& x, const VectorRef& xdot, VectorOut r) = 0;
  // F_x and F_x', each size() x size().
  virtual void jacobians(double t, const VectorRef& x, const VectorRef& xdot, MatrixOut F_x,
                         MatrixOut F_xdot) = 0;
};

// With its derivative array: what an analysis needs.
class Dae : public ImplicitSystem {
 public:
  using ImplicitSystem::residual;
  // With Jets the residual's Taylor series is the derivative array.
  virtual void residual(const Jet& t, const VectorRefOf<Jet>& x, const VectorRefOf<Jet>& xdot,
                        VectorOutOf<Jet> r) = 0;
  virtual void residual(const JetOfDual& t, const VectorRefOf<JetOfDual>& x,
                        const VectorRefOf<JetOfDual>& xdot, VectorOutOf<JetOfDual> r) = 0;
};

}  // namespace tauflex

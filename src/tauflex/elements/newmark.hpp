// Newmark's method for any equations of motion of the second order:
//   x' = x + h v + h^2 ((1/2 - beta) a + beta a'),   v' = v + h ((1 - delta) a + delta a')
// with Newton to equilibrium at the end of each step            [Isobe2008, eq. (11)], theory (N.2)
// Where there are constraints, velocities are put on their derivative afterwards and accelerations
// are those of the equations of motion at the new pose. So nothing of what a step adds to the
// accelerations along a constraint is carried to the next one, where it would alternate and grow.
//                                                                                     theory (N.3)
// Order 2 with delta = 1/2, else 1 with numerical damping; newmark_rule.hpp: which are stable.
#pragma once

#include "tauflex/elements/output_border.hpp"
#include "tauflex/elements/second_order.hpp"

namespace tauflex {

struct NewmarkFormula {
  double delta = 0.5;
  double beta = 0.25;
  // Of the last correction, relative to 1 + what has moved.
  double tolerance = 1e-13;
  int max_iterations = 25;
};

class Newmark {
 public:
  Newmark(SecondOrderSystem& system, const NewmarkFormula& formula);

  // Begins at the system's pose with these velocities, put on the constraints' rates.
  void start(double t, const VectorRef& v);
  // The pose at rest closest to that of the system; false when Newton fails.
  bool settle(double t);
  // From the present time to t; false when Newton fails.
  bool step(double t);

  double time() const { return t_; }
  const Vector& v() const { return v_; }
  const Vector& a() const { return a_; }
  const Vector& lambda() const { return lambda_; }
  long iterations() const { return iterations_; }

 private:
  bool correct(double t, double mass, double stiffness, double damping);
  void put_on_constraints(double t);
  void factorize(double mass, double stiffness, double damping);
  // solved_ from right_, with outputs at `outputs`.
  void solve(const VectorRef& outputs, int refinements);

  SecondOrderSystem& system_;
  NewmarkFormula formula_;
  int n_, m_;
  OutputBorder border_;
  double t_ = 0;
  long iterations_ = 0;
  Vector v_, a_, lambda_;
  // Of a step.
  Vector step_, v_new_, a_new_, g_, rate_, acceleration_, right_, solved_, shift_;
  // Of the outputs.
  Vector c_, c_rate_, c_acceleration_;
  std::vector<SparseLdlt::Entry> entries_, output_entries_;
  SparseLdlt solver_;
};

}  // namespace tauflex

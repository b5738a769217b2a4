// A ramp with a smooth beginning: the integral of the rest-to-rest polynomial s of smoothstep.hpp.
//   R(t) = int_0^t s(x / w) dx        0 before 0,  t - w/2 after w
//        = w (x s(x) - I_x(m + 2, m + 1) / 2),   x = t/w
// with the regularised incomplete beta function I. It is C^(m+1), with s of degree 2m + 1. R' goes
// from 0 to 1 within w.                                                               theory (R.5)
#pragma once

#include "tauflex/trajectory/smoothstep.hpp"

namespace tauflex {

class SmoothRamp {
 public:
  // m of s; throws InputError.
  explicit SmoothRamp(int smoothness);

  // R and its derivatives by t; width: w > 0.
  Jet operator()(double t, double width, int order) const;
  // R(w/2) / w
  double at_middle() const { return integral(0.5); }
  // The largest s', at 1/2.
  double steepest() const { return s_(0.5, 1)[1]; }

 private:
  // int_0^x s for x <= 1/2.
  double integral(double x) const;

  int m_;
  Smoothstep s_;
};

}  // namespace tauflex

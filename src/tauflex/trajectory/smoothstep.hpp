// The rest-to-rest polynomial of odd degree 2m + 1: s(0) = 0, s(1) = 1, and its first m derivatives
// vanish at both ends.
//   s(x) = x^(m+1) sum_{k=0..m} C(m+k, k) (1 - x)^k  =  1 - s(1 - x)
// All terms are positive. Beyond 1/2 the mirrored form is used: it keeps the digits that the
// monomials 462 x^6 - 1980 x^7 + ... lose near x = 1.
#pragma once

#include <array>

#include "tauflex/math/jet.hpp"

namespace tauflex {

// How far a move has come: s is `part` in the first half, 1 - `part` in the second, so that both
// ends are met exactly.
struct StepPart {
  bool second_half;
  Jet part;
};

class Smoothstep {
 public:
  static constexpr int largest_degree = 31;

  // Odd, 1 .. 31; throws InputError.
  explicit Smoothstep(int degree);

  int degree() const { return 2 * m_ + 1; }
  int smoothness() const { return m_; }  // C^m with the rest before and after

  // s(x + h); 0 for x < 0, 1 for x >= 1
  Jet operator()(double x, int order) const;
  // Of s(t / duration).
  StepPart progress(double t, double duration, int order) const;

 private:
  Jet first_half(double x, double slope, int order) const;

  int m_;
  // C(m+k, k), k = 0 .. m
  std::array<double, largest_degree / 2 + 1> binomials_;
};

}  // namespace tauflex

// The operations of sine_cosine.hpp, over doubles or lanes of them.
//   x = n pi/2 + r,  |r| <= pi/4        n pi/2 in three parts, r as a sum of two doubles
//   sin r = r + r^3 P(r^2)              cos r = 1 - r^2/2 + r^4 Q(r^2)
// P and Q are the polynomials of degree 5 with the least greatest error, 2^-58 and 2^-64.
#pragma once

#include "tauflex/math/lanes.hpp"

namespace tauflex {

// n pi/2 is exact in its first two parts up to n = 2^13; beyond, the C library is asked.
inline constexpr double largest_reduced_angle = 12867;

template <>
struct BitsOf<double> {
  using Type = std::uint64_t;
  [[gnu::always_inline]] static Type of(double a) { return __builtin_bit_cast(Type, a); }
  [[gnu::always_inline]] static double back(Type bits) { return __builtin_bit_cast(double, bits); }
};

// For |x| up to largest_reduced_angle.
template <class S>
[[gnu::always_inline]] inline void reduced_sine_cosine(const S& x, S& sine, S& cosine) {
  // adding and taking away 1.5 2^52 rounds to a whole number, which is in the last bits meanwhile
  const S shift(0x1.8p52);
  const S shifted = x * S(0x1.45f306dc9c883p-1) + shift;
  const S n = shifted - shift;
  const S r1 = x - n * S(0x1.921fb54442p+0), second = n * S(0x1.a308d31318p-41);
  const S r2 = r1 - second;
  const S rest = ((r1 - r2) - second) - n * S(0x1.8a2e03707344ap-81);
  const S r = r2 + rest, tail = (r2 - r) + rest;

  const S z = r * r, half = z * S(0.5);
  const S P = S(-0x1.5555555555549p-3) +
              z * (S(0x1.111111110f861p-7) +
                   z * (S(-0x1.a01a019c0e4e0p-13) +
                        z * (S(0x1.71de3574bbc1ap-19) +
                             z * (S(-0x1.ae5e63ce797e5p-26) + z * S(0x1.5d92470b83e4ep-33)))));
  const S Q = S(0x1.555555555554cp-5) +
              z * (S(-0x1.6c16c16c15163p-10) +
                   z * (S(0x1.a01a019caeff2p-16) +
                        z * (S(-0x1.27e4f807dd98dp-22) +
                             z * (S(0x1.1ee9ea7153e1dp-29) + z * S(-0x1.8fadd29944fb5p-37)))));
  const S s = r + (r * z * P + (tail - half * tail));
  const S one(1), w = one - half;
  const S c = w + (((one - w) - half) + (z * z * Q - r * tail));

  // a quarter turn on: (s, c), (c, -s), (-s, -c), (-c, s)
  using Bits = BitsOf<S>;
  const typename Bits::Type quarter = Bits::of(shifted), s_bits = Bits::of(s), c_bits = Bits::of(c);
  const typename Bits::Type odd = -(quarter & 1), swapped = (s_bits ^ c_bits) & odd;
  sine = Bits::back((s_bits ^ swapped) ^ ((quarter & 2) << 62));
  cosine = Bits::back((c_bits ^ swapped) ^ (((quarter + 1) & 2) << 62));
}

}  // namespace tauflex

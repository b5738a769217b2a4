// Several doubles that are computed with at once, one per lane. Every operation is that of doubles,
// lane by lane, so that a template over a scalar gives the same bits for any number of lanes, as
// long as the compiler contracts no product and sum into one operation (-ffp-contract=off).
// Nothing here or in what includes it may be compiled into a function that has a name without the
// number of lanes in it: files with lanes are compiled for processors that not everybody has.
#pragma once

#include <cstdint>

namespace tauflex {

template <int W>
struct Lanes {
  typedef double Doubles __attribute__((vector_size(W * sizeof(double))));
  // The same anywhere in an array of doubles.
  typedef double Anywhere __attribute__((vector_size(W * sizeof(double)), aligned(sizeof(double))));
  typedef std::uint64_t Bits __attribute__((vector_size(W * sizeof(double))));
  Doubles x;

  Lanes() = default;
  [[gnu::always_inline]] Lanes(double a) : x(a - Doubles{}) {}  // NOLINT: the same in every lane
  [[gnu::always_inline]] static Lanes of(Doubles a) {
    Lanes lanes;
    lanes.x = a;
    return lanes;
  }
  [[gnu::always_inline]] static Lanes load(const double* from) {
    return of(*reinterpret_cast<const Anywhere*>(from));
  }
  [[gnu::always_inline]] void store(double* to) const { *reinterpret_cast<Anywhere*>(to) = x; }

  [[gnu::always_inline]] friend Lanes operator+(Lanes a, Lanes b) { return of(a.x + b.x); }
  [[gnu::always_inline]] friend Lanes operator-(Lanes a, Lanes b) { return of(a.x - b.x); }
  [[gnu::always_inline]] friend Lanes operator*(Lanes a, Lanes b) { return of(a.x * b.x); }
  [[gnu::always_inline]] friend Lanes operator-(Lanes a) { return of(-a.x); }
};

// Bits of each lane, and back.
template <class S>
struct BitsOf {
  using Type = typename S::Bits;
  [[gnu::always_inline]] static Type of(S a) { return reinterpret_cast<Type>(a.x); }
  [[gnu::always_inline]] static S back(Type bits) {
    return S::of(reinterpret_cast<typename S::Doubles>(bits));
  }
};

}  // namespace tauflex

// Simbody for C++20.
#pragma once

// Simbody 3.7 is older than C++20, which finds too many ways to compare two of its indices.
namespace SimTK {
template <class Index>
requires requires(const Index& i) { i.isValidExtended(); }
bool operator==(const Index& a, const Index& b) {
  return static_cast<int>(a) == static_cast<int>(b);
}
}  // namespace SimTK
#include <Simbody.h>

// Random numbers for tests: the same seed gives the same numbers on every machine.
#pragma once

#include <random>

#include "tauflex/math/rotations.hpp"

namespace tauflex {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  // Not std::uniform_real_distribution, whose numbers depend on the standard library.
  double uniform(double low, double high) { return low + (high - low) * (engine_() * 0x1p-32); }
  int below(int count) { return static_cast<int>(uniform(0, count)); }
  bool chance(double probability) { return uniform(0, 1) < probability; }

  // Entries in [-size, size).
  Vector vector(int count, double size) {
    Vector x(count);
    for (int i = 0; i < count; ++i) x[i] = uniform(-size, size);
    return x;
  }
  Vector3 vector3(double size) { return vector(3, size); }

  Vector3 direction() {
    Vector3 d = vector3(1);
    while (d.norm() < 0.1) d = vector3(1);
    return d.normalized();
  }
  Matrix3 rotation() { return rotation_from_rpy(vector3(3)); }

  // Symmetric and full.
  Matrix positive_definite(int count, double diagonal) {
    Matrix A(count, count);
    for (int i = 0; i < count; ++i) A.col(i) = vector(count, 1);
    const Matrix product = A * A.transpose() * (diagonal / count);
    return 0.5 * (product + product.transpose()) + diagonal * Matrix::Identity(count, count);
  }

 private:
  std::mt19937 engine_;
};

}  // namespace tauflex

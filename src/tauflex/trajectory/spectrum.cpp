#include "tauflex/trajectory/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace tauflex {

// |int a(t) exp(-i w t) dt| by sums over the path, in steps of half a period over its duration.
double highest_frequency(const OutputPath& path, double share) {
  constexpr int samples = 1024, frequencies = 400;
  const double T = path.duration();
  Matrix y(path.size(), 3), acceleration(path.size(), samples);
  for (int i = 0; i < samples; ++i) {
    path.derivatives(T * (i + 0.5) / samples, y);
    acceleration.col(i) = y.col(2);
  }
  double highest = 0;
  for (int output = 0; output < path.size(); ++output) {
    Vector size(frequencies);
    for (int j = 0; j < frequencies; ++j) {
      std::complex<double> sum = 0;
      const std::complex<double> turn = std::polar(1.0, -M_PI * j / samples);
      std::complex<double> phase = 1;
      for (int i = 0; i < samples; ++i, phase *= turn) sum += acceleration(output, i) * phase;
      size[j] = std::abs(sum);
    }
    const double most = size.maxCoeff();
    for (int j = 0; j < frequencies && most > 0; ++j)
      if (size[j] > share * most) highest = std::max(highest, M_PI * j / T);
  }
  return highest;
}

}  // namespace tauflex

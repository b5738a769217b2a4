// What every path obeys, checked without Jets.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

inline Matrix derivatives(const OutputPath& path, double t, int order = 15) {
  Matrix y(path.size(), order + 1);
  path.derivatives(t, y);
  return y;
}

inline double just_before(double t) {
  return std::nextafter(t, -std::numeric_limits<double>::infinity());
}

// The largest |y^(k)| on the path, for each k.
inline Vector magnitudes(const OutputPath& path, int samples = 2000) {
  Vector largest = Vector::Zero(16);
  for (int i = 0; i < samples; ++i)
    largest = largest.cwiseMax(derivatives(path, path.duration() * i / samples)
                                   .cwiseAbs()
                                   .colwise()
                                   .maxCoeff()
                                   .transpose());
  return largest;
}

// y^(k+1) is the difference quotient of y^(k), of order 8, inside each piece between two corners.
inline void expect_derivatives_match_differences(const OutputPath& path) {
  const Vector largest = magnitudes(path);
  std::vector<double> ends = {0, path.duration()};
  for (const Corner& corner : path.corners()) ends.push_back(corner.time);
  std::sort(ends.begin(), ends.end());
  for (size_t piece = 1; piece < ends.size(); ++piece) {
    const double length = ends[piece] - ends[piece - 1];
    if (length == 0) continue;
    const double h = length / 1000;
    for (int i = 0; i < 23; ++i) {
      const double t = ends[piece - 1] + length * (0.01 + 0.98 * i / 22);
      const auto pair = [&](int steps) -> Matrix {
        return derivatives(path, t + steps * h) - derivatives(path, t - steps * h);
      };
      const Matrix quotient =
          (pair(1) * (4.0 / 5) - pair(2) / 5 + pair(3) * (4.0 / 105) - pair(4) / 280) / h;
      const Matrix y = derivatives(path, t);
      for (int k = 0; k < 15; ++k)
        for (int row = 0; row < path.size(); ++row)
          // rounding of y^(k) over h, and 1e-9: truncation (w h)^8 / 630 with w < 100 / length
          EXPECT_NEAR(quotient(row, k), y(row, k + 1),
                      1e-12 * largest[k] / h + 1e-9 * largest[k + 1])
              << "output " << row << ", derivative " << k + 1 << ", t = " << t;
    }
  }
}

inline void expect_rest_before_and_after(const OutputPath& path) {
  const Matrix start = derivatives(path, 0), end = derivatives(path, path.duration());
  for (const double t : {-1e-300, -0.5, -1e9}) {
    EXPECT_EQ(derivatives(path, t).col(0), start.col(0)) << t;
    EXPECT_TRUE(derivatives(path, t).rightCols(15).isZero(0)) << t;
  }
  for (const double dt : {0.0, 0.5, 1e9}) {
    EXPECT_EQ(derivatives(path, path.duration() + dt).col(0), end.col(0)) << dt;
    EXPECT_TRUE(derivatives(path, path.duration() + dt).rightCols(15).isZero(0)) << dt;
  }
  EXPECT_LT((derivatives(path, just_before(path.duration())).col(0) - end.col(0)).norm(),
            1e-14 * (1 + end.col(0).norm()));  // one rounding of the last point
}

// At a corner its derivative jumps, most in its output, and no lower derivative does.
inline void expect_corners_jump(const OutputPath& path) {
  const Vector largest = magnitudes(path);
  double last = -1;
  for (const Corner& corner : path.corners()) {
    EXPECT_GT(corner.time, last) << "corners are ordered, one at a time";
    last = corner.time;
    ASSERT_LE(corner.derivative, 15);
    const Matrix jump =
        (derivatives(path, corner.time) - derivatives(path, just_before(corner.time))).cwiseAbs();
    for (int k = 0; k < corner.derivative; ++k)
      EXPECT_LE(jump.col(k).maxCoeff(), 1e-11 * largest[k])  // rounding of a difference
          << "derivative " << k << " at t = " << corner.time;
    EXPECT_GT(jump(corner.output, corner.derivative), 1e-6 * largest[corner.derivative]);  // real
    EXPECT_EQ(jump(corner.output, corner.derivative), jump.col(corner.derivative).maxCoeff());
  }
}

// The whole sentence of the InputError that `make` throws.
template <class Make>
std::string refusal(Make make) {
  try {
    make();
  } catch (const InputError& error) {
    return error.what();
  }
  return "(accepted)";
}

inline std::string described(const std::vector<Corner>& corners) {
  std::string text;
  for (const auto& [time, derivative, output] : corners)
    text += "t=" + shortest(time) + " k=" + std::to_string(derivative) +
            " output=" + std::to_string(output) + "; ";
  return text;
}

}  // namespace tauflex

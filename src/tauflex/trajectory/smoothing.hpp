// A smooth curve near samples that carry noise or rounding: the spline of least squares on evenly
// spaced breakpoints, of degree 2m + 1 and at rest at both ends, as the spline through points is.
// How many breakpoints there are decides how smooth it is:
//   by a tolerance     the fewest that keep every sample within it
//   by the samples     those with the least generalized cross-validation,
//                      n RSS / (n - breakpoints)^2 for each output     [CravenWahba1979]
#pragma once

#include <optional>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

struct SmoothedSamples {
  // s, and one row of values per time: the spline through them is the curve.
  Vector times;
  Matrix values;
  // How far the curve is from the samples, the largest and the root of the mean square, per output.
  Vector largest, rms;
};

// times: s, from 0, increasing; samples: one row per time; tolerance: of each output, or none: by
// the samples. Nothing when not even as many breakpoints as half the samples keep the tolerance.
std::optional<SmoothedSamples> smoothed(const VectorRef& times, const MatrixRef& samples,
                                        int smoothness, const std::optional<double>& tolerance);

}  // namespace tauflex

#include "tauflex/trajectory/sine.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/sizes.hpp"

namespace tauflex {

SinePath::SinePath(const VectorRef& center, const VectorRef& amplitude, double frequency,
                   double phase, double duration)
    : center_(center),
      amplitude_(amplitude),
      omega_(2 * M_PI * frequency),
      phase_(phase),
      duration_(duration) {
  if (center.size() != amplitude.size())
    throw InputError("center and amplitude must have the same length");
  if (!(frequency > 0) || !std::isfinite(frequency))
    throw InputError("frequency must be greater than 0");
  if (!(duration > 0) || !std::isfinite(duration))
    throw InputError("duration must be greater than 0");
}

void SinePath::derivatives(double t, MatrixOut y) const {
  double power = 1;
  for (Eigen::Index k = 0; k < y.cols(); ++k) {
    y.col(k) =
        amplitude_ * (power * std::sin(omega_ * t + phase_ + static_cast<double>(k) * M_PI / 2));
    power *= omega_;
  }
  y.col(0) += center_;
}

// Half periods, which begin at any time.
std::vector<double> SinePath::pieces(double from, double to) const {
  const double half = M_PI / omega_, count = (to - from) / half;
  require_room(fmt::format("a sine of {:.3g} Hz over {:.6g} s: its half periods",
                           omega_ / (2 * M_PI), to - from),
               count, numbers_per_piece);
  std::vector<double> times = {from};
  for (double k = 1; k < count; ++k) times.push_back(from + k * half);
  if (to > from) times.push_back(to);
  return times;
}

}  // namespace tauflex

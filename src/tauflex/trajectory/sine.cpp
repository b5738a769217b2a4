#include "tauflex/trajectory/sine.hpp"

#include <cmath>

#include "tauflex/base/errors.hpp"

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

}  // namespace tauflex

#include "tauflex/trajectory/circle.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/sizes.hpp"

namespace tauflex {

namespace {

Vector turned_by_right_angle(const Vector& radius, const std::optional<Vector3>& normal) {
  if (radius.size() == 2) {
    if (normal)
      throw InputError("a circle in two outputs turns in their plane: leave out 'normal'");
    return Vector{{-radius[1], radius[0]}};
  }
  if (radius.size() != 3)
    throw InputError(fmt::format("a circle needs 2 or 3 outputs, got {}", radius.size()));
  if (!normal) throw InputError("a circle in three outputs needs its axis 'normal'");
  if (!(normal->norm() > 0) || !normal->allFinite())
    throw InputError("'normal' must be a direction, not zero");
  const Vector3 axis = normal->normalized();
  const double along = radius.dot(axis);
  if (std::abs(along) > 1e-9 * radius.norm())
    throw InputError(fmt::format(
        "from - center must be perpendicular to normal, but reaches {:.6g} along it", along));
  return axis.cross(Vector3(radius));
}

}  // namespace

CirclePath::CirclePath(const VectorRef& from, const VectorRef& center, double angle,
                       double duration, int degree, const std::optional<Vector3>& normal)
    : angle_(angle), duration_(duration), s_(degree) {
  if (from.size() != center.size())
    throw InputError(fmt::format("a circle from {} outputs about {}", from.size(), center.size()));
  if (!from.allFinite() || !center.allFinite() || !std::isfinite(angle))
    throw InputError("from, center and angle of a circle must be finite");
  if (!(duration > 0) || !std::isfinite(duration))
    throw InputError(fmt::format("duration must be greater than 0, got {}", duration));
  const Vector radius = from - center;
  const Vector tangent = turned_by_right_angle(radius, normal);
  if (radius.isZero(0))
    throw InputError("from and center are the same point: a circle of radius 0");
  start_ = {from, radius, tangent};
  end_.radius = std::cos(angle) * radius + std::sin(angle) * tangent;
  end_.tangent = std::cos(angle) * tangent - std::sin(angle) * radius;
  end_.point = center + end_.radius;
}

void CirclePath::derivatives(double t, MatrixOut y) const {
  const int order = static_cast<int>(y.cols()) - 1;
  const auto [second_half, part] = s_.progress(t, duration_, order);
  const auto& [point, radius, tangent] = second_half ? end_ : start_;
  Jet sine, cosine;
  sin_cos((second_half ? -angle_ : angle_) * part, sine, cosine);
  cosine -= 1;
  for (int k = 0; k <= order; ++k)
    y.col(k) = cosine.derivative(k) * radius + sine.derivative(k) * tangent;
  y.col(0) += point;
}

std::vector<Corner> CirclePath::corners() const {
  if (angle_ == 0) return {};
  // the first derivative of s that jumps acts along the tangent; its square is smoother
  int first = 0, last = 0;
  start_.tangent.cwiseAbs().maxCoeff(&first);
  end_.tangent.cwiseAbs().maxCoeff(&last);
  return {{0, s_.smoothness() + 1, first}, {duration_, s_.smoothness() + 1, last}};
}

// Half turns.
std::vector<double> CirclePath::pieces(double from, double to) const {
  const double count = std::abs(angle_) / M_PI;
  require_room(fmt::format("a circle of {:.6g} rad: its half turns", angle_), count,
               numbers_per_piece);
  std::vector<double> times = {from};
  const auto add = [&](double t) {
    if (t > times.back() && t < to) times.push_back(t);
  };
  add(0);
  for (double k = 1; k < count; ++k) {
    double low = 0, high = duration_;
    for (int i = 0; i < 60; ++i) {  // s = k / count
      const double middle = (low + high) / 2;
      (s_(middle / duration_, 0)[0] * count < k ? low : high) = middle;
    }
    add(high);
  }
  add(duration_);
  if (to > from) times.push_back(to);
  return times;
}

}  // namespace tauflex

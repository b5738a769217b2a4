#include "tauflex/trajectory/line.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/base/errors.hpp"

namespace tauflex {

LinePath::LinePath(const VectorRef& from, const VectorRef& to, double duration, int degree)
    : from_(from), to_(to), duration_(duration), s_(degree) {
  if (from.size() == 0 || from.size() != to.size())
    throw InputError(fmt::format("a line from {} outputs to {}", from.size(), to.size()));
  if (!from.allFinite() || !to.allFinite()) throw InputError("the ends of a line must be finite");
  if (!(duration > 0) || !std::isfinite(duration))
    throw InputError(fmt::format("duration must be greater than 0, got {}", duration));
}

void LinePath::derivatives(double t, MatrixOut y) const {
  const int order = static_cast<int>(y.cols()) - 1;
  const auto [second_half, part] = s_.progress(t, duration_, order);
  const Vector& near = second_half ? to_ : from_;
  const Vector& far = second_half ? from_ : to_;
  for (int k = 0; k <= order; ++k) y.col(k) = (far - near) * part.derivative(k);
  y.col(0) += near;
}

std::vector<Corner> LinePath::corners() const {
  int output = 0;
  if ((to_ - from_).cwiseAbs().maxCoeff(&output) == 0) return {};
  return {{0, s_.smoothness() + 1, output}, {duration_, s_.smoothness() + 1, output}};
}

}  // namespace tauflex

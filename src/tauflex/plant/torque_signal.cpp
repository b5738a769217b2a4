#include "tauflex/plant/torque_signal.hpp"

#include <algorithm>
#include <cassert>

namespace tauflex {

TorqueSignal::TorqueSignal(Vector t, Matrix u, Hold hold)
    : t_(std::move(t)), u_(std::move(u)), hold_(hold) {
  assert(t_.size() == u_.cols() && t_.size() > 0);
}

int TorqueSignal::interval(double t) const {
  const auto after = std::upper_bound(t_.begin(), t_.end(), t);
  const auto index = static_cast<int>(after - t_.begin()) - 1;
  return std::clamp(index, 0, std::max(0, static_cast<int>(t_.size()) - 2));
}

void TorqueSignal::value(double t, int i, VectorOut u) const {
  const int n = static_cast<int>(t_.size());
  if (n == 1 || t <= t_[0]) {
    u = u_.col(0);
    return;
  }
  if (t >= t_[n - 1] && i >= n - 2 && hold_ != Hold::held) {
    u = u_.col(n - 1);
    return;
  }
  switch (hold_) {
    case Hold::held:
      u = u_.col(i);
      return;
    case Hold::linear: {
      const double x = (t - t_[i]) / (t_[i + 1] - t_[i]);
      u = u_.col(i) * (1 - x) + u_.col(i + 1) * x;
      return;
    }
    case Hold::smooth:
    case Hold::exact: {
      const int points = std::min(6, n);
      const int first = std::clamp(i - points / 2 + 1, 0, n - points);
      u.setZero();
      for (int a = first; a < first + points; ++a) {  // Lagrange
        double weight = 1;
        for (int b = first; b < first + points; ++b)
          if (b != a) weight *= (t - t_[b]) / (t_[a] - t_[b]);
        u += weight * u_.col(a);
      }
      return;
    }
  }
}

}  // namespace tauflex

#include "tauflex/solvers/torque_noise.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tauflex {

double torque_noise(const VectorRef& u) {
  constexpr double binomial[7] = {1, -6, 15, -20, 15, -6, 1};
  std::vector<double> differences;
  for (Eigen::Index i = 0; i + 6 < u.size(); ++i) {
    double sum = 0;
    for (Eigen::Index j = 0; j < 7; ++j) sum += binomial[j] * u[i + j];
    differences.push_back(std::abs(sum));
  }
  if (differences.empty()) return 0;
  const auto middle = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 2);
  std::nth_element(differences.begin(), middle, differences.end());
  return *middle / std::sqrt(924.0);
}

bool is_rounding(const VectorRef& u) {
  constexpr Eigen::Index fewest = 100;  // samples: rounding of longer steps cannot be noticed
  constexpr double same = 4;            // a vibration of at least 3.4 samples grows more
  if (u.size() < fewest) return false;
  const Vector coarser = u(Eigen::seq(0, Eigen::last, 2));
  return torque_noise(coarser) < same * torque_noise(u);
}

}  // namespace tauflex

#include "tauflex/math/equilibration.hpp"

#include <cmath>

namespace tauflex {

Scales equilibrate(Matrix sizes, int sweeps) {
  Scales scales{Vector::Ones(sizes.rows()), Vector::Ones(sizes.cols())};
  // Half of the way each time: rows and columns meet in the middle.
  const auto factor = [](double size) {
    return size > 0 ? std::exp2(-std::round(0.5 * std::log2(size))) : 1.0;
  };
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (Eigen::Index i = 0; i < sizes.rows(); ++i) {
      const double f = factor(sizes.row(i).maxCoeff());
      sizes.row(i) *= f;
      scales.rows[i] *= f;
    }
    for (Eigen::Index j = 0; j < sizes.cols(); ++j) {
      const double f = factor(sizes.col(j).maxCoeff());
      sizes.col(j) *= f;
      scales.columns[j] *= f;
    }
  }
  return scales;
}

}  // namespace tauflex

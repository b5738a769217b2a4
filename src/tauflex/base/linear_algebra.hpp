// Names for the Eigen types used everywhere; vectors of any size over any scalar.
#pragma once

#include <Eigen/Core>
#include <complex>

namespace tauflex {

template <class S>
using VectorOf = Eigen::Matrix<S, Eigen::Dynamic, 1>;
template <class S>
using MatrixOf = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
template <class S>
using VectorRefOf = Eigen::Ref<const VectorOf<S>>;
template <class S>
using VectorOutOf = Eigen::Ref<VectorOf<S>>;
template <class S>
using MatrixOutOf = Eigen::Ref<MatrixOf<S>>;

using Complex = std::complex<double>;

using Vector3 = Eigen::Matrix<double, 3, 1>;
using Matrix3 = Eigen::Matrix<double, 3, 3>;
using Vector = VectorOf<double>;
using Matrix = MatrixOf<double>;
using VectorRef = VectorRefOf<double>;
using VectorOut = VectorOutOf<double>;
using MatrixRef = Eigen::Ref<const Matrix>;
using MatrixOut = MatrixOutOf<double>;

}  // namespace tauflex

// Products of matrices of doubles are compiled once, in the .cpp file, and not in every file that
// multiplies, which was a quarter of the time to compile a room that computes: Eigen hands factors
// over here as addresses and strides. Only for files that are compiled with the options of the
// library: the precompiled headers include it, and no header of the library does.
#pragma once

#include <Eigen/Core>

namespace tauflex {

// Element (i, j) is data[i * row_stride + j * column_stride].
template <typename Number>
struct StridedMatrix {
  Number* data;
  Eigen::Index rows, columns, row_stride, column_stride;
};
using MatrixInMemory = StridedMatrix<const double>;
using ResultInMemory = StridedMatrix<double>;

template <typename Number, typename Expression>
StridedMatrix<Number> strided(Expression& x) {
  constexpr bool by_rows = bool(Expression::IsRowMajor);
  return {x.data(), x.rows(), x.cols(), by_rows ? x.outerStride() : x.innerStride(),
          by_rows ? x.innerStride() : x.outerStride()};
}

// result = alpha a b, or result += alpha a b. The result overlaps no factor.
void multiply(const ResultInMemory& result, const MatrixInMemory& a, const MatrixInMemory& b,
              double alpha, bool add);
// The same where the result is a row or a column.
void multiply_vector(const ResultInMemory& result, const MatrixInMemory& a, const MatrixInMemory& b,
                     double alpha, bool add);

template <typename A, typename B, bool is_vector>
struct CompiledProduct {
  template <typename Result>
  static void evalTo(Result& result, const A& a, const B& b) {
    run(result, a, b, 1, false);
  }
  template <typename Result>
  static void addTo(Result& result, const A& a, const B& b) {
    run(result, a, b, 1, true);
  }
  template <typename Result>
  static void subTo(Result& result, const A& a, const B& b) {
    run(result, a, b, -1, true);
  }
  template <typename Result>
  static void scaleAndAddTo(Result& result, const A& a, const B& b, double alpha) {
    run(result, a, b, alpha, true);
  }
  // A factor that lies in memory is used where it lies, its sign or scale aside; others are
  // computed first.
  template <typename Result>
  static void run(Result& result, const A& a, const B& b, double alpha, bool add) {
    using OfA = Eigen::internal::blas_traits<A>;
    using OfB = Eigen::internal::blas_traits<B>;
    const typename OfA::DirectLinearAccessType& in_a = OfA::extract(a);
    const typename OfB::DirectLinearAccessType& in_b = OfB::extract(b);
    eigen_assert(result.rows() == a.rows() && result.cols() == b.cols() && a.cols() == b.rows());
    alpha *= OfA::extractScalarFactor(a) * OfB::extractScalarFactor(b);
    (is_vector ? multiply_vector : multiply)(strided<double>(result), strided<const double>(in_a),
                                             strided<const double>(in_b), alpha, add);
  }
};

}  // namespace tauflex

namespace Eigen::internal {

template <typename A, typename B>
concept FactorsOfDoubles =
    std::is_same_v<typename A::Scalar, double> && std::is_same_v<typename B::Scalar, double>;

template <typename A, typename B>
requires FactorsOfDoubles<A, B>
struct generic_product_impl<A, B, DenseShape, DenseShape, GemmProduct>
    : tauflex::CompiledProduct<A, B, false> {
};
template <typename A, typename B>
requires FactorsOfDoubles<A, B>
struct generic_product_impl<A, B, DenseShape, DenseShape, GemvProduct>
    : tauflex::CompiledProduct<A, B, true> {
};
template <typename A, typename B>
requires FactorsOfDoubles<A, B>
struct generic_product_impl<A, B, DenseShape, DenseShape, OuterProduct>
    : tauflex::CompiledProduct<A, B, false> {
};

}  // namespace Eigen::internal

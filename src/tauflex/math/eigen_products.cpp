#include "tauflex/math/eigen_products.hpp"

namespace tauflex {

namespace {

namespace internal = Eigen::internal;  // as Eigen's macro for space on the stack names it
using Eigen::Index;
using Space = Eigen::Map<Eigen::VectorXd, 0, Eigen::InnerStride<>>;
using Numbers = Eigen::Map<const Eigen::VectorXd, 0, Eigen::InnerStride<>>;
template <int order>
using Factor = Eigen::Map<const Eigen::Matrix<double, -1, -1, order>, 0, Eigen::OuterStride<>>;
using Columns = Factor<Eigen::ColMajor>;
using Rows = Factor<Eigen::RowMajor>;

MatrixInMemory transposed(const MatrixInMemory& a) {
  return {a.data, a.columns, a.rows, a.column_stride, a.row_stride};
}
bool is_by_columns(const MatrixInMemory& a) { return a.row_stride == 1 || a.rows == 1; }
bool is_by_rows(const MatrixInMemory& a) { return a.column_stride == 1 || a.columns == 1; }
Columns columns_of(const MatrixInMemory& a) {
  return Columns(a.data, a.rows, a.columns, Eigen::OuterStride<>(a.column_stride));
}
Rows rows_of(const MatrixInMemory& a) {
  return Rows(a.data, a.rows, a.columns, Eigen::OuterStride<>(a.row_stride));
}
// Of a matrix in which neither rows nor columns are dense.
Eigen::MatrixXd copied(const MatrixInMemory& a) {
  return Eigen::Map<const Eigen::MatrixXd, 0, Eigen::Stride<-1, -1>>(
      a.data, a.rows, a.columns, Eigen::Stride<-1, -1>(a.column_stride, a.row_stride));
}
MatrixInMemory view(const Eigen::MatrixXd& a) {
  return {a.data(), a.rows(), a.cols(), 1, a.outerStride()};
}

template <int order_a, int order_b>
void multiply(double* data, Index stride, const Factor<order_a>& a, const Factor<order_b>& b,
              double alpha, bool add) {
  Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>> result(data, a.rows(), b.cols(),
                                                              Eigen::OuterStride<>(stride));
  // Eigen's own bound between sums of few terms and blocks
  if (a.cols() + a.rows() + b.cols() < EIGEN_GEMM_TO_COEFFBASED_THRESHOLD) {
    if (!add)
      result = alpha * a.lazyProduct(b);
    else if (alpha == -1)
      result -= a.lazyProduct(b);
    else
      result += alpha * a.lazyProduct(b);
    return;
  }
  if (!add) result.setZero();
  using Blocking =
      Eigen::internal::gemm_blocking_space<Eigen::ColMajor, double, double, -1, -1, -1>;
  using Blocks =
      Eigen::internal::general_matrix_matrix_product<Index, double, order_a, false, double, order_b,
                                                     false, Eigen::ColMajor, 1>;
  Blocking blocking(a.rows(), b.cols(), a.cols(), 1, true);
  Blocks::run(a.rows(), b.cols(), a.cols(), a.data(), a.outerStride(), b.data(), b.outerStride(),
              data, 1, stride, alpha, blocking);
}

// y += alpha A x
template <int order>
void add_vector(double* y, Index stride_y, const Factor<order>& A, const double* x, Index stride_x,
                double alpha) {
  constexpr int other = order == Eigen::ColMajor ? Eigen::RowMajor : Eigen::ColMajor;
  using Matrix = Eigen::internal::const_blas_data_mapper<double, Index, order>;
  using Vector = Eigen::internal::const_blas_data_mapper<double, Index, other>;
  using Sums = Eigen::internal::general_matrix_vector_product<Index, double, Matrix, order, false,
                                                              double, Vector, false>;
  Sums::run(A.rows(), A.cols(), Matrix(A.data(), A.outerStride()), Vector(x, stride_x), y, stride_y,
            alpha);
}

// Eigen's sums by columns want the elements of y beside each other, those by rows the elements of
// x.
void add_vector(double* y, Index stride_y, const MatrixInMemory& A, const double* x, Index stride_x,
                double alpha) {
  if (is_by_columns(A)) {
    if (stride_y == 1) return add_vector(y, 1, columns_of(A), x, stride_x, alpha);
    ei_declare_aligned_stack_constructed_variable(double, dense, A.rows, nullptr);
    Eigen::Map<Eigen::VectorXd>(dense, A.rows) = Space(y, A.rows, Eigen::InnerStride<>(stride_y));
    add_vector(dense, 1, columns_of(A), x, stride_x, alpha);
    Space(y, A.rows, Eigen::InnerStride<>(stride_y)) = Eigen::Map<Eigen::VectorXd>(dense, A.rows);
  } else if (is_by_rows(A)) {
    if (stride_x == 1) return add_vector(y, stride_y, rows_of(A), x, 1, alpha);
    ei_declare_aligned_stack_constructed_variable(double, dense, A.columns, nullptr);
    Eigen::Map<Eigen::VectorXd>(dense, A.columns) =
        Numbers(x, A.columns, Eigen::InnerStride<>(stride_x));
    add_vector(y, stride_y, rows_of(A), dense, 1, alpha);
  } else {
    add_vector(y, stride_y, view(copied(A)), x, stride_x, alpha);
  }
}

double dot(const double* a, Index stride_a, const double* b, Index stride_b, Index size) {
  using Dense = Eigen::Map<const Eigen::VectorXd>;
  if (stride_a == 1 && stride_b == 1) return Dense(a, size).dot(Dense(b, size));
  return Numbers(a, size, Eigen::InnerStride<>(stride_a))
      .dot(Numbers(b, size, Eigen::InnerStride<>(stride_b)));
}

void set_zero(const ResultInMemory& result) {
  for (Index j = 0; j < result.columns; ++j)
    for (Index i = 0; i < result.rows; ++i)
      result.data[i * result.row_stride + j * result.column_stride] = 0;
}

}  // namespace

void multiply_vector(const ResultInMemory& result, const MatrixInMemory& a, const MatrixInMemory& b,
                     double alpha, bool add) {
  if (result.columns == 1 && result.rows == 1) {
    const double product = alpha * dot(a.data, a.column_stride, b.data, b.row_stride, a.columns);
    result.data[0] = add ? result.data[0] + product : product;
    return;
  }
  if (!add) set_zero(result);
  if (result.columns == 1)
    add_vector(result.data, result.row_stride, a, b.data, b.row_stride, alpha);
  else
    add_vector(result.data, result.column_stride, transposed(b), a.data, a.column_stride, alpha);
}

void multiply(const ResultInMemory& result, const MatrixInMemory& a, const MatrixInMemory& b,
              double alpha, bool add) {
  if (result.rows == 0 || result.columns == 0) return;
  if (a.columns == 0) {
    if (!add) set_zero(result);
    return;
  }
  if (a.columns == 1) {
    for (Index j = 0; j < result.columns; ++j) {
      const double factor = alpha * b.data[j * b.column_stride];
      double* column = result.data + j * result.column_stride;
      for (Index i = 0; i < result.rows; ++i) {
        const double product = factor * a.data[i * a.row_stride];
        double& element = column[i * result.row_stride];
        element = add ? element + product : product;
      }
    }
    return;
  }
  if (result.columns == 1 || result.rows == 1) return multiply_vector(result, a, b, alpha, add);
  if (result.row_stride != 1) {
    if (result.column_stride == 1)
      return multiply({result.data, result.columns, result.rows, 1, result.row_stride},
                      transposed(b), transposed(a), alpha, add);
    using Spread = Eigen::Map<Eigen::MatrixXd, 0, Eigen::Stride<-1, -1>>;
    Spread spread(result.data, result.rows, result.columns,
                  Eigen::Stride<-1, -1>(result.column_stride, result.row_stride));
    Eigen::MatrixXd dense = spread;
    multiply({dense.data(), dense.rows(), dense.cols(), 1, dense.outerStride()}, a, b, alpha, add);
    spread = dense;
    return;
  }
  if (!is_by_columns(a) && !is_by_rows(a)) return multiply(result, view(copied(a)), b, alpha, add);
  if (!is_by_columns(b) && !is_by_rows(b)) return multiply(result, a, view(copied(b)), alpha, add);
  const auto into = [&](const auto& left, const auto& right) {
    multiply(result.data, result.column_stride, left, right, alpha, add);
  };
  if (is_by_columns(a))
    is_by_columns(b) ? into(columns_of(a), columns_of(b)) : into(columns_of(a), rows_of(b));
  else
    is_by_columns(b) ? into(rows_of(a), columns_of(b)) : into(rows_of(a), rows_of(b));
}

}  // namespace tauflex

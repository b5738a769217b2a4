#include "tauflex/math/decompositions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauflex/math/lu.hpp"

// LAPACK, by its Fortran names. Arguments are documented there; character arguments have one
// letter.
extern "C" {
void dgesdd_(const char* job, const int* m, const int* n, double* a, const int* lda, double* s,
             double* u, const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork,
             int* iwork, int* info);
void dgeev_(const char* left, const char* right, const int* n, double* a, const int* lda,
            double* real, double* imaginary, double* vl, const int* ldvl, double* vr,
            const int* ldvr, double* work, const int* lwork, int* info);
void dsyev_(const char* job, const char* triangle, const int* n, double* a, const int* lda,
            double* w, double* work, const int* lwork, int* info);
void dgelsy_(const int* m, const int* n, const int* columns, double* a, const int* lda, double* b,
             const int* ldb, int* pivots, const double* rcond, int* rank, double* work,
             const int* lwork, int* info);
void dgeqp3_(const int* m, const int* n, double* a, const int* lda, int* pivots, double* tau,
             double* work, const int* lwork, int* info);
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work,
             const int* lwork, int* info);
void dormqr_(const char* side, const char* transposed, const int* m, const int* n, const int* k,
             const double* a, const int* lda, const double* tau, double* c, const int* ldc,
             double* work, const int* lwork, int* info);
void dtzrzf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work,
             const int* lwork, int* info);
void dormrz_(const char* side, const char* transposed, const int* m, const int* n, const int* k,
             const int* l, const double* a, const int* lda, const double* tau, double* c,
             const int* ldc, double* work, const int* lwork, int* info);
void dpotrf_(const char* triangle, const int* n, double* a, const int* lda, int* info);
}

namespace tauflex {

namespace {

int size_of(Eigen::Index size) { return static_cast<int>(size); }

// Calls a routine twice: it says how much room it wants, then it gets it.
template <class Routine>
int with_room(const Routine& routine) {
  double wanted = 0;
  int ask = -1, info = 0;
  routine(&wanted, &ask, &info);
  int size = static_cast<int>(wanted);
  Vector work(size);
  routine(work.data(), &size, &info);
  return info;
}

// The Householder vectors of A, in place of it.
struct Reflections {
  Matrix A;
  Vector tau;
  std::vector<int> columns;  // their order, with pivoting

  Reflections(Matrix given, bool pivoting)
      : A(std::move(given)), tau(std::min(A.rows(), A.cols())) {
    const int m = size_of(A.rows()), n = size_of(A.cols()), lda = std::max(m, 1);
    if (pivoting) {
      columns.assign(A.cols(), 0);
      with_room([&](double* work, const int* room, int* info) {
        dgeqp3_(&m, &n, A.data(), &lda, columns.data(), tau.data(), work, room, info);
      });
      for (int& column : columns) --column;  // Fortran counts from 1
    } else {
      with_room([&](double* work, const int* room, int* info) {
        dgeqrf_(&m, &n, A.data(), &lda, tau.data(), work, room, info);
      });
    }
  }

  Matrix R() const { return A.triangularView<Eigen::Upper>(); }

  // C becomes Q C, or Q^T C.
  void apply(bool transposed, Matrix& C) const {
    const int m = size_of(C.rows()), n = size_of(C.cols()), k = size_of(tau.size()),
              lda = size_of(A.rows());
    if (C.size() == 0) return;
    with_room([&](double* work, const int* room, int* info) {
      dormqr_("L", transposed ? "T" : "N", &m, &n, &k, A.data(), &lda, tau.data(), C.data(), &m,
              work, room, info);
    });
  }
};

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Svd svd(const Matrix& given) {
  const int m = size_of(given.rows()), n = size_of(given.cols());
  if (given.size() == 0) return {Matrix::Identity(m, m), Vector(0), Matrix::Identity(n, n)};
  Matrix A = given, Vt(n, n);
  Svd result{Matrix(m, m), Vector(std::min(m, n)), {}};
  std::vector<int> integers(8 * std::min(m, n));
  const int info = !A.allFinite() ? 1 : with_room([&](double* work, const int* room, int* failed) {
    dgesdd_("A", &m, &n, A.data(), &m, result.sigma.data(), result.U.data(), &m, Vt.data(), &n,
            work, room, integers.data(), failed);
  });
  if (info != 0) {
    result.U.setConstant(not_a_number);
    result.sigma.setConstant(not_a_number);
    Vt.setConstant(not_a_number);
  }
  result.V = Vt.transpose();
  return result;
}

Vector singular_values(const Matrix& given) {
  const int m = size_of(given.rows()), n = size_of(given.cols()), one = 1;
  if (given.size() == 0) return Vector(0);
  Matrix A = given;
  Vector sigma(std::min(m, n));
  std::vector<int> integers(8 * std::min(m, n));
  const int info = !A.allFinite() ? 1 : with_room([&](double* work, const int* room, int* failed) {
    dgesdd_("N", &m, &n, A.data(), &m, sigma.data(), nullptr, &one, nullptr, &one, work, room,
            integers.data(), failed);
  });
  if (info != 0) sigma.setConstant(not_a_number);
  return sigma;
}

RankDecision decide_rank(const Vector& sigma, double threshold) {
  int rank = 0;
  while (rank < sigma.size() && sigma[rank] > threshold) ++rank;
  if (rank == 0) return {0, std::numeric_limits<double>::infinity()};
  const double dropped = rank < sigma.size() ? std::max(sigma[rank], 1e-18 * sigma[0]) : threshold;
  return {rank, sigma[rank - 1] / dropped};
}

namespace {

// Complex systems in twice as many real unknowns: (a + ib)(x + iy) = (ax - by) + i (bx + ay).
Matrix real_form(const Eigen::MatrixXcd& A) {
  Matrix M(2 * A.rows(), 2 * A.cols());
  M << A.real(), -A.imag(), A.imag(), A.real();
  return M;
}

Eigen::VectorXcd complex_form(const Vector& x) {
  const auto n = x.size() / 2;
  Eigen::VectorXcd z(n);
  z.real() = x.head(n);
  z.imag() = x.tail(n);
  return z;
}

}  // namespace

Eigen::VectorXcd last_right_singular_vector(const Eigen::MatrixXcd& A) {
  const Svd s = svd(real_form(A));
  return complex_form(s.V.col(s.V.cols() - 1));
}

Eigen::VectorXcd eigenvalues(const Matrix& A) { return eigensystem(A).values; }

Eigensystem eigensystem(const Matrix& given) {
  const int n = size_of(given.rows()), one = 1;
  Eigensystem result{Eigen::VectorXcd(n), Eigen::MatrixXcd(n, n)};
  if (n == 0) return result;
  Matrix A = given, V(n, n);
  Vector real(n), imaginary(n);
  const int info = !A.allFinite() ? 1 : with_room([&](double* work, const int* room, int* failed) {
    dgeev_("N", "V", &n, A.data(), &n, real.data(), imaginary.data(), nullptr, &one, V.data(), &n,
           work, room, failed);
  });
  if (info != 0) {
    real.setConstant(not_a_number);
    imaginary.setZero();
    V.setConstant(not_a_number);
  }
  result.values.real() = real;
  result.values.imag() = imaginary;
  for (int k = 0; k < n; ++k) {
    result.vectors.col(k).real() = V.col(k);
    result.vectors.col(k).imag().setZero();
    if (imaginary[k] <= 0 || k + 1 == n) continue;
    // conjugate pairs stand as real and imaginary part
    result.vectors.col(k).imag() = V.col(k + 1);
    result.vectors.col(k + 1) = result.vectors.col(k).conjugate();
    ++k;
  }
  return result;
}

Vector symmetric_eigenvalues(const Matrix& given) {
  Matrix A = given;
  const int n = size_of(A.rows());
  Vector values(n);
  with_room([&](double* work, const int* room, int* info) {
    dsyev_("N", "U", &n, A.data(), &n, values.data(), work, room, info);
  });
  return values;
}

SymmetricEigensystem symmetric_eigensystem(const Matrix& A) {
  SymmetricEigensystem result{Vector(A.rows()), A};
  const int n = size_of(A.rows());
  with_room([&](double* work, const int* room, int* info) {
    dsyev_("V", "U", &n, result.V.data(), &n, result.values.data(), work, room, info);
  });
  return result;
}

Matrix cholesky_factor(const Matrix& A) {
  Matrix R = A.triangularView<Eigen::Upper>();
  const int n = size_of(A.rows());
  int info = 0;
  if (n > 0) dpotrf_("U", &n, R.data(), &n, &info);
  if (info != 0) R.setConstant(not_a_number);
  return R;
}

ColumnOrder pivot_columns(const Matrix& A, double threshold) {
  const Reflections reflections(A, true);
  ColumnOrder result{reflections.columns};
  const Vector pivots = reflections.A.diagonal().cwiseAbs();
  for (const double pivot : pivots) result.rank += pivot > threshold * pivots[0];
  return result;
}

Matrix column_space(const Matrix& A, Eigen::Index rank) {
  Matrix Q = Matrix::Identity(A.rows(), rank);
  Reflections(A, true).apply(false, Q);
  return Q;
}

Qr qr(const Matrix& A) {
  const Reflections reflections(A, false);
  Qr result{Matrix::Identity(A.rows(), A.rows()), reflections.R()};
  reflections.apply(false, result.Q);
  return result;
}

void triangularize(Matrix& A, Eigen::Index count) {
  const Reflections reflections(A.leftCols(count), false);
  Matrix rest = A.rightCols(A.cols() - count);
  reflections.apply(true, rest);
  A << reflections.R(), rest;
}

double condition_number(const Matrix& A) {
  const auto norm = [](const Matrix& M) { return M.cwiseAbs().colwise().sum().maxCoeff(); };
  return A.size() == 0 ? 1 : norm(A) * norm(Lu(A).solve(Matrix::Identity(A.rows(), A.cols())));
}

// Pade approximation of degree 13 of exp(A / 2^s), squared s times [Higham2005, algorithm 2.3].
Matrix exponential(const Matrix& A) {
  constexpr double b[] = {64764752532480000,
                          32382376266240000,
                          7771770303897600,
                          1187353796428800,
                          129060195264000,
                          10559470521600,
                          670442572800,
                          33522128640,
                          1323241920,
                          40840800,
                          960960,
                          16380,
                          182,
                          1};
  constexpr double largest = 5.37;  // norm up to which the approximation is exact to rounding
  if (A.size() == 0) return A;
  const double norm = A.cwiseAbs().colwise().sum().maxCoeff();
  const int squarings = norm > largest ? static_cast<int>(std::ceil(std::log2(norm / largest))) : 0;
  const Matrix one = Matrix::Identity(A.rows(), A.cols()), X = A * std::exp2(-squarings);
  const Matrix X2 = X * X, X4 = X2 * X2, X6 = X4 * X2;
  Matrix odd = b[13] * X6 + b[11] * X4 + b[9] * X2, even = b[12] * X6 + b[10] * X4 + b[8] * X2;
  odd = X6 * odd;
  odd += b[7] * X6 + b[5] * X4 + b[3] * X2 + b[1] * one;
  odd = X * odd;
  even = X6 * even;
  even += b[6] * X6 + b[4] * X4 + b[2] * X2 + b[0] * one;
  Matrix result = Lu(even - odd).solve(Matrix(even + odd));
  for (int k = 0; k < squarings; ++k) result = result * result;
  return result;
}

Matrix solve_linear(const Matrix& A, const Matrix& B) { return Lu(A).solve(B); }

Vector least_norm_solution(const Matrix& given, const Vector& b) {
  Matrix A = given;
  const int m = size_of(A.rows()), n = size_of(A.cols()), columns = 1, lda = std::max(m, 1),
            ldb = std::max({m, n, 1});
  Vector x = Vector::Zero(ldb);
  x.head(m) = b;
  std::vector<int> pivots(A.cols(), 0);
  const double rcond =
      std::numeric_limits<double>::epsilon() * static_cast<double>(std::min(A.rows(), A.cols()));
  int rank = 0;
  if (A.size() == 0) return Vector::Zero(n);
  const int info = with_room([&](double* work, const int* room, int* failed) {
    dgelsy_(&m, &n, &columns, A.data(), &lda, x.data(), &ldb, pivots.data(), &rcond, &rank, work,
            room, failed);
  });
  if (info != 0) x.setConstant(not_a_number);
  return x.head(n);
}

Eigen::VectorXcd least_norm_solution(const Eigen::MatrixXcd& A, const Eigen::VectorXcd& b) {
  Vector right(2 * b.size());
  right << b.real(), b.imag();
  return complex_form(least_norm_solution(real_form(A), right));
}

LeastNormSolver::LeastNormSolver(const Matrix& A, double threshold) {
  Reflections reflections(A, true);
  A_ = std::move(reflections.A);
  tau_q_ = std::move(reflections.tau);
  columns_ = std::move(reflections.columns);
  const Vector pivots = A_.diagonal().cwiseAbs();
  while (rank_ < pivots.size() && pivots[rank_] > threshold * pivots[0]) ++rank_;
  if (rank_ == 0) return;
  const int r = size_of(rank_), n = size_of(A_.cols()), lda = size_of(A_.rows());
  tau_z_.resize(rank_);
  with_room([&](double* work, const int* room, int* info) {
    dtzrzf_(&r, &n, A_.data(), &lda, tau_z_.data(), work, room, info);
  });
  const Vector diagonal = A_.diagonal().head(rank_).cwiseAbs();
  condition_ = diagonal.maxCoeff() / diagonal.minCoeff();
}

Vector LeastNormSolver::solve(const Vector& b) const {
  const int m = size_of(A_.rows()), n = size_of(A_.cols()), r = size_of(rank_), one = 1,
            k = size_of(tau_q_.size()), rest = n - r;
  Vector x = Vector::Zero(n);
  if (r == 0) return x;
  Vector c = b;
  with_room([&](double* work, const int* room, int* info) {
    dormqr_("L", "T", &m, &one, &k, A_.data(), &m, tau_q_.data(), c.data(), &m, work, room, info);
  });
  x.head(r) = A_.topLeftCorner(r, r).triangularView<Eigen::Upper>().solve(c.head(r));
  if (rest > 0)
    with_room([&](double* work, const int* room, int* info) {
      dormrz_("L", "T", &n, &one, &r, &rest, A_.data(), &m, tau_z_.data(), x.data(), &n, work, room,
              info);
    });
  Vector result(n);
  for (int i = 0; i < n; ++i) result[columns_[i]] = x[i];
  return result;
}

}  // namespace tauflex

#include "tauflex/math/saddle_solver.hpp"

#include <algorithm>

namespace tauflex {

namespace {

constexpr Eigen::Index smallest_sparse = 60;  // below it Lu is as fast
constexpr double most_work = 0.1;             // of that of a full matrix

// The graph of a symmetric matrix while its unknowns are eliminated.
class EliminationGraph {
 public:
  explicit EliminationGraph(Eigen::Index size) : neighbours_(size), gone_(size, false) {}

  // Column by column, rows rising.
  void connect(Eigen::Index row, Eigen::Index column) {
    if (row != column) neighbours_[column].push_back(row);
  }

  // Those that are left of the neighbours of k; they are neighbours of each other afterwards.
  const std::vector<Eigen::Index>& eliminate(Eigen::Index k) {
    gone_[k] = true;
    auto& near = neighbours_[k];
    for (const Eigen::Index i : near) {
      merged_.clear();
      std::set_union(neighbours_[i].begin(), neighbours_[i].end(), near.begin(), near.end(),
                     std::back_inserter(merged_));
      std::erase_if(merged_, [&](Eigen::Index j) { return j == i || gone_[j]; });
      neighbours_[i].swap(merged_);
    }
    return near;
  }

  // The unknown from `first` on that is left and has the fewest neighbours.
  Eigen::Index of_least_degree(Eigen::Index first) const {
    Eigen::Index best = -1;
    for (Eigen::Index i = first; i < static_cast<Eigen::Index>(gone_.size()); ++i)
      if (!gone_[i] && (best < 0 || neighbours_[i].size() < neighbours_[best].size())) best = i;
    return best;
  }

 private:
  std::vector<std::vector<Eigen::Index>> neighbours_;
  std::vector<bool> gone_;
  std::vector<Eigen::Index> merged_;
};

}  // namespace

void SaddleSolver::compute(const MatrixRef& A, Eigen::Index n) {
  if (A.rows() < smallest_sparse) return lu_.compute(A);
  if (!read_entries(A)) {
    add_entries(A);
    analyze(A.rows(), n);
  }
  if (sparse_)
    eliminate(A);
  else
    lu_.compute(A);
}

// Returns false when A has entries that were zero in all matrices so far.
bool SaddleSolver::read_entries(const MatrixRef& A) {
  if (std::ssize(order_) != A.rows()) return false;
  Eigen::Index known = 0;
  for (Entry& entry : entries_) {
    entry.value = A(entry.row, entry.column);
    if (entry.value != 0) ++known;
  }
  return known == (A.array() != 0).count();
}

void SaddleSolver::add_entries(const MatrixRef& A) {
  const Eigen::Index size = A.rows();
  std::vector<char> occupied(A.size(), 0);
  if (std::ssize(order_) == size)
    for (const Entry& entry : entries_) occupied[entry.column * size + entry.row] = 1;
  entries_.clear();
  for (Eigen::Index j = 0; j < size; ++j)
    for (Eigen::Index i = 0; i < size; ++i)
      if (A(i, j) != 0 || occupied[j * size + i]) entries_.push_back({i, j, A(i, j)});
}

// The order of elimination, the entries of L, and whether they are few.
void SaddleSolver::analyze(Eigen::Index size, Eigen::Index n) {
  EliminationGraph graph(size);
  for (const Entry& entry : entries_) graph.connect(entry.row, entry.column);
  std::vector<Eigen::Index> place(size);
  order_.clear();
  rows_.assign(size, {});
  double work = 0;
  for (Eigen::Index k = 0; k < size; ++k) {
    const Eigen::Index next = k < n ? n - 1 - k : graph.of_least_degree(n);
    place[next] = k;
    order_.push_back(next);
    rows_[k] = graph.eliminate(next);
    const auto count = static_cast<double>(rows_[k].size());
    work += count * count;
  }
  for (auto& rows : rows_) {
    for (Eigen::Index& i : rows) i = place[i];
    std::sort(rows.begin(), rows.end());
  }
  const auto full = static_cast<double>(size);
  sparse_ = work < most_work * full * full * full / 3;
  L_ = Matrix::Zero(size, size);
  y_ = residual_ = Vector::Zero(size);
}

void SaddleSolver::eliminate(const MatrixRef& A) {
  const Eigen::Index size = A.rows();
  for (Eigen::Index k = 0; k < size; ++k) {
    L_(k, k) = A(order_[k], order_[k]);
    for (const Eigen::Index i : rows_[k]) L_(i, k) = A(order_[i], order_[k]);
  }
  for (Eigen::Index k = 0; k < size; ++k) {
    const auto& rows = rows_[k];
    const double inverse = 1 / L_(k, k);
    for (size_t b = 0; b < rows.size(); ++b) {
      const double factor = L_(rows[b], k) * inverse;
      if (factor == 0) continue;
      for (size_t a = b; a < rows.size(); ++a) L_(rows[a], rows[b]) -= factor * L_(rows[a], k);
    }
    for (const Eigen::Index i : rows) L_(i, k) *= inverse;
  }
}

// A y = b without refinement.
void SaddleSolver::substitute(const VectorRef& b) const {
  const Eigen::Index size = y_.size();
  Vector& y = y_;
  for (Eigen::Index k = 0; k < size; ++k) y[k] = b[order_[k]];
  for (Eigen::Index k = 0; k < size; ++k)
    for (const Eigen::Index i : rows_[k]) y[i] -= L_(i, k) * y[k];
  for (Eigen::Index k = size; k-- > 0;) {
    y[k] /= L_(k, k);
    for (const Eigen::Index i : rows_[k]) y[k] -= L_(i, k) * y[i];
  }
}

// Without pivoting the last digits may be lost; a step of refinement brings them back.
void SaddleSolver::solve(const VectorRef& b, VectorOut x) const {
  if (!sparse_) return lu_.solve(b, x);
  const Eigen::Index size = y_.size();
  residual_ = b;
  substitute(residual_);
  for (Eigen::Index k = 0; k < size; ++k) x[order_[k]] = y_[k];
  for (const auto& [row, column, value] : entries_) residual_[row] -= value * x[column];
  substitute(residual_);
  for (Eigen::Index k = 0; k < size; ++k) x[order_[k]] += y_[k];
}

Matrix SaddleSolver::solve(const Matrix& B) const {
  if (!sparse_) return lu_.solve(B);
  Matrix X(B.rows(), B.cols());
  for (Eigen::Index j = 0; j < B.cols(); ++j) solve(B.col(j), X.col(j));
  return X;
}

}  // namespace tauflex

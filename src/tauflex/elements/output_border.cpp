#include "tauflex/elements/output_border.hpp"

#include <utility>

namespace tauflex {

OutputBorder::OutputBorder(int size, std::vector<int> rows) : rows_(std::move(rows)) {
  const auto count = static_cast<Eigen::Index>(rows_.size());
  X_ = Matrix::Zero(size, count);
  S_ = Matrix::Zero(count, count);
  unit_ = Vector::Zero(size);
  missing_ = Vector::Zero(count);
}

void OutputBorder::compute(SparseLdlt& A, const std::vector<SparseLdlt::Entry>& C) {
  C_ = C;
  for (size_t k = 0; k < rows_.size(); ++k) {
    unit_.setZero();
    unit_[rows_[k]] = 1;
    A.solve(unit_, X_.col(static_cast<Eigen::Index>(k)));
  }
  S_.setZero();
  for (const auto& entry : C_) S_.row(entry.row) += entry.value * X_.row(entry.column);
  lu_.compute(S_);
}

void OutputBorder::release(VectorOut b) const {
  for (const int row : rows_) b[row] = 0;
}

void OutputBorder::correct(const VectorRef& y, VectorOut solved) {
  if (rows_.empty()) return;
  missing_ = y;
  for (const auto& entry : C_) missing_[entry.row] -= entry.value * solved[entry.column];
  lu_.solve(missing_, missing_);
  solved += X_ * missing_;
}

}  // namespace tauflex

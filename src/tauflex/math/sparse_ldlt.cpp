#include "tauflex/math/sparse_ldlt.hpp"

#include <algorithm>
#include <set>

namespace tauflex {

namespace {

// Neighbours of each unknown when it is eliminated in the order of least degree.
struct LeastDegreeOrder {
  std::vector<int> order;
  std::vector<std::vector<int>> below;  // per unknown, those that are left then

  LeastDegreeOrder(int size, const std::vector<SparseLdlt::Entry>& entries) : below(size) {
    std::vector<std::set<int>> near(size);
    for (const auto& entry : entries)
      if (entry.row != entry.column) {
        near[entry.row].insert(entry.column);
        near[entry.column].insert(entry.row);
      }
    std::set<std::pair<size_t, int>> queue;  // by degree
    for (int k = 0; k < size; ++k) queue.emplace(near[k].size(), k);
    while (!queue.empty()) {
      const int k = queue.begin()->second;
      queue.erase(queue.begin());
      order.push_back(k);
      below[k].assign(near[k].begin(), near[k].end());
      for (const int i : below[k]) {
        queue.erase({near[i].size(), i});
        near[i].erase(k);
        for (const int j : below[k])
          if (j != i) near[i].insert(j);
        queue.emplace(near[i].size(), i);
      }
    }
  }
};

}  // namespace

bool SparseLdlt::is_laid_out(int size, const std::vector<Entry>& entries) const {
  return std::ssize(place_) == size && entries.size() == entries_.size() &&
         std::equal(
             entries.begin(), entries.end(), entries_.begin(),
             [](const Entry& a, const Entry& b) { return a.row == b.row && a.column == b.column; });
}

void SparseLdlt::lay_out(int size, const std::vector<Entry>& entries) {
  const LeastDegreeOrder found(size, entries);
  place_.assign(size, 0);
  for (int k = 0; k < size; ++k) place_[found.order[k]] = k;
  begin_.assign(1, 0);
  rows_.clear();
  for (const int k : found.order) {
    for (const int i : found.below[k]) rows_.push_back(place_[i]);
    std::sort(rows_.begin() + begin_.back(), rows_.end());
    begin_.push_back(static_cast<int>(rows_.size()));
  }
  const auto slot = [&](int a, int b) {
    if (a == b) return -1 - a;
    const auto [column, row] = std::minmax(a, b);
    const auto first = rows_.begin() + begin_[column], last = rows_.begin() + begin_[column + 1];
    return static_cast<int>(std::lower_bound(first, last, row) - rows_.begin());
  };
  slot_.clear();
  for (const Entry& entry : entries) slot_.push_back(slot(place_[entry.row], place_[entry.column]));
  updates_.clear();
  for (int k = 0; k < size; ++k)
    for (int b = begin_[k]; b < begin_[k + 1]; ++b)
      for (int a = b; a < begin_[k + 1]; ++a) updates_.push_back(slot(rows_[a], rows_[b]));
  diagonal_.resize(size);
  lower_.resize(rows_.size());
  right_ = step_ = permuted_ = Vector::Zero(size);
}

void SparseLdlt::compute(int size, const std::vector<Entry>& entries, const VectorRef& shift) {
  if (!is_laid_out(size, entries)) lay_out(size, entries);
  entries_ = entries;
  for (int k = 0; k < size; ++k) diagonal_[place_[k]] = shift[k];
  std::fill(lower_.begin(), lower_.end(), 0.0);
  for (size_t e = 0; e < entries.size(); ++e)
    (slot_[e] < 0 ? diagonal_[-1 - slot_[e]] : lower_[slot_[e]]) += entries[e].value;
  const int* update = updates_.data();
  for (int k = 0; k < size; ++k) {
    const double inverse = 1 / diagonal_[k];
    for (int b = begin_[k]; b < begin_[k + 1]; ++b) {
      const double factor = lower_[b] * inverse;
      for (int a = b; a < begin_[k + 1]; ++a, ++update)
        (*update < 0 ? diagonal_[-1 - *update] : lower_[*update]) -= factor * lower_[a];
    }
    for (int b = begin_[k]; b < begin_[k + 1]; ++b) lower_[b] *= inverse;
  }
}

void SparseLdlt::substitute(VectorOut y) const {
  const int size = static_cast<int>(diagonal_.size());
  for (int k = 0; k < size; ++k)
    for (int b = begin_[k]; b < begin_[k + 1]; ++b) y[rows_[b]] -= lower_[b] * y[k];
  for (int k = size; k-- > 0;) {
    y[k] /= diagonal_[k];
    for (int b = begin_[k]; b < begin_[k + 1]; ++b) y[k] -= lower_[b] * y[rows_[b]];
  }
}

void SparseLdlt::solve(const VectorRef& b, VectorOut x, int refinements) {
  constexpr double rounding = 1e-15;
  const auto size = static_cast<Eigen::Index>(place_.size());
  right_ = b;
  x.setZero();
  double last = 0;
  for (int i = 0; i <= refinements; ++i) {
    for (Eigen::Index k = 0; k < size; ++k) permuted_[place_[k]] = right_[k];
    substitute(permuted_);
    for (Eigen::Index k = 0; k < size; ++k) step_[k] = permuted_[place_[k]];
    x += step_;
    const double change = step_.cwiseAbs().maxCoeff();
    // steps shrink by the same factor each time, so the next one is known before it is computed
    const double next = i == 0 ? change : change / last * change;
    if (i == refinements || !(next > rounding * x.cwiseAbs().maxCoeff()) ||
        (i > 1 && change > 0.5 * last))
      return;
    last = change;
    right_ = b;
    for (const Entry& entry : entries_) {
      right_[entry.row] -= entry.value * x[entry.column];
      if (entry.row != entry.column) right_[entry.column] -= entry.value * x[entry.row];
    }
  }
}

}  // namespace tauflex

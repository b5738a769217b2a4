#include "tauflex/problem/reduced_dae.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/base/errors.hpp"

namespace tauflex {

ReducedDae::ReducedDae(Dae& original, const Incidence& incidence, Reduction reduction)
    : original_(original),
      array_(original),
      incidence_(incidence),
      reduction_(std::move(reduction)),
      n_(original.size()) {
  for (int j = 0; j < n_; ++j) nodes_.push_back({j, 0});
  for (const auto& group : {reduction_.dummies, reduction_.states})
    nodes_.insert(nodes_.end(), group.begin(), group.end());
  for (const DerivedRow& row : reduction_.rows) order_ = std::max(order_, row.order);
  for (int k = 0; k <= order_ + 1; ++k) {
    factorial_.push_back(k < 2 ? 1 : k * factorial_.back());
    sources_.emplace_back();
    for (int j = 0; j < n_; ++j) sources_.back().push_back(find(j, k));
  }
  X_ = Matrix::Zero(n_, order_ + 2);
  require_complete();
}

ReducedDae::Source ReducedDae::find(int variable, int order) const {
  if (order == 0) return {variable, false};
  if (const RateRow* row = incidence_.rate_of(variable)) return find(row->rate, order - 1);
  const auto at = std::find(nodes_.begin(), nodes_.end(), VariableDerivative{variable, order});
  if (at != nodes_.end()) return {static_cast<int>(at - nodes_.begin()), false};
  const Source below = find(variable, order - 1);
  return below.unknown >= 0 && !below.of_rate ? Source{below.unknown, true} : Source{};
}

void ReducedDae::require_complete() const {
  const size_t rows = reduction_.rows.size() + reduction_.states.size();
  if (rows != nodes_.size())
    throw ProblemError(fmt::format("the reduced equations do not match: {} rows for {} unknowns",
                                   rows, nodes_.size()));
  for (const DerivedRow& row : reduction_.rows) {
    if (row.order == 0) continue;
    for (int j = 0; j < n_; ++j) {
      const int highest = incidence_.orders(row.equation, j);
      if (highest < 0) continue;
      for (int k = 0; k <= highest + row.order; ++k)
        if (sources_[static_cast<size_t>(k)][static_cast<size_t>(j)].unknown < 0)
          throw ProblemError(fmt::format(
              "the reduced equations do not match: '{}', differentiated {} times, needs derivative "
              "{} of {}",
              original_.equation_name(row.equation), row.order, k, original_.variable_name(j)));
    }
  }
}

std::string ReducedDae::variable_name(int index) const {
  const VariableDerivative& node = nodes_[static_cast<size_t>(index)];
  return original_.variable_name(node.variable) +
         std::string(static_cast<size_t>(node.order), '\'');
}

std::string ReducedDae::equation_name(int index) const {
  const auto rows = static_cast<int>(reduction_.rows.size());
  if (index >= rows)
    return "rate of " +
           variable_name(index - rows + size() - static_cast<int>(reduction_.states.size()));
  const DerivedRow& row = reduction_.rows[static_cast<size_t>(index)];
  return original_.equation_name(row.equation) + std::string(static_cast<size_t>(row.order), '\'');
}

double ReducedDae::value(const Source& source, const VectorRef& z, const VectorRef& zdot) const {
  if (source.unknown < 0) return 0;
  return source.of_rate ? zdot[source.unknown] : z[source.unknown];
}

void ReducedDae::fill(const VectorRef& z, const VectorRef& zdot) {
  for (int k = 0; k <= order_ + 1; ++k)
    for (int j = 0; j < n_; ++j)
      X_(j, k) = value(sources_[static_cast<size_t>(k)][static_cast<size_t>(j)], z, zdot) /
                 factorial_[static_cast<size_t>(k)];
}

double ReducedDae::rate(int variable, const VectorRef& z, const VectorRef& zdot) const {
  return value(sources_[1][static_cast<size_t>(variable)], z, zdot);
}

namespace {

// Where x_variable' of a rate row is: an unknown of its own, or the rate of the variable.
VariableDerivative own_rate(const RateRow& row) { return {row.variable, 1}; }

}  // namespace

void ReducedDae::residual(double t, const VectorRef& z, const VectorRef& zdot, VectorOut r) {
  fill(z, zdot);
  array_.residual(t, X_, order_, F_);
  int i = 0;
  for (const DerivedRow& row : reduction_.rows) {
    const RateRow* rate = row.order == 0 ? incidence_.rate_row(row.equation) : nullptr;
    if (rate) {
      const auto own = std::find(nodes_.begin(), nodes_.end(), own_rate(*rate));
      r[i++] =
          (own != nodes_.end() ? z[own - nodes_.begin()] : zdot[rate->variable]) - z[rate->rate];
    } else {
      r[i++] = factorial_[static_cast<size_t>(row.order)] * F_(row.equation, row.order);
    }
  }
  for (const VariableDerivative& state : reduction_.states) {
    const Source below = find(state.variable, state.order - 1),
                 here = find(state.variable, state.order);
    r[i++] = zdot[below.unknown] - z[here.unknown];
  }
}

void ReducedDae::jacobians(double t, const VectorRef& z, const VectorRef& zdot, MatrixOut F_z,
                           MatrixOut F_zdot) {
  fill(z, zdot);
  array_.linearize(t, X_, order_);
  F_z.setZero();
  F_zdot.setZero();
  int i = 0;
  for (const DerivedRow& row : reduction_.rows) {
    const RateRow* rate = row.order == 0 ? incidence_.rate_row(row.equation) : nullptr;
    if (rate) {
      const auto own = std::find(nodes_.begin(), nodes_.end(), own_rate(*rate));
      if (own != nodes_.end())
        F_z(i, own - nodes_.begin()) = 1;
      else
        F_zdot(i, rate->variable) = 1;
      F_z(i, rate->rate) = -1;
    } else {
      for (int k = 0; k <= row.order + 1; ++k) {
        const double scale =
            factorial_[static_cast<size_t>(row.order)] / factorial_[static_cast<size_t>(k)];
        for (int j = 0; j < n_; ++j) {
          const Source& source = sources_[static_cast<size_t>(k)][static_cast<size_t>(j)];
          if (source.unknown < 0) continue;
          const double entry = scale * array_.entry(row.order, k, row.equation, j);
          (source.of_rate ? F_zdot : F_z)(i, source.unknown) += entry;
        }
      }
    }
    ++i;
  }
  for (const VariableDerivative& state : reduction_.states) {
    F_zdot(i, find(state.variable, state.order - 1).unknown) = 1;
    F_z(i, find(state.variable, state.order).unknown) = -1;
    ++i;
  }
}

std::vector<bool> ReducedDae::algebraic() const {
  std::vector<bool> result(nodes_.size(), true);
  const auto mark = [&](const Source& source) {
    if (source.unknown >= 0 && source.of_rate) result[static_cast<size_t>(source.unknown)] = false;
  };
  for (const DerivedRow& row : reduction_.rows) {
    if (const RateRow* rate = row.order == 0 ? incidence_.rate_row(row.equation) : nullptr) {
      if (std::find(nodes_.begin(), nodes_.end(), own_rate(*rate)) == nodes_.end())
        result[static_cast<size_t>(rate->variable)] = false;
      continue;
    }
    for (int j = 0; j < n_; ++j) {
      const int highest = incidence_.orders(row.equation, j);
      for (int k = 0; highest >= 0 && k <= highest + row.order; ++k)
        mark(sources_[static_cast<size_t>(k)][static_cast<size_t>(j)]);
    }
  }
  for (const VariableDerivative& state : reduction_.states)
    result[static_cast<size_t>(find(state.variable, state.order - 1).unknown)] = false;
  return result;
}

}  // namespace tauflex

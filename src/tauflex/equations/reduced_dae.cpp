#include "tauflex/equations/reduced_dae.hpp"

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
  x_ = xdot_ = Vector::Zero(n_);
  F_x_ = F_xdot_ = Matrix::Zero(n_, n_);
  connect();
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

// Rows that only name a rate, and the columns that differentiated rows depend on.
void ReducedDae::connect() {
  for (const DerivedRow& row : reduction_.rows) {
    const RateRow* rate = row.order == 0 ? incidence_.rate_row(row.equation) : nullptr;
    Link link;
    if (rate) {
      const auto own =
          std::find(nodes_.begin(), nodes_.end(), VariableDerivative{rate->variable, 1});
      link.rate = own != nodes_.end() ? Source{static_cast<int>(own - nodes_.begin()), false}
                                      : Source{rate->variable, true};
      link.named = rate->rate;
    }
    links_.push_back(link);
  }
  for (const VariableDerivative& state : reduction_.states)
    links_.push_back({{find(state.variable, state.order - 1).unknown, true},
                      find(state.variable, state.order).unknown});
  for (int j = 0; j < n_; ++j) {
    int highest = -1;
    for (const DerivedRow& row : reduction_.rows)
      if (row.order > 0) highest = std::max(highest, incidence_.orders(row.equation, j));
    if (highest >= 0) variables_.push_back(j);
    if (highest >= 1) rates_.push_back(j);
  }
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
        if (sources_[k][j].unknown < 0)
          throw ProblemError(fmt::format(
              "the reduced equations do not match: '{}', differentiated {} times, needs derivative "
              "{} of {}",
              original_.equation_name(row.equation), row.order, k, original_.variable_name(j)));
    }
  }
}

std::string ReducedDae::variable_name(int index) const {
  const VariableDerivative& node = nodes_[index];
  return original_.variable_name(node.variable) + std::string(node.order, '\'');
}

std::string ReducedDae::equation_name(int index) const {
  const auto rows = static_cast<int>(reduction_.rows.size());
  if (index >= rows)
    return "rate of " +
           variable_name(index - rows + size() - static_cast<int>(reduction_.states.size()));
  const DerivedRow& row = reduction_.rows[index];
  return original_.equation_name(row.equation) + std::string(row.order, '\'');
}

double ReducedDae::value(const Source& source, const VectorRef& z, const VectorRef& zdot) const {
  if (source.unknown < 0) return 0;
  return source.of_rate ? zdot[source.unknown] : z[source.unknown];
}

void ReducedDae::fill(const VectorRef& z, const VectorRef& zdot) {
  for (int k = 0; k <= order_ + 1; ++k)
    for (int j = 0; j < n_; ++j) X_(j, k) = value(sources_[k][j], z, zdot) / factorial_[k];
}

double ReducedDae::rate(int variable, const VectorRef& z, const VectorRef& zdot) const {
  return value(sources_[1][variable], z, zdot);
}

void ReducedDae::residual(double t, const VectorRef& z, const VectorRef& zdot, VectorOut r) {
  fill(z, zdot);
  array_.residual(t, X_, order_, F_);
  int i = 0;
  for (const DerivedRow& row : reduction_.rows) {
    const Link& link = links_[i];
    r[i++] = link.rate.unknown >= 0 ? value(link.rate, z, zdot) - z[link.named]
                                    : factorial_[row.order] * F_(row.equation, row.order);
  }
  for (size_t k = reduction_.rows.size(); k < links_.size(); ++k)
    r[i++] = value(links_[k].rate, z, zdot) - z[links_[k].named];
}

void ReducedDae::jacobians(double t, const VectorRef& z, const VectorRef& zdot, MatrixOut F_z,
                           MatrixOut F_zdot) {
  fill(z, zdot);
  x_ = X_.col(0);
  xdot_ = X_.col(1);
  original_.jacobians(t, x_, xdot_, F_x_, F_xdot_);
  if (order_ > 0) array_.linearize(t, X_, order_, variables_, rates_);
  F_z.setZero();
  F_zdot.setZero();
  int i = 0;
  const auto add = [&](int k, int j, double entry) {
    const Source& source = sources_[k][j];
    if (source.unknown >= 0) (source.of_rate ? F_zdot : F_z)(i, source.unknown) += entry;
  };
  const auto add_link = [&](const Link& link) {
    (link.rate.of_rate ? F_zdot : F_z)(i, link.rate.unknown) += 1;
    F_z(i, link.named) -= 1;
  };
  for (const DerivedRow& row : reduction_.rows) {
    const Link& link = links_[i];
    if (link.rate.unknown >= 0) {
      add_link(link);
    } else if (row.order == 0) {
      for (int j = 0; j < n_; ++j) {
        add(0, j, F_x_(row.equation, j));
        add(1, j, F_xdot_(row.equation, j));
      }
    } else {
      for (int k = 0; k <= row.order + 1; ++k)
        for (int j = 0; j < n_; ++j)
          add(k, j,
              factorial_[row.order] / factorial_[k] * array_.entry(row.order, k, row.equation, j));
    }
    ++i;
  }
  for (size_t k = reduction_.rows.size(); k < links_.size(); ++k, ++i) add_link(links_[k]);
}

std::vector<bool> ReducedDae::algebraic() const {
  std::vector<bool> result(nodes_.size(), true);
  const auto mark = [&](const Source& source) {
    if (source.unknown >= 0 && source.of_rate) result[source.unknown] = false;
  };
  for (const Link& link : links_) mark(link.rate);
  for (size_t i = 0; i < reduction_.rows.size(); ++i) {
    if (links_[i].rate.unknown >= 0) continue;
    const DerivedRow& row = reduction_.rows[i];
    for (int j = 0; j < n_; ++j) {
      const int highest = incidence_.orders(row.equation, j);
      for (int k = 0; highest >= 0 && k <= highest + row.order; ++k) mark(sources_[k][j]);
    }
  }
  return result;
}

}  // namespace tauflex

#include "tauflex/analysis/index_reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/equilibration.hpp"

namespace tauflex {

StructuredDae structure_of(Dae& dae, double t, const Vector& x, const Vector& xdot) {
  const int n = dae.size();
  StructuredDae result{find_incidence(dae, t, x), {}, Matrix::Zero(n, n), Matrix::Zero(n, n)};
  result.structure = analyze_structure(result.incidence.orders);
  dae.jacobians(t, x, xdot, result.F_x, result.F_xdot);
  return result;
}

namespace {

[[noreturn]] void cancels(const std::string& equation) {
  throw ProblemError(fmt::format(
      "dummy derivatives need a matrix of highest derivatives that is regular, and here it is "
      "not: the derivatives in '{}' cancel, which the structure cannot see; use kunkel_mehrmann or "
      "decoupled, which decide by ranks",
      equation));
}

int largest_offset(const Structure& structure) {
  int largest = 0;
  for (const int c : structure.equation_offsets) largest = std::max(largest, c);
  return largest;
}

// Entry of the matrix of highest derivatives.
double highest_entry(const StructuredDae& dae, int i, int j) {
  const int order = dae.incidence.orders(i, j);
  if (order < 0 || dae.structure.variable_offsets[j] - dae.structure.equation_offsets[i] != order)
    return 0;
  return order == 1 ? dae.F_xdot(i, j) : dae.F_x(i, j);
}

// One column for each row by elimination: rows that name a rate take the derivative they name,
// preferred columns come next, the largest pivots after them.
std::vector<int> choose_columns(const Dae& names, const StructuredDae& dae,
                                const std::vector<int>& rows, const std::vector<int>& columns,
                                const std::vector<double>& weights) {
  const auto m = static_cast<Eigen::Index>(rows.size()),
             n = static_cast<Eigen::Index>(columns.size());
  Matrix J(m, n);
  for (Eigen::Index i = 0; i < m; ++i)
    for (Eigen::Index j = 0; j < n; ++j) J(i, j) = highest_entry(dae, rows[i], columns[j]);
  for (Eigen::Index i = 0; i < m; ++i)
    if (const double size = J.row(i).cwiseAbs().maxCoeff(); size > 0) J.row(i) /= size;
  std::vector<int> chosen;
  std::vector<bool> row_done(rows.size()), column_done(columns.size());
  const auto take = [&](Eigen::Index i, Eigen::Index j) {
    chosen.push_back(columns[j]);
    row_done[i] = column_done[j] = true;
    for (Eigen::Index k = 0; k < m; ++k)
      if (!row_done[k]) J.row(k) -= J(k, j) / J(i, j) * J.row(i);
  };
  for (Eigen::Index i = 0; i < m; ++i)
    if (const RateRow* rate = dae.incidence.rate_row(rows[i])) {
      const auto found = std::find(columns.begin(), columns.end(), rate->variable);
      if (found != columns.end() && J(i, found - columns.begin()) != 0)
        take(i, found - columns.begin());
    }
  while (chosen.size() < rows.size()) {
    double best = 0, pivot = 0;
    Eigen::Index row = 0, column = 0;
    for (Eigen::Index i = 0; i < m; ++i)
      for (Eigen::Index j = 0; j < n; ++j) {
        if (row_done[i] || column_done[j]) continue;
        const double size = std::abs(J(i, j));
        if (size > 1e-9 && size * weights[j] > best) {
          best = size * weights[j];
          pivot = size;
          row = i;
          column = j;
        }
      }
    if (!(pivot > 0)) {
      std::string equation;
      for (size_t i = 0; i < rows.size(); ++i)
        if (!row_done[i]) equation = names.equation_name(rows[i]);
      cancels(equation);
    }
    take(row, column);
  }
  return chosen;
}

// Offsets mean something only where the matrix of highest derivatives is regular.
void require_regular(const Dae& dae, const StructuredDae& structured) {
  const int n = dae.size();
  Matrix J(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) J(i, j) = highest_entry(structured, i, j);
  const Scales scales = equilibrate(J.cwiseAbs());
  const Svd parts = svd(scales.rows.asDiagonal() * J * scales.columns.asDiagonal());
  if (n == 0 || parts.sigma[n - 1] > 1e-11 * parts.sigma[0]) return;
  Eigen::Index worst = 0;
  parts.U.col(n - 1).cwiseAbs().maxCoeff(&worst);
  cancels(dae.equation_name(static_cast<int>(worst)));
}

// Derivatives below one that is the rate of an unknown must be unknowns too.
void add_states(const StructuredDae& dae, Reduction& reduction) {
  const int n = static_cast<int>(dae.incidence.orders.cols());
  std::vector<int> highest(n, 0);
  const auto is_dummy = [&](int variable, int order) {
    return std::find(reduction.dummies.begin(), reduction.dummies.end(),
                     VariableDerivative{variable, order}) != reduction.dummies.end();
  };
  for (const DerivedRow& row : reduction.rows)
    for (int j = 0; j < n; ++j) {
      if (dae.incidence.orders(row.equation, j) < 0) continue;
      if (row.order == 0 && dae.incidence.rate_row(row.equation)) continue;
      int variable = j, order = dae.incidence.orders(row.equation, j) + row.order;
      while (const RateRow* rate = order > 0 ? dae.incidence.rate_of(variable) : nullptr) {
        variable = rate->rate;
        --order;
      }
      highest[variable] = std::max(highest[variable], order);
    }
  for (int j = 0; j < n; ++j)
    for (int k = 1; k < highest[j]; ++k)
      if (!is_dummy(j, k) && !is_dummy(j, k + 1)) reduction.states.push_back({j, k});
}

}  // namespace

Reduction reduce_index(const Dae& dae, const StructuredDae& structured,
                       const ReductionOptions& options) {
  const Structure& structure = structured.structure;
  const int n = dae.size();
  Reduction reduction;
  if (!structure.regular) {
    std::vector<std::string> names;
    for (const int i : structure.overdetermined_equations) names.push_back(dae.equation_name(i));
    throw ProblemError("the equations " + join(names) + " have too few unknowns of their own");
  }
  require_regular(dae, structured);
  const int largest = largest_offset(structure), first = std::max(largest - options.stages, 0);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k <= std::max(structure.equation_offsets[i] - first, 0); ++k)
      reduction.rows.push_back({i, k});
  std::vector<int> candidates(n);
  for (int j = 0; j < n; ++j) candidates[j] = j;
  std::vector<bool> chosen_before(n);
  for (int stage = first; stage < largest; ++stage) {
    std::vector<int> rows, columns;
    for (int i = 0; i < n; ++i)
      if (structure.equation_offsets[i] > stage) rows.push_back(i);
    for (const int j : candidates)
      if (structure.variable_offsets[j] > stage) columns.push_back(j);
    std::vector<double> weights;
    for (const int j : columns) {
      // the variable itself, or what it is the rate of; and those whose rate went before
      bool preferred = false;
      for (const int wanted : options.prefer) {
        preferred |= wanted == j;
        if (const RateRow* rate = structured.incidence.rate_of(wanted))
          preferred |= rate->rate == j;
      }
      if (const RateRow* rate = structured.incidence.rate_of(j))
        preferred |= chosen_before[rate->rate];
      weights.push_back(preferred ? 1e6 : 1);
    }
    candidates = choose_columns(dae, structured, rows, columns, weights);
    for (const int j : candidates) {
      chosen_before[j] = true;
      const VariableDerivative dummy{j, structure.variable_offsets[j] - stage};
      const RateRow* rate = structured.incidence.rate_of(j);
      const auto named =
          std::find_if(reduction.rows.begin(), reduction.rows.end(), [&](const DerivedRow& row) {
            return rate && row.equation == rate->equation && row.order == dummy.order - 1;
          });
      if (named == reduction.rows.end())
        reduction.dummies.push_back(dummy);
      else if (options.keep_rates && dummy.order == 1)
        reduction.dummies.push_back(dummy);
      else
        reduction.rows.erase(named);
    }
  }
  add_states(structured, reduction);
  return reduction;
}

Reduction with_second_derivatives(Reduction reduction) {
  for (DerivedRow& row : reduction.rows) {
    if (row.order > 1)
      throw ProblemError(
          "this form replaces first derivatives by second ones, and some equations have both");
    if (row.order == 1) row.order = 2;
  }
  return reduction;
}

Reduction with_both_derivatives(const Dae& dae, const StructuredDae& structured) {
  const auto& offsets = structured.structure.equation_offsets;
  const int n = dae.size(), largest = largest_offset(structured.structure);
  std::vector<bool> left_out(n);
  int added = 0, removed = 0;
  for (int i = 0; i < n; ++i) {
    if (offsets[i] < largest) continue;
    added += 2;
    for (int j = 0; j < n; ++j)
      if (structured.incidence.orders(i, j) >= 0)
        if (const RateRow* rate = structured.incidence.rate_of(j))
          if (!left_out[rate->equation]) {
            left_out[rate->equation] = true;
            ++removed;
          }
  }
  if (added != removed)
    throw ProblemError(fmt::format(
        "this form needs two variables in each constraint: {} rows would be added, {} left out",
        added, removed));
  Reduction reduction;
  for (int i = 0; i < n; ++i)
    if (!left_out[i])
      for (int k = 0; k <= (offsets[i] == largest ? 2 : 0); ++k) reduction.rows.push_back({i, k});
  return reduction;
}

}  // namespace tauflex

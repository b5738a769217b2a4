#include "tauflex/analysis/structure.hpp"

#include <algorithm>
#include <utility>

#include "tauflex/math/matching.hpp"

namespace tauflex {

namespace {

int structural_index(const std::vector<int>& c, const std::vector<int>& d) {
  const int most = c.empty() ? 0 : *std::max_element(c.begin(), c.end());
  return std::count(d.begin(), d.end(), 0) > 0 ? most + 1 : most;
}

// Equation k comes before equation i when i holds the highest derivative that k is solved for.
std::vector<Block> triangular_blocks(const Signature& sigma, const Structure& s) {
  const int n = static_cast<int>(sigma.rows());
  Graph before(n);
  for (int k = 0; k < n; ++k) {
    const int j = s.variable_of[k];
    for (int i = 0; i < n; ++i)
      if (sigma(i, j) >= 0 && s.variable_offsets[j] - s.equation_offsets[i] == sigma(i, j))
        before[k].push_back(i);
  }
  std::vector<Block> blocks;
  for (std::vector<int>& equations : strongly_connected_components(before)) {
    Block block;
    for (const int i : equations) block.variables.push_back(s.variable_of[i]);
    block.equations = std::move(equations);
    blocks.push_back(std::move(block));
  }
  return blocks;
}

}  // namespace

Structure analyze_structure(const Signature& sigma) {
  Transversal transversal = highest_value_transversal(sigma);
  Structure s;
  s.regular = transversal.perfect;
  s.variable_of = std::move(transversal.column_of);
  if (!s.regular) {
    s.overdetermined_equations = std::move(transversal.surplus_rows);
    s.underdetermined_variables = std::move(transversal.surplus_columns);
    return s;
  }
  s.equation_offsets = std::move(transversal.row_offsets);
  s.variable_offsets = std::move(transversal.column_offsets);
  s.index = structural_index(s.equation_offsets, s.variable_offsets);
  s.degrees_of_freedom = transversal.value;  // = sum d - sum c, from equality on the transversal
  s.blocks = triangular_blocks(sigma, s);
  return s;
}

std::vector<int> pantelides(const Signature& sigma) {
  if (!highest_value_transversal(sigma).perfect) return {};  // it would differentiate for ever
  const int n = static_cast<int>(sigma.rows());
  std::vector<int> c(n, 0), d(n);
  for (int j = 0; j < n; ++j) d[j] = sigma.col(j).maxCoeff();
  std::vector<int> variable_of(n, absent), equation_of(n, absent);
  for (int equation = 0; equation < n; ++equation) {
    while (variable_of[equation] == absent) {
      // Colour what alternating paths reach through highest derivatives, up to a free unknown.
      std::vector<int> coloured = {equation}, coloured_by(n, absent);
      int end = absent;
      for (size_t k = 0; k < coloured.size() && end == absent; ++k) {
        const int i = coloured[k];
        for (int j = 0; j < n && end == absent; ++j) {
          if (coloured_by[j] != absent || sigma(i, j) < 0 || sigma(i, j) + c[i] < d[j]) continue;
          coloured_by[j] = i;
          if (equation_of[j] == absent)
            end = j;
          else
            coloured.push_back(equation_of[j]);
        }
      }
      if (end == absent) {  // one coloured equation too many: differentiate them all
        for (const int i : coloured) ++c[i];
        for (int j = 0; j < n; ++j)
          if (coloured_by[j] != absent) ++d[j];
      }
      while (end != absent) {
        const int i = coloured_by[end];
        equation_of[end] = i;
        std::swap(variable_of[i], end);
      }
    }
  }
  return c;
}

}  // namespace tauflex

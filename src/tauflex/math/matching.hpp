// Matchings of the rows of a matrix with its columns, and the components of a directed graph: the
// two combinatorial tools of structural analysis.
//   transversal   one entry sigma_ij in every row and column, of the largest sum
//   offsets c, d  d_j - c_i >= sigma_ij for all entries, = on the transversal         theory (A.4)
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tauflex {

// In a matrix: no entry; in a matching: no partner.
inline constexpr int absent = -1;

struct Transversal {
  // Every row has its column.
  bool perfect = true;
  // Of each row; absent for the rows left over.
  std::vector<int> column_of;
  // When perfect: sum of sigma over the transversal.
  int value = 0;
  // When perfect: the smallest c, d with c >= 0.
  std::vector<int> row_offsets, column_offsets;
  // when not perfect: k rows with entries in k - 1 columns only, and k columns likewise; without
  // any one of them the others can be matched
  std::vector<int> surplus_rows, surplus_columns;  // ascending
};

// Of a square matrix with entries >= 0, or absent. Shortest augmenting paths, O(n^3).
Transversal highest_value_transversal(const Eigen::MatrixXi& sigma);

// The successors of each node.
using Graph = std::vector<std::vector<int>>;

// Strongly connected components, so that every edge leads into its own component or a later one;
// each in ascending order.
std::vector<std::vector<int>> strongly_connected_components(const Graph& graph);

}  // namespace tauflex

#include "tauflex/math/matching.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace tauflex {

namespace {

// The columns in which each row has an entry.
Graph columns_of_rows(const Eigen::MatrixXi& sigma) {
  Graph columns(sigma.rows());
  for (int j = 0; j < sigma.cols(); ++j)
    for (int i = 0; i < sigma.rows(); ++i)
      if (sigma(i, j) >= 0) columns[i].push_back(j);
  return columns;
}

// A matching of the largest sum, one row after the other along a shortest alternating path in the
// lengths
//   l_ij = v_j - u_i - sigma_ij >= 0 for the rows so far, = 0 on the matching.
// A row that finds no path now finds none later, and is left over.
class Assignment {
 public:
  explicit Assignment(const Eigen::MatrixXi& sigma)
      : column_of(sigma.rows(), absent),
        row_of(sigma.cols(), absent),
        sigma_(sigma),
        columns_(columns_of_rows(sigma)),
        u_(sigma.rows(), 0),
        v_(sigma.cols(), 0) {
    for (int row = 0; row < sigma.rows(); ++row) add(row);
  }

  std::vector<int> column_of, row_of;

 private:
  static constexpr int infinity = std::numeric_limits<int>::max();

  void add(int row) {
    distance_.assign(row_of.size(), infinity);
    previous_.assign(row_of.size(), absent);  // row before each column on its shortest path
    settled_.assign(row_of.size(), false);
    u_[row] = 0;
    lengthen_from(row, 0);
    int end = nearest();
    while (end != absent && row_of[end] != absent) {
      settled_[end] = true;
      lengthen_from(row_of[end], distance_[end]);
      end = nearest();
    }
    if (end == absent) return;
    // Potentials that keep l >= 0 and make l = 0 along the path.
    u_[row] = distance_[end];
    for (size_t j = 0; j < row_of.size(); ++j) {
      if (!settled_[j]) continue;
      const int shift = distance_[end] - distance_[j];
      v_[j] += shift;
      u_[row_of[j]] += shift;
    }
    while (end != absent) {
      const int i = previous_[end];
      row_of[end] = i;
      std::swap(column_of[i], end);
    }
  }

  void lengthen_from(int i, int distance) {
    for (const int j : columns_[i]) {
      const int candidate = distance + v_[j] - u_[i] - sigma_(i, j);
      if (settled_[j] || candidate >= distance_[j]) continue;
      distance_[j] = candidate;
      previous_[j] = i;
    }
  }

  int nearest() const {
    int best = absent;
    for (size_t j = 0; j < distance_.size(); ++j)
      if (!settled_[j] && distance_[j] < (best == absent ? infinity : distance_[best]))
        best = static_cast<int>(j);
    return best;
  }

  const Eigen::MatrixXi& sigma_;
  Graph columns_;
  std::vector<int> u_, v_;  // potentials of rows and columns
  std::vector<int> distance_, previous_;
  std::vector<bool> settled_;
};

// Smallest c >= 0 and d: from c = 0 on, d and c are raised to what sigma asks for. The sweeps
// follow alternating paths; no cycle of them raises anything, or the transversal could be exchanged
// along it for a higher one. So n sweeps do.
void find_offsets(const Eigen::MatrixXi& sigma, Transversal& result) {
  const Graph columns = columns_of_rows(sigma);
  std::vector<int>& c = result.row_offsets;
  std::vector<int>& d = result.column_offsets;
  c.assign(sigma.rows(), 0);
  d.assign(sigma.cols(), 0);
  bool raised = true;
  for (int sweep = 0; raised; ++sweep) {
    assert(sweep <= sigma.rows());
    raised = false;
    for (int i = 0; i < sigma.rows(); ++i)
      for (const int j : columns[i]) d[j] = std::max(d[j], sigma(i, j) + c[i]);
    for (int i = 0; i < sigma.rows(); ++i) {
      const int j = result.column_of[i], needed = d[j] - sigma(i, j);
      if (needed > c[i]) raised = true;
      c[i] = needed;
    }
  }
}

// The rows on alternating paths from the first row left over: k rows, whose entries all lie in the
// k - 1 columns matched with the others. Along such a path any other row can be left over instead.
std::vector<int> surplus(const Eigen::MatrixXi& sigma, const std::vector<int>& column_of,
                         const std::vector<int>& row_of) {
  const Graph columns = columns_of_rows(sigma);
  const auto left_over = std::find(column_of.begin(), column_of.end(), absent);
  std::vector<int> rows = {static_cast<int>(left_over - column_of.begin())};
  std::vector<bool> reached(row_of.size(), false);
  for (size_t k = 0; k < rows.size(); ++k) {
    for (const int j : columns[rows[k]]) {
      if (reached[j]) continue;
      reached[j] = true;
      rows.push_back(row_of[j]);
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

Transversal highest_value_transversal(const Eigen::MatrixXi& sigma) {
  assert(sigma.rows() == sigma.cols());
  const Assignment assignment(sigma);
  Transversal result;
  result.column_of = assignment.column_of;
  result.perfect = std::count(result.column_of.begin(), result.column_of.end(), absent) == 0;
  if (result.perfect) {
    for (int i = 0; i < sigma.rows(); ++i) result.value += sigma(i, result.column_of[i]);
    find_offsets(sigma, result);
  } else {
    result.surplus_rows = surplus(sigma, assignment.column_of, assignment.row_of);
    result.surplus_columns = surplus(sigma.transpose(), assignment.row_of, assignment.column_of);
  }
  return result;
}

// Tarjan: nodes are numbered in the order of a depth-first search; a node from which no node of a
// smaller number on the stack can be reached closes a component. The path of the search stands in
// `path`, not in a recursion.
std::vector<std::vector<int>> strongly_connected_components(const Graph& graph) {
  const int n = static_cast<int>(graph.size());
  std::vector<std::vector<int>> components;
  std::vector<int> number(n, absent), lowest(n), stack, path;
  std::vector<size_t> next_edge(n, 0);
  std::vector<bool> on_stack(n, false);
  int count = 0;
  const auto enter = [&](int node) {
    number[node] = lowest[node] = count++;
    stack.push_back(node);
    on_stack[node] = true;
    path.push_back(node);
  };
  const auto close = [&](int root) {
    const auto first = std::find(stack.rbegin(), stack.rend(), root).base() - 1;
    std::vector<int> component(first, stack.end());
    stack.erase(first, stack.end());
    for (const int node : component) on_stack[node] = false;
    std::sort(component.begin(), component.end());
    components.push_back(std::move(component));
  };
  for (int start = 0; start < n; ++start) {
    if (number[start] == absent) enter(start);
    while (!path.empty()) {
      const int node = path.back();
      if (next_edge[node] < graph[node].size()) {
        const int successor = graph[node][next_edge[node]++];
        if (number[successor] == absent)
          enter(successor);
        else if (on_stack[successor])
          lowest[node] = std::min(lowest[node], number[successor]);
        continue;
      }
      path.pop_back();
      if (!path.empty()) lowest[path.back()] = std::min(lowest[path.back()], lowest[node]);
      if (lowest[node] == number[node]) close(node);
    }
  }
  std::reverse(components.begin(), components.end());  // a component closes after all it leads to
  return components;
}

}  // namespace tauflex

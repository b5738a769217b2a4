// The indices of an inverse problem along its path, by ranks and by structure, with names.
#pragma once

#include <string>
#include <vector>

#include "tauflex/analysis/index.hpp"
#include "tauflex/analysis/structure.hpp"
#include "tauflex/equations/start.hpp"
#include "tauflex/problem/inverse_problem.hpp"

namespace tauflex {

struct QuasiStaticPoint {
  double t;
  RestState state;
};

// A series of x = (q, v, lambda) at a time; columns that are left out are zero.
struct SeriesPoint {
  double t;
  Matrix X;
};

struct IndexAtPoint {
  double t;
  int differential_index, strangeness_index, algebraic_count, differential_count;
  double gap;
};

struct NamedBlock {
  std::vector<std::string> equations, variables;  // with ' for each derivative
};

// Of the equations that are solved: rows with motors set aside.
struct IndexReport {
  bool available = false;
  std::string message;               // why it is not, or what the ranks say
  std::vector<IndexAtPoint> points;  // the first has the names below
  std::vector<std::string> algebraic, differential;
  double threshold = 0;  // of rank decisions
  bool structurally_regular = true;
  int structural_index = 0;
  std::vector<NamedBlock> blocks;    // of the highest derivatives, in solving order
  std::string disagreement;          // structure and ranks, in a sentence; empty when they agree
  std::vector<std::string> changes;  // where ranks change, a sentence each

  double gap() const;  // the least clear decision of all points
};

// At rest on the path; larger problems are looked at in fewer points.
IndexReport report_index(const InverseProblem& problem,
                         const std::vector<QuasiStaticPoint>& points);

// The ranks at other points, such as those of a solution.
std::vector<IndexAtPoint> index_at(const InverseProblem& problem,
                                   const std::vector<SeriesPoint>& points);

}  // namespace tauflex

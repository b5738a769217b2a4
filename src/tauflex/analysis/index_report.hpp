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
  // With ' for each derivative.
  std::vector<std::string> equations, variables;
};

// Of the equations that are solved: rows with motors set aside.
struct IndexReport {
  bool available = false;
  // Why it is not available, or what the ranks say.
  std::string message;
  // The first has the names below.
  std::vector<IndexAtPoint> points;
  std::vector<std::string> algebraic, differential;
  // Of rank decisions.
  double threshold = 0;
  bool structurally_regular = true;
  int structural_index = 0;
  // Of the highest derivatives, in solving order.
  std::vector<NamedBlock> blocks;
  // Structure and ranks, in a sentence; empty when they agree.
  std::string disagreement;
  // Where ranks change, a sentence each.
  std::vector<std::string> changes;

  // The least clear decision of all points.
  double gap() const;
};

// At rest on the path; larger problems are looked at in fewer points.
IndexReport report_index(const InverseProblem& problem,
                         const std::vector<QuasiStaticPoint>& points);

// The ranks at other points, such as those of a solution.
std::vector<IndexAtPoint> index_at(const InverseProblem& problem,
                                   const std::vector<SeriesPoint>& points);

}  // namespace tauflex

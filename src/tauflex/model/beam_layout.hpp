// One segment of a beam as numbers to compute with: elements in a frame that is tangent at the
// segment's start, x along it. Displacements r and the rotation vector phi are linear in
//   z = (q_1 ... q_n, products q_k q_l of `pairs`, `sums` of what stands before them)
// of which only the coordinates remain for displacements of first order.    theory (B.2), (B.14)
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tauflex/base/linear_algebra.hpp"
#include "tauflex/model/beam.hpp"

namespace tauflex {

struct BeamLayout {
  // Coordinates of the segment.
  int n = 0;
  double length = 0;  // m
  // Number of the node where it starts.
  int first_node = 0;
  struct Pair {
    int k, l;  // k <= l
  };
  std::vector<Pair> pairs;
  // What elements give to all that is beyond them, summed up element by element.
  struct Addend {
    int z;
    double a;
  };
  using Sum = std::vector<Addend>;
  std::vector<Sum> sums;
  // Adds a z[z] to a component: x y z of the displacement, then x y z of the rotation vector.
  struct Term {
    int component, z;
    double a;
  };
  // The mass, at points along the beam.
  struct Point {
    double mass;  // kg
    Vector3 at;   // m, before it moved
    std::vector<Term> terms;
  };
  std::vector<Point> points;
  // Points that the same few coordinates move: those of an element, or all.
  struct Part {
    int first_point = 0, points = 0;
    // The coordinates that move them otherwise than by sums; those before `begin` move them by sums
    // alone, those from `end` on not at all.
    int begin = 0, end = 0;
    // z of the sums that move them, one per kind, -1 for none
    std::vector<int> sums;
  };
  std::vector<Part> parts;
  // In products, without sums.
  std::vector<Term> end;
  // Second derivatives of the end's components by the coordinates, n x n each.
  std::array<Matrix, 6> end_second;
  // Inertia of twisting, about x: of all together, of all by each coordinate, and between them.
  double twist_inertia = 0;
  Vector twist;
  struct Entry {
    int row, column;
    double value;
  };
  std::vector<Entry> twist_mass;
  // n x n
  Matrix stiffness, damping;
  // n: "y1", "rz1", ... with the number of the node, and whether it is an angle
  std::vector<std::string> names;
  std::vector<bool> is_angle;
  // Rows: slopes of the nodes, rad, by the coordinates.
  Matrix slopes;

  int first_sum() const { return n + static_cast<int>(pairs.size()); }
  int nz() const { return first_sum() + static_cast<int>(sums.size()); }
  // Of sums.
  int kinds() const { return parts.empty() ? 0 : static_cast<int>(parts[0].sums.size()); }
  // Of a part: its coordinates and the kinds of sums.
  int most_columns() const;
};

// end_second of a layout, from its end.
void add_end_second(BeamLayout& layout);

// Of the clamped segment at rest, n x n.
Matrix mass_at_rest(const BeamLayout& layout);

}  // namespace tauflex

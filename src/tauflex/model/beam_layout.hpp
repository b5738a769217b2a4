// One segment of a beam as numbers to compute with: elements in a frame that is
// tangent at the segment's start, x along it. Displacements r and the rotation vector phi are
// linear in
//   z = (q_1 ... q_n, products q_k q_l of `pairs`)
// and the products are there for displacements of second order.                     theory (B.2)
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

  int nz() const { return n + static_cast<int>(pairs.size()); }
};

// Segment 0, 1, ... of a beam that has been checked, with all nodes as coordinates, seen from the
// tangent at its start.
BeamLayout lay_out_nodes(const Beam& beam, int segment);
// end_second of a layout, from its end.
void add_end_second(BeamLayout& layout);

// Of the clamped segment at rest, n x n.
Matrix mass_at_rest(const BeamLayout& layout);

}  // namespace tauflex

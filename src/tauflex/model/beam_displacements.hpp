// Displacements of places on a segment of a beam as linear functions of z, to second order.
//   r_x = x + u - 1/2 int (y'^2 + z'^2), ...                          theory (B.3), (B.4), (B.11)
// What the elements before a place give to it is summed up element by element, so that all points
// of an element share a few sums: theory (B.14).
#pragma once

#include <map>
#include <vector>

#include "tauflex/model/beam_shapes.hpp"

namespace tauflex {

// What is asked of a place in an element.
struct BeamPlace {
  int e;
  double s;
  // m, a point of the section beside the axis, which the section carries along
  Vector3 beside = Vector3::Zero();
};

class BeamDisplacements {
 public:
  // Adds the sums to the layout; what it returns counts them from number_sums() on.
  BeamDisplacements(const Beam& beam, const BeamElements& elements, BeamLayout& layout);

  std::vector<BeamLayout::Term> of_point(const BeamPlace& place);
  // With its orientation; in products alone.
  std::vector<BeamLayout::Term> of_end();
  // Once there are no more products to come: puts the sums behind them in z, and says which of them
  // each element stands on.
  void number_sums();

 private:
  // Numbers of z that stand for sum j until the products are counted: first_sum + j.
  static constexpr int first_sum = 1 << 24;
  class Terms;

  int product(int k, int l);
  void add_carried(const std::vector<BeamShape>& shapes, double dx, double x, Terms& terms);
  void add_elements_before(const BeamPlace& place, Terms& terms);

  bool second_order_;
  const BeamElements& elements_;
  BeamLayout& layout_;
  std::map<std::pair<int, int>, int> products_;
  // Number of the sum of each kind with which an element starts, -1 for none, per element.
  std::vector<std::array<int, 8>> sums_;
};

}  // namespace tauflex

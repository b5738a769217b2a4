// Shape functions of the elements of one segment of a beam: what each coordinate gives to stretch,
// deflections and twist at a place.                                        theory (B.2), (B.11)
#pragma once

#include <array>
#include <map>
#include <vector>

#include "tauflex/model/beam_layout.hpp"

namespace tauflex {

// stretch u, deflections y and z, twist
enum BeamField { u_field, y_field, z_field, twist_field };

// What one coordinate gives to its field at a place: value, derivative by x, how far the section
// turns, and the derivative of that. Without shear slope and turn are the same.   theory (B.11)
struct BeamShape {
  BeamField field;
  int k;
  double value, slope, turn, curvature;

  double shear() const { return slope - turn; }
  bool bends() const { return field == y_field || field == z_field; }
};

// The elements of one segment, all of the same length.
class BeamElements {
 public:
  // Numbers the coordinates of the segment, node by node, and names them in the layout.
  BeamElements(const Beam& beam, int segment, BeamLayout& layout);

  int count() const { return count_; }
  double h() const { return h_; }
  // Coordinates of each node but the clamped one.
  int per_node() const { return per_node_; }

  // Of the coordinates that move element e, at s in [0, 1] of it.
  std::vector<BeamShape> shapes(int e, double s) const;

 private:
  int count_;
  double h_;
  int per_node_ = 0;
  // 12 EI / (shear stiffness h^2)
  std::array<double, 4> soft_ = {};
  std::map<std::pair<int, int>, int> value_, slope_;
};

}  // namespace tauflex

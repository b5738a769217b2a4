// A spring given by points (stretch, torque): the smooth curve through them.
//   torque T(d): C^3, increasing, degree 7 between two points, straight beyond the ends
//   T(d) = K d + rest of the table,   K its stiffness at d = 0                      theory (M.12)
// Points of a straight line give the linear spring. A table that starts at [0, 0] is odd.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tauflex {

struct SpringPoint {
  double stretch;  // rad or m
  double torque;   // N m or N
};

// Why these points are no spring, in one sentence.
std::optional<std::string> spring_table_fault(const std::vector<SpringPoint>& points);

class SpringTable {
 public:
  // without fault
  explicit SpringTable(std::vector<SpringPoint> points);

  double stiffness() const { return K_; }  // at d = 0

  // What the spring gives beyond K d, between two points: sum c[k] s^k, s = (d - begin) / length.
  struct Piece {
    double begin, length;
    std::array<double, 8> c;
    // At its beginning, of this part alone.
    double energy;
  };
  // The one that d lies in; the first and the last are straight and go on for ever.
  const Piece& piece(double d) const;

 private:
  double K_;
  std::vector<Piece> pieces_;
};

}  // namespace tauflex

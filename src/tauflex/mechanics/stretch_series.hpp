// Taylor series of the stretch of all drive springs, from that of the load.          theory (P.14)
//   lag z' + z + F^T beyond(F z) = F^T load
// Modes with a long lag are integrated: z is given, and the equation gives z', z'', ..., each from
// the one before, divided by the lag. Modes with a short lag follow the load: z is what the load
// gives without lag, less lag z', which is a correction that the same equation gives from one
// derivative more of the load. So a lag divides where it is long and multiplies where it is short.
#pragma once

#include <memory>

#include "tauflex/mechanics/drive_modes.hpp"

namespace tauflex {

// The part of the stretch that does not follow from the load at one time.
struct StretchState {
  // How many of the first modes follow the load; the others are integrated.
  int following = 0;
  // Of all modes; those that follow are not read.
  Vector z;
  // Coefficients of the load beyond those that are known exactly: springs x as many corrections for
  // the lag.
  Matrix more_load;
  // Of modes that follow: transient since the last corner of the path, modes x coefficients.
  Matrix transient;
};

class StretchSeries {
 public:
  explicit StretchSeries(const DriveTrain& train);

  const DriveModes& modes() const { return modes_; }
  // load: springs x orders. Modes x (orders + 1) without the transient; the last column is known of
  // integrated modes only. False when an iteration fails.
  bool compute(const Matrix& load, const StretchState& state);
  // Found by compute().
  const Matrix& z() const { return z_; }
  // Stretches, with the transient: springs x columns.
  void stretches(const StretchState& state, Matrix& out) const;

 private:
  bool follow(const StretchState& state, Eigen::Index orders);
  void beyond_coefficient(Eigen::Index k);
  SpringEquations& algebra(int following);

  const DriveTrain& train_;
  DriveModes modes_;
  // z + F^T beyond(F z) = right-hand side, of the modes that follow, by how many they are.
  std::vector<std::unique_ptr<SpringEquations>> algebra_;
  // Modes x coefficients: of F^T load, of that less lag z', of z.
  Matrix load_, right_, z_;
  // Springs x coefficients.
  Matrix d_;
  // F^T beyond, of one order.
  Vector spring_, beyond_, solved_, rest_;
};

}  // namespace tauflex

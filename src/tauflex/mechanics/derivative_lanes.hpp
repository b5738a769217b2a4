// Derivatives of inverse dynamics by q, v and vdot of a tree whose joints all have one axis:
// theory (M.6) in world axes, several links at once, then several pairs of joints. Compiled for
// registers of two, four and eight doubles, as torque_lanes.hpp.
#pragma once

#include <vector>

#include "tauflex/model/link_frames.hpp"

namespace tauflex {

struct DerivativeLanesInput {
  // One per velocity.
  const LinkFrame* frames;
  int count;
  // Minus gravity.
  const double* lift;
  // Of kinematics(): rotations by columns and origins per body, axes per velocity.
  const double *R, *p, *axis;
  // The body of each velocity.
  const int* body;
  const double *v, *vdot;
};

// All but tau are matrices by columns; what belongs to joints on different branches is not written.
struct DerivativeLanesOutput {
  double *tau, *M, *by_q, *by_v;
};

using DerivativeLanes = void (*)(const DerivativeLanesInput& in, double* workspace,
                                 const DerivativeLanesOutput& out);
// The workspace for these links.
std::vector<double> derivative_lanes_workspace(const std::vector<LinkFrame>& frames);

void derivatives_by_2_lanes(const DerivativeLanesInput& in, double* workspace,
                            const DerivativeLanesOutput& out);
void derivatives_by_4_lanes(const DerivativeLanesInput& in, double* workspace,
                            const DerivativeLanesOutput& out);
void derivatives_by_8_lanes(const DerivativeLanesInput& in, double* workspace,
                            const DerivativeLanesOutput& out);

}  // namespace tauflex

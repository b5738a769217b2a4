// A link that bends, as a person says it: a straight, uniform beam between two points of the link.
// What is attached to the link beyond the far end moves with that end. Plain data; lay_out_beam()
// makes coordinates of it.                                                       theory (B.1)
#pragma once

#include <optional>
#include <vector>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

struct Beam {
  // m, in the link frame; the part of the link before `from` is rigid, and so is that beyond `to`.
  Vector3 from = Vector3::Zero();
  Vector3 to = Vector3::Zero();
  // Direction of the beam's y axis in link axes; none: the axes of the link turned with the beam.
  std::optional<Vector3> y;
  double mass_per_length = 0;  // kg/m
  // N m^2, against deflection along y and along z of the beam; 0: it does not bend that way
  double EI_y = 0, EI_z = 0;
  // N, against stretch; 0: it keeps its length
  double EA = 0;
  // N m^2, against twist; 0: it does not twist
  double GJ = 0;
  // kg m, inertia per length about the beam's own axis
  double twist_inertia = 0;
  // N, against shear along y and along z (Timoshenko); 0: sections stay perpendicular to the axis
  double shear_y = 0, shear_z = 0;
  // kg m, inertia per length of sections that turn as the beam deflects along y and along z; then
  // the inertia about its own axis is the sum of both
  double rotary_y = 0, rotary_z = 0;
  // Of each segment.
  int elements = 4;
  // Floating frames one after the other: deflections are small within one of them only.
  int segments = 1;
  // Displacements to second order: what bends becomes shorter.
  bool second_order = true;
  // Deflections are measured from the line through both ends of a segment, not from its tangent.
  bool chord = false;
  // Component modes that are kept of each segment besides the motion of its end; none: all nodes
  // move.
  std::optional<int> modes;
  // As many as the path of a job asks for; all nodes move where there is no path.
  bool automatic_modes = false;
  // Part of critical damping of every mode of the clamped beam.
  double damping_ratio = 0;
  // D = mass_damping M + stiffness_damping K; 1/s and s
  double mass_damping = 0, stiffness_damping = 0;
  struct PointMass {
    double at;    // m, from `from`
    double mass;  // kg
  };
  std::vector<PointMass> masses;

  double length() const { return (to - from).norm(); }
  // Of a segment, besides those of its end.
  int inner_coordinates() const {
    return (elements - 1) * (2 * (EI_y > 0) + 2 * (EI_z > 0) + (EA > 0) + (GJ > 0));
  }
  // The axes of the beam in those of the link: x along it.
  Matrix3 axes() const;
};

}  // namespace tauflex

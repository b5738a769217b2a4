// Which inertia tensors a body can have, and the nearest of them.
//   The second moments of mass along the principal axes, s_k = (I_1 + I_2 + I_3)/2 - I_k, are not
//   negative: each principal moment is at most the sum of the two others.        theory (M.15)
#pragma once

#include <optional>
#include <string>

#include "tauflex/base/linear_algebra.hpp"
#include "tauflex/model/robot_description.hpp"

namespace tauflex {

struct InertiaFault {
  // Principal, ascending, kg m^2.
  Vector3 moments;
  // It is as small as the rounding of printed numbers: at most 1 % of the largest moment, or all
  // moments are below 1e-12 kg m^2.
  bool is_rounding;
  // "its principal moments 1, 1 and 3 kg m^2 ..."
  std::string sentence;
};

// Why no body has this tensor, about its centre of mass; none: some body has it.
std::optional<InertiaFault> inertia_fault(const Matrix3& I);

// Whether the links that are fixed to each other, this one among them, have a possible inertia
// together: they are one body. So is what is fixed to the world.
bool is_possible_with_others(const std::vector<Link>& links, const Link& link);

// The possible tensor with the least sum of squared differences of its entries.
Matrix3 nearest_inertia(const Matrix3& I);

// Of all links whose tensor is given whole: takes the nearest one where the robot asks for it, and
// where rounding made a moment negative. Notes what it changed, and what it accepts.
void settle_inertias(RobotDescription& robot);

// Links that turn and have a mass but no inertia become point masses, with a note, where a point
// mass at the centre of mass resists every motion of the link's own joint. Others stay as they are:
// their inertia has to be given.
void take_point_masses(RobotDescription& robot);

}  // namespace tauflex

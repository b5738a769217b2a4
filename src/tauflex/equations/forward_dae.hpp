// What really happens as one Dae in x = (q, v, lambda), for analysis: a plant under torques.
//   N+(q) q' - v = 0,   (|quaternion|^2 - 1) / 2 = 0,   M v' + h + k - G^T lambda - B u = 0,
//   g(q, t) = 0
#pragma once

#include <memory>

#include "tauflex/equations/dae.hpp"
#include "tauflex/model/robot.hpp"

namespace tauflex {

// Under constant torques u, one per drive. The plant must outlive it.
std::unique_ptr<Dae> forward_dae(const Robot& plant, const Vector& u);

}  // namespace tauflex

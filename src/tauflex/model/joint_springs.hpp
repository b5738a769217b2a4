// Springs on sums of coordinates, such as torsion springs between two links, as entries of the
// stiffness and damping matrix of all joints:
//   tau = -c (K (c . q - rest) + D c . v)                                             theory (M.16)
#pragma once

#include "tauflex/model/spring_matrices.hpp"
#include "tauflex/model/tree.hpp"

namespace tauflex {

// Adds them to the springs of the joints, whose rest positions become those of all springs
// together. Throws InputError for names and links that have no such sum.
void add_joint_springs(const RobotDescription& robot, const Tree& tree,
                       const Coordinates& coordinates, SpringMatrices& matrices, Vector& rest);

}  // namespace tauflex

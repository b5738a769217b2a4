// How far a pose is from a singular one, where the matrices that solvers invert lose rank.
//   outputs   [J; G], motion outputs and constraints by the joints
//   loops     G_p^T, free multipliers by the joints p without a drive
//   coupling  Z^T M_p N: motions N that the outputs leave free, joints p that no multiplier holds
//                                                                                     theory (A.7)
#pragma once

#include <algorithm>
#include <vector>

#include "tauflex/mechanics/mechanics_data.hpp"
#include "tauflex/problem/inverse_problem.hpp"

namespace tauflex {

// Singular-value ratio below which a minimum is looked for.
constexpr double suspicious_ratio = 0.1;

// Each between 0, a singular pose, and 1. Lengths are in units of the robot's own size.
struct Regularity {
  // Smallest over largest singular value of [J; G]
  double outputs = 1;
  // The same of G_p^T.
  double loops = 1;
  // Cosine of the largest angle between the two kinds of motion, metric of M.
  double coupling = 1;
  // Signs of det [J; G] and of the determinant of the matrix that solvers invert; 0: not square.
  int pose_branch = 0, motion_branch = 0;

  double smallest() const { return std::min({outputs, loops, coupling}); }
};

// Which rank is closest to being lost; loops and coupling are compared with their start values,
// which depend on the robot.
enum class Part { outputs, loops, coupling };
struct Closeness {
  double value;
  Part part;
};
Closeness closeness(const Regularity& now, const Regularity& start);
// What the robot cannot do where this rank is lost.
const char* meaning_of(Part part);

// Parts that are singular at the start by structure, such as the coupling of two cars, do not
// count. An object is its own workspace: one per thread.
class PoseRegularity {
 public:
  PoseRegularity(const InverseProblem& problem, const Vector& start);
  Regularity at(const Vector& q);

 private:
  const InverseProblem& problem_;
  MechanicsData mechanics_;
  // Of tree velocities: robot_size() for lengths.
  Vector units_;
  std::vector<int> free_multipliers_;
  bool has_loops_ = false, has_coupling_ = false;
};

}  // namespace tauflex

// Singular poses, on the path at rest and on a motion: the matrices that solvers invert lose rank
// there. And motions that change from one solution of outputs and constraints to another: an elbow
// that flips.
//   outputs   [J; G], motion outputs and constraints by the joints
//   loops     G_p^T, free multipliers by the joints p without a drive
//   coupling  Z^T M_p N: motions N that the outputs leave free, joints p that no multiplier holds
//                                                                                     theory (A.7)
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/analysis/index_report.hpp"

namespace tauflex {

struct RankLoss {
  double t;             // s
  double independence;  // smallest over largest singular value there
  std::string row;      // linearly dependent on the others: "constraint loop.x", "servo tool.z"
  std::string pose;     // "upper = 0.1, fore = 0"
  std::string sentence() const;
};

// Looks at 64 poses at rest along the path, and closely around each minimum.
std::vector<RankLoss> find_rank_losses(const InverseProblem& problem, const RestState& start);

// Where a robot that rests on its path first comes to a singular pose, or to the end of its reach:
// a sentence with time and pose. Nothing when the whole path can be reached.
std::optional<std::string> stop_at_rest(const InverseProblem& problem, const RestState& start);

// Each between 0, a singular pose, and 1.
struct Regularity {
  double outputs = 1;   // smallest over largest singular value of [J; G]
  double loops = 1;     // the same of G_p^T
  double coupling = 1;  // cosine of the largest angle between the two kinds of motion, metric of M
  // Signs of det [J; G] and of the determinant of the matrix that solvers invert; 0: not square.
  int pose_branch = 0, motion_branch = 0;

  double smallest() const { return std::min({outputs, loops, coupling}); }
};

// Parts that are singular at the start by structure, such as the coupling of two cars, do not
// count. An object is its own workspace: one per thread.
class PoseRegularity {
 public:
  PoseRegularity(const InverseProblem& problem, const Vector& start);
  Regularity at(const Vector& q);

 private:
  Regularity all(const Vector& q);

  const InverseProblem& problem_;
  MechanicsData mechanics_;
  std::vector<int> free_multipliers_;
  bool has_loops_ = false, has_coupling_ = false;
};

// How a motion fared: the least of each, and where.
struct MotionRegularity {
  struct Least {
    double value = 1;
    double t = 0;   // s
    Vector q = {};  // nq
  };
  Least outputs, loops, coupling;
  int stop = -1;         // last column before a singular pose or another branch; -1: none
  bool jumped = false;   // between two samples, without passing a singular pose
  std::string sentence;  // of the stop
};
MotionRegularity regularity_along(const InverseProblem& problem, const Vector& t, const Matrix& q,
                                  const Matrix& v);

}  // namespace tauflex

// Whether and how the question can be answered, from the problem linearised at points where the
// robot rests on its path.
//   index    the torque depends on derivative index - 1 of the path
//   zeros    the inverse is stable when all have negative real parts
// The verdict is that of most points, never of one alone.                   theory (A.2), (A.10)
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/analysis/index_report.hpp"

namespace tauflex {

// The robot at rest at `count` times along its path, each found from the one before.
std::vector<QuasiStaticPoint> quasi_static_points(const InverseProblem& problem,
                                                  const RestState& start, int count = 9);

// The zeros at one point of the path.
struct PhaseAtPoint {
  double t = 0;
  // 1/s; -infinity without zeros
  double largest_real_part = 0;
  int unstable = 0, marginal = 0, stable = 0;
  // 1/s
  std::vector<std::complex<double>> zeros = {};
};

struct Diagnosis {
  Diagnosis();
  // Defaulted in the .cpp file, so that they are compiled once.
  Diagnosis(const Diagnosis&);
  Diagnosis(Diagnosis&&) noexcept;
  Diagnosis& operator=(const Diagnosis&);
  Diagnosis& operator=(Diagnosis&&) noexcept;
  ~Diagnosis();
  Status status = Status::solved;
  std::string message;
  // With the torques among the unknowns.
  int differential_index = 0;
  // The torque is continuous when the path is this often differentiable.
  int required_smoothness = 0;
  bool minimum_phase = true;
  // No internal dynamics at all.
  bool flat = true;
  // At the first point.
  std::vector<std::complex<double>> zeros;
  // 1/s, over all points
  double largest_zero_real_part = 0;
  // Along the path.
  std::vector<PhaseAtPoint> phase;
  // Internal motions that never decay, a sentence each.
  std::vector<std::string> undamped;
  // Rank decisions that are not clear, a sentence each.
  std::vector<std::string> notes;
  // At the first point.
  Vector holding_torques;
  // Drives x k, orthonormal: motions of joints that leave the outputs there.
  Matrix self_motion;
  // Drives x k, orthonormal: torques that only load the constraints there.
  Matrix torque_null_space;
  // Of the equations that are solved, at the first point.
  IndexReport index;
};

Diagnosis diagnose(const InverseProblem& problem, const std::vector<QuasiStaticPoint>& points);

// When the robot first stops being minimum phase along its path.
std::optional<double> first_loss_of_phase(const Diagnosis& diagnosis);

// What makes a robot minimum phase that is not, in words: to move a tool that lies outside the
// centre of percussion of what a passive joint carries. Empty where that is not the reason.
//                                                                                    theory (A.8)
std::string minimum_phase_advice(const InverseProblem& problem, const RestState& state);

// A path that is less smooth than the diagnosis asks for: one sentence, or nothing.
std::optional<std::string> smoothness_fault(const InverseProblem& problem,
                                            const Diagnosis& diagnosis);

// Logarithm of the factor by which small errors of the positions grow in an open-loop run of the
// plant along a motion: of the largest singular value of dq(t)/dq(0), from the transition matrix of
// the linearised plant, largest so far. Element i belongs to t[i].                   theory (A.3)
Vector log_growth_along(const Robot& plant, const Vector& t, const Matrix& q, const Matrix& v,
                        const Matrix& vdot, const Matrix& lambda);

}  // namespace tauflex

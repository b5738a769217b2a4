// All postures: joint positions that put the outputs where they shall be, springs unstretched.
//   c(q) = y,   as many joints as outputs, the other coordinates stay where they are
// They are followed from a random pose, where all of them, complex ones too, were found once. So an
// arm with a spherical wrist has its eight postures and a general one up to sixteen, whatever its
// geometry is.                                                                      theory (P.20)
#pragma once

#include <optional>
#include <vector>

#include "tauflex/math/solution_paths.hpp"
#include "tauflex/problem/output.hpp"

namespace tauflex {

class InverseKinematics {
 public:
  // `joints`: velocities of the joints that move, at most as many as outputs, all of which are
  // motions. With fewer joints some outputs follow from the others: a planar arm that shall reach
  // x, y and z. `q` has the other coordinates. The robot must outlive this.
  InverseKinematics(const Robot& robot, const Outputs& outputs, const std::vector<int>& joints,
                    const Vector& q);

  // q of every posture at y, angles within half a turn of 0, in a fixed order.
  std::vector<Vector> postures(const Vector& y) const;

  // How many there are when complex ones count, the same for almost every y. 0 where the outputs
  // depend on each other, so that there are none or infinitely many.
  int count() const { return static_cast<int>(known_.x.size()); }

 private:
  ComplexEquations equations() const;
  void start_at(const Vector& x);
  // From a solution that is almost real; none where there is no real one.
  std::optional<Vector> real_posture(const ComplexEquations& f, const ComplexVector& x,
                                     const Vector& y) const;

  const Robot& robot_;
  Outputs outputs_;
  std::vector<int> joints_;
  // nq
  Vector q_;
  // Outputs that are solved for, as many as joints.
  std::vector<int> rows_;
  // Of the joints and of the outputs: the size of the robot for lengths, 1 for angles.
  Vector joint_units_, output_units_;
  std::vector<bool> is_angle_;
  // How far outputs go on loops.
  Vector reach_;
  // All postures at one y; joints in their units.
  SolutionSet known_;
};

// Whether motion outputs are where they shall be. The rows of an orientation vanish half a turn
// away from it too, which is not there.
bool outputs_reached(const Robot& robot, const Outputs& outputs, const Vector& q, const Vector& y);

}  // namespace tauflex

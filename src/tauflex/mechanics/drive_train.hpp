// All elastic drives of a robot as one spring-damper system between rotors and joints.
//   d = T (q_m / n) - q                  stretch, at the joints; T = 1 but for transmissions
//   K d + D d' + beyond(d) = load        beyond: what springs that harden, or tables, add to K d
// Who solves for the motion needs to know neither which drives there are nor which law they obey.
//                                                                          theory (M.8), (M.12)
#pragma once

#include <optional>
#include <vector>

#include "tauflex/math/lu.hpp"
#include "tauflex/model/robot.hpp"

namespace tauflex {

class DriveTrain {
 public:
  explicit DriveTrain(const Robot& robot);

  // Springs, and as many rotors.
  int size() const { return static_cast<int>(springs_.size()); }
  const Matrix& stiffness() const { return K_; }
  const Matrix& damping() const { return D_; }
  bool is_linear() const { return is_linear_; }

  // What the joints ask of the springs: their entries of tau, tree_nv or longer.
  void loads(const VectorRef& tau, VectorOut load) const;
  void set_loads(const VectorRef& load, VectorOut tau) const;
  // Stretch of a position q.
  void stretch(const VectorRef& q, VectorOut d) const;
  // Rotors of q, or of v, for a given stretch and given joints.
  void set_rotor_positions(const VectorRef& stretch, VectorOut q) const;
  void set_rotor_rates(const VectorRef& stretch_rate, VectorOut v) const;
  // With springs at rest the rotors follow their joints.
  void set_unstretched(VectorOut q, VectorOut v) const;

  // beyond(d) of one spring, and its slope.
  double beyond(int spring, double d) const;
  double beyond_slope(int spring, double d) const;
  // Coefficient k of the series of beyond(d), d known up to there; 0 for linear springs.
  double beyond_coefficient(int spring, const MatrixRef& d, int k) const;

 private:
  struct Spring {
    int joint_q, joint_v, rotor_q, rotor_v;
    std::optional<HardeningLaw> law;
  };
  std::vector<Spring> springs_;
  bool is_linear_ = true;
  // gears: turns of spring ends per turn of rotors
  Matrix K_, D_, gears_;
  Lu gears_lu_;
  mutable Vector ends_, turns_;
};

// x with A x + W beyond(c + B x) = b, where c + B x are stretches of all springs, or of all springs
// at several times one after the other, as stages of an integration have. Newton's iteration from
// the linear springs; its steps are cut until the residual falls, because tables may get softer.
class SpringEquations {
 public:
  SpringEquations(const DriveTrain& train, Matrix A, Matrix B, Matrix W);
  // With B = W = 1 and c = 0.
  SpringEquations(const DriveTrain& train, const Matrix& A);

  // False when the iteration does not converge.
  bool solve(const VectorRef& c, const VectorRef& b, VectorOut x);
  bool solve(const VectorRef& b, VectorOut x) { return solve(zero_, b, x); }
  // A + W beyond' B at the last solution.
  const Lu& tangent() const { return train_.is_linear() ? linear_ : tangent_; }

 private:
  void residual(const VectorRef& c, const VectorRef& b, const VectorRef& x);

  const DriveTrain& train_;
  Matrix A_, B_, W_, J_;
  Lu linear_, tangent_;
  Vector zero_, d_, beyond_, r_, step_;
  // beyond' B
  Matrix slopes_;
};

// Stretch of all springs under a load that does not change; none when the iteration fails.
std::optional<Vector> stretch_at_rest(const DriveTrain& train, const VectorRef& load);

// What solvers say when it does.
extern const char* const no_stretch;

}  // namespace tauflex

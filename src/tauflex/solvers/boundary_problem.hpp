// A boundary value problem of the internal dynamics: Gauss collocation with four stages, order 8,
// on a mesh, and Newton's method with exact Jacobians for all of it at once.               theory
// (P.15)
//   at the left end L_s (y - equilibrium) = 0, at the right end L_u (y - equilibrium) = 0
// Stages are eliminated in each step, steps by orthogonal transformations from left to right: cost
// is linear in the number of steps, and nothing that grows is integrated forward.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "tauflex/analysis/diagnosis.hpp"
#include "tauflex/analysis/dichotomy.hpp"
#include "tauflex/problem/internal_jacobian.hpp"
#include "tauflex/solvers/collocation.hpp"
#include "tauflex/solvers/jet_motion.hpp"

namespace tauflex {

class BoundaryProblem {
 public:
  BoundaryProblem(InternalDynamics& dynamics, const Dichotomy& left, const Dichotomy& right,
                  const std::vector<QuasiStaticPoint>& poses)
      : dynamics_(dynamics),
        left_(left),
        right_(right),
        poses_(poses),
        p_(dynamics.freedom()),
        n_(2 * p_),
        motion_(dynamics.motion()),
        jacobian_(dynamics) {}

  const std::vector<double>& mesh() const { return t_; }
  const Matrix& nodes() const { return y_; }  // n x (steps + 1)
  long evaluations() const { return evaluations_; }
  int freedom() const { return p_; }
  double failed_at() const { return failed_at_; }
  std::string worst_equation() const { return dynamics_.worst_equation(motion_); }

  // Called with the number of Newton's iteration, from 1 for each mesh; returns false to give up.
  void on_iteration(std::function<bool(int)> going_on) { going_on_ = std::move(going_on); }

  // Nodes and stages: at rest, or from the mesh before.
  void set_mesh(std::vector<double> t);
  // full: fails at once where corrections grow, and so does not wander to another solution
  enum class NewtonSteps { shortened, full };
  bool converge(NewtonSteps steps = NewtonSteps::shortened);
  // The same, led there from a robot that goes along its path infinitely slowly.
  bool converge_from_slow();
  // Up to this share of the real speed the solution could then be followed.
  double followed() const { return followed_; }
  // The first correction of Newton's method at the nodes, from the robot at rest along its path:
  // the solution to first order. None when the internal dynamics have no value somewhere.
  std::optional<Matrix> first_correction();
  // What the solution misses halfway in each step, relative to the size of its parts.
  Vector defects(JetMotion& motion);

 private:
  double time(size_t step, int stage) const {
    return t_[step] + gauss4().c[stage] * (t_[step + 1] - t_[step]);
  }
  Vector pose(double t) const;
  bool evaluate(const Matrix& Y, bool with_jacobians);
  double residual(const Matrix& y, const Matrix& Y, bool keep);
  void solve_linear_system(Matrix& dy, Matrix& dY);
  void restart();

  InternalDynamics& dynamics_;
  const Dichotomy &left_, &right_;
  const std::vector<QuasiStaticPoint>& poses_;
  int p_, n_;
  InternalMotion motion_;
  InternalJacobian jacobian_;
  // Continuation parameter: 0 is quasi-static, 1 the real speed.
  double pace_ = 1;
  double followed_ = 0;
  std::vector<double> t_;
  // At nodes; at stages; all joints at stages, a guess.
  Matrix y_, Y_, Q_;
  Matrix F_, r_stage_, r_node_;
  std::vector<Matrix> J_;  // at stages
  long evaluations_ = 0;
  std::function<bool(int)> going_on_;
  int iterations_ = 0;  // on this mesh
  double failed_at_ = 0;
};

}  // namespace tauflex

// A boundary value problem of the internal dynamics: Gauss collocation with four stages, order 8,
// on a mesh, and Newton's method with exact Jacobians for all of it at once.          theory (P.15)
//   at the left end L_s (y - equilibrium) = 0, at the right end L_u (y - equilibrium) = 0
// Stages are eliminated in each step, by their accelerations alone; steps by orthogonal
// transformations from left to right: cost is linear in the number of steps, and nothing that grows
// is integrated forward. Steps are evaluated and their stages eliminated on all cores.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
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
                  const std::vector<QuasiStaticPoint>& poses);
  ~BoundaryProblem();

  const std::vector<double>& mesh() const { return t_; }
  const Matrix& nodes() const { return y_; }  // n x (steps + 1)
  long evaluations() const { return evaluations_; }
  int freedom() const { return p_; }
  // Where the internal dynamics had no value last.
  double failed_at() const { return failed_at_; }

  // Called with the number of Newton's iteration, from 1 for each mesh; returns false to give up.
  void on_iteration(std::function<bool(int)> going_on) { going_on_ = std::move(going_on); }

  // Nodes and stages: at rest, or from the mesh before.
  void set_mesh(std::vector<double> t);
  // full: fails at once where corrections grow, and so does not wander to another solution
  enum class NewtonSteps { shortened, full };
  bool converge(NewtonSteps steps = NewtonSteps::shortened);
  // The same, by continuation from the quasi-static motion to the real speed.
  bool converge_from_slow();
  // Up to this share of the real speed the solution could then be followed.
  double followed() const { return followed_; }
  // The first correction of Newton's method at the nodes, from the robot at rest along its path:
  // the solution to first order. None when the internal dynamics have no value somewhere.
  std::optional<Matrix> first_correction();
  // What the solution misses halfway in each step, relative to the size of its parts.
  Vector defects(JetMotion& motion);

 private:
  // What a thread computes with.
  struct Worker;
  // Calls work(worker, i) for every step i, on all cores.
  template <class Work>
  void for_steps(const Work& work);

  double time(size_t step, int stage) const {
    return t_[step] + gauss4().c[stage] * (t_[step + 1] - t_[step]);
  }
  Vector pose(double t) const;
  // F_, J_ and found_Q_ at the stages of all steps, or of one, from the guesses Q_. What a step of
  // Newton's method that is rejected finds is no guess for the next one.
  bool evaluate(const Matrix& Y);
  // Returns where the internal dynamics have no value.
  std::optional<double> evaluate_step(Worker& worker, size_t i, const Matrix& Y);
  double residual(const Matrix& y, const Matrix& Y, bool keep);
  void solve_linear_system(Matrix& dy, Matrix& dY);
  // Corrections of the accelerations at the stages of a step: dK = X (dy_i, 1).
  void eliminate_stages(Worker& worker, size_t i, Matrix& X) const;
  // Corrections of the stages that come with them.
  void correct_stages(size_t i, const VectorRef& dy, const Matrix& X, MatrixOut dY) const;
  void restart();

  InternalDynamics& dynamics_;
  const Dichotomy &left_, &right_;
  const std::vector<QuasiStaticPoint>& poses_;
  int p_, n_;
  // One for each core, made when it is first used.
  std::vector<std::unique_ptr<Worker>> workers_;
  // Continuation parameter: 0 is quasi-static, 1 the real speed.
  double pace_ = 1;
  double followed_ = 0;
  std::vector<double> t_;
  // At nodes; at stages; all joints at stages, a guess, and as they were found.
  Matrix y_, Y_, Q_, found_Q_;
  Matrix F_, r_stage_, r_node_;
  // At stages, p x n: how the accelerations change with s and s'.
  std::vector<Matrix> J_;
  long evaluations_ = 0;
  std::function<bool(int)> going_on_;
  int iterations_ = 0;  // on this mesh
  double failed_at_ = 0;
};

}  // namespace tauflex

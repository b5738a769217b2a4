// The inverse problem as one Dae in x = (q, v, lambda), the rows with motors set aside: the
// monolithic form of [Moberg2009, eq. (32)], of differential index 3 for damped elastic drives.
//   N+(q) q' - v = 0,   (|quaternion|^2 - 1) / 2 = 0,   S (M v' + h + k - G^T lambda) = 0,
//   c(q) - y_d(t) = 0 and lambda_f - lambda_d(t) = 0,   g(q, t) = 0                   theory (P.1)
// With the torques among the unknowns, x = (q, v, lambda, u), it is (28) there, one index higher:
//   M v' + h + k - G^T lambda - B u = 0 in place of the rows with S
#pragma once

#include "tauflex/equations/dae.hpp"
#include "tauflex/mechanics/motion.hpp"
#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/rest_state.hpp"

namespace tauflex {

enum class Torques { set_aside, unknown };

class InverseDae : public Dae {
 public:
  explicit InverseDae(const InverseProblem& problem, Torques torques = Torques::set_aside);
  ~InverseDae() override;

  int size() const override { return nq_ + nv_ + ng_ + nu_; }
  int rows() const { return rows_; }  // fewer than size() when there are more drives than outputs
  int first_static_row() const { return nv_; }  // the rows before it are about rates only
  std::string variable_name(int index) const override;
  std::string equation_name(int index) const override;
  void residual(double t, const VectorRef& x, const VectorRef& xdot, VectorOut r) override;
  void residual(const Jet& t, const VectorRefOf<Jet>& x, const VectorRefOf<Jet>& xdot,
                VectorOutOf<Jet> r) override;
  void residual(const JetOfDual& t, const VectorRefOf<JetOfDual>& x,
                const VectorRefOf<JetOfDual>& xdot, VectorOutOf<JetOfDual> r) override;
  void jacobians(double t, const VectorRef& x, const VectorRef& xdot, MatrixOut F_x,
                 MatrixOut F_xdot) override;

  // x of a robot at rest.
  Vector at_rest(const RestState& state) const;

  // The rows that were set aside: motor torques of a motion, one per drive.
  void torques(const VectorRef& q, const VectorRef& v, const VectorRef& vdot,
               const VectorRef& lambda, VectorOut u);
  // What the outputs are, after residual() or torques() at the same q.
  void outputs(const VectorRef& q, const VectorRef& lambda, VectorOut y) const;

 private:
  template <class S>
  struct Workspace {
    explicit Workspace(const InverseProblem& problem)
        : mechanics(problem.robot()),
          forces(problem.robot().nv()),
          rate(problem.robot().nv()),
          error(problem.output_count()),
          y(problem.output_count()),
          g(problem.robot().constraint_count()) {}
    std::conditional_t<std::is_same_v<S, double>, MechanicsData, MotionData<S>> mechanics;
    VectorOf<S> forces, rate, error, y, g;
  };
  template <class S>
  void evaluate(Workspace<S>& w, const S& t, const VectorRefOf<S>& x, const VectorRefOf<S>& xdot,
                VectorOutOf<S> r);

  const InverseProblem& problem_;
  // nu: torques that are unknowns
  int nq_, nv_, ng_, nu_, rows_;
  std::vector<int> motion_rows_;  // of (D.1)
  // Of the torques that are unknowns.
  Matrix B_;
  Workspace<double> real_;
  Workspace<Jet> jet_;
  Workspace<JetOfDual> jet_of_dual_;
  MotionDerivatives derivatives_;
  Matrix one_, J_, G_;
};

}  // namespace tauflex

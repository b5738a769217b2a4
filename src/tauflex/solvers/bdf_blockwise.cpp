#include "tauflex/math/newton.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/drive_train.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/least_torque.hpp"
#include "tauflex/problem/servo_rows.hpp"
#include "tauflex/solvers/bdf.hpp"
#include "tauflex/solvers/bdf_formula.hpp"

namespace tauflex {

// With v and vdot replaced by their BDF formulas the first block is as many equations as there are
// joints and multipliers:
//   c(q) - y_d(t) = 0,  g(q, t) = 0,  lambda_f - lambda_d(t) = 0,                      theory (P.2)
//   (tau - G^T lambda)_p = 0 for the joints p without a drive
// With more drives than outputs the first two determine q, and lambda is that of the least torque.
// Corrections of q are steps in the directions of v.
class BlockwiseSteps::Stepper {
 public:
  Stepper(const InverseProblem& problem, const RestState& start, const BdfOptions& options,
          double h)
      : problem_(problem),
        robot_(problem.robot()),
        n_(robot_.tree_nv()),
        nq_(robot_.tree_nq()),
        ng_(robot_.constraint_count()),
        nl_(problem.is_redundant() ? 0 : ng_),
        newton_(options.newton.criteria()),
        q_(options.order, h, start.q),
        v_(options.order, h, Vector::Zero(robot_.nv())),
        lambda_(options.order, h, start.lambda),
        mechanics_(robot_),
        servo_(problem),
        least_(problem),
        drives_(robot_),
        springs_(drives_, drives_.stiffness() + q_.lead() * drives_.damping()),
        r_(n_ + nl_),
        dz_(n_ + nl_),
        rate_(robot_.nq()),
        q_past_(robot_.nq()),
        velocity_(robot_.nv()),
        v_past_(robot_.nv()),
        J_(Matrix::Zero(n_ + nl_, n_ + nl_)),
        by_v_(problem.passive_rows().size(), n_),
        stretch_(drives_.size()),
        stretch_past_(drives_.size()),
        load_(drives_.size()) {
    newton_.jacobian = NewtonJacobian::kept;
  }

  // From t - h to t; y: what the outputs shall be then.
  std::optional<StepFailure> step(int i, double t, const VectorRef& y, Instant& now,
                                  long& iterations) {
    q_.predict(now.q);
    lambda_.predict(now.lambda);
    normalize(robot_, now.q);
    q_.past(q_past_);
    v_.past(v_past_);
    if (!find_joints(t, y, now, iterations)) return failure(i);
    if (!find_rotors(now)) return StepFailure{i, "", 0, no_stretch};
    drive_spring_torques<double>(robot_, mechanics_, now.q, now.v);
    motor_torques<double>(robot_, mechanics_, now.v, now.vdot, now.u);
    output_values(robot_, mechanics_, now.q, now.lambda, problem_.outputs(), now.y);
    now.residual = servo_.size() > 0 ? servo_.value().cwiseAbs().maxCoeff() : 0;
    q_.push(now.q);
    v_.push(now.v);
    lambda_.push(now.lambda);
    return std::nullopt;
  }

 private:
  // Block 1: joint positions, velocities and accelerations, and multipliers. Leaves tau - G^T
  // lambda in mechanics_.tau.
  bool find_joints(double t, const VectorRef& y, Instant& now, long& iterations) {
    const auto correct = [&](const NewtonState& state) {
      differentiate(now);
      // The Jacobian is kept within a step while corrections shrink quickly.
      if (state.iteration == 0 || (state.iteration > 1 && state.rate >= 0.1)) {
        joint_torque_derivatives(robot_, mechanics_, now.q, now.v, now.vdot);
        servo_.evaluate(mechanics_, t, now.q, y);
        factorize(now.lambda);
      } else {
        joint_torques<double>(robot_, mechanics_, now.q, now.v, now.vdot);
        servo_.evaluate_value(mechanics_, t, now.q, y);
      }
      residual(y, now.lambda);
      lu_.solve(r_, dz_);
      dz_ *= -1;
      move(robot_, dz_.head(n_), now.q);
      if (nl_ > 0) now.lambda += dz_.tail(nl_);
      ++iterations;
      return dz_.head(n_).cwiseAbs().maxCoeff() / (1 + now.q.head(nq_).cwiseAbs().maxCoeff());
    };
    if (!newton(newton_, correct).converged) return false;
    differentiate(now);
    joint_torques<double>(robot_, mechanics_, now.q, now.v, now.vdot);
    if (nl_ < ng_) {
      servo_.evaluate(mechanics_, t, now.q, y);
      least_.solve(mechanics_.tau, servo_.G(), y, now.lambda);
    } else {
      servo_.evaluate_value(mechanics_, t, now.q, y);
    }
    residual(y, now.lambda);
    return true;
  }

  // Block 2: K d + D d' + beyond(d) = tau - G^T lambda for the stretch d of the drive springs.
  bool find_rotors(Instant& now) {
    if (drives_.size() == 0) return true;
    drives_.loads(mechanics_.tau, load_);
    drives_.stretch(q_past_, stretch_past_);
    load_.noalias() -= drives_.damping() * stretch_past_;
    if (!springs_.solve(load_, stretch_)) return false;
    drives_.set_rotor_positions(stretch_, now.q);
    const int nr = drives_.size();
    now.v.tail(nr) = q_.lead() * now.q.tail(nr) + q_past_.tail(nr);
    now.vdot.tail(nr) = q_.lead() * now.v.tail(nr) + v_past_.tail(nr);
    return true;
  }

  void differentiate(Instant& now) {
    rate_ = q_.lead() * now.q + q_past_;
    velocity_of_rate<double>(robot_, now.q, rate_, velocity_);
    now.v.head(n_) = velocity_.head(n_);
    now.vdot.head(n_) = q_.lead() * velocity_.head(n_) + v_past_.head(n_);
  }

  void residual(const VectorRef& y, const VectorRef& lambda) {
    add_constraint_forces<double>(robot_, mechanics_, lambda, -1, mechanics_.tau);
    r_.head(servo_.size()) = servo_.value();
    if (nl_ < ng_) return;
    Eigen::Index row = servo_.size();
    for (const int p : problem_.passive_rows()) r_[row++] = mechanics_.tau[p];
    for (const auto [output, constraint] : problem_.force_outputs())
      r_[row++] = lambda[constraint] - y[output];
  }

  void factorize(const VectorRef& lambda) {
    J_.setZero();
    J_.topLeftCorner(servo_.size(), n_) = servo_.C();
    if (nl_ == ng_) {
      add_constraint_force_derivative(robot_, mechanics_, lambda, -1, mechanics_.dtau_dq);
      // tau by q, with v and vdot following
      Eigen::Index row = 0;
      for (const int p : problem_.passive_rows())
        by_v_.row(row++) = mechanics_.dtau_dv.row(p) + q_.lead() * mechanics_.M.row(p);
      by_step_of_differences(robot_, rate_, q_past_, velocity_, q_.lead(), by_v_);
      for (Eigen::Index k = 0; k < by_v_.rows(); ++k) {
        const int p = problem_.passive_rows()[k];
        row = servo_.size() + k;
        J_.row(row).head(n_) = mechanics_.dtau_dq.row(p) + by_v_.row(k);
        J_.row(row).tail(nl_) = -servo_.G().col(p).transpose();
      }
      row = servo_.size() + by_v_.rows();
      for (const auto [output, constraint] : problem_.force_outputs())
        J_(row++, n_ + constraint) = 1;
    }
    lu_.compute(J_);
  }

  StepFailure failure(int i) const {
    Eigen::Index worst = 0;
    // Rows in different units: compare each with what its own Jacobian row makes of a unit step.
    (r_.cwiseAbs().array() / J_.leftCols(n_).rowwise().norm().array().max(1e-300)).maxCoeff(&worst);
    const Eigen::Index passive = worst - servo_.size(), force = passive - by_v_.rows();
    const std::string name = passive < 0 ? servo_.name(static_cast<int>(worst))
                             : force < 0
                                 ? problem_.row_name(problem_.passive_rows()[passive])
                                 : problem_.output_row_name(problem_.force_outputs()[force].output);
    return {i, name, r_[worst]};
  }

  const InverseProblem& problem_;
  const Robot& robot_;
  int n_, nq_, ng_;
  int nl_;  // multipliers among the unknowns of Newton's iteration: all or none
  NewtonCriteria newton_;
  BdfHistory q_, v_, lambda_;
  MechanicsData mechanics_;
  ServoRows servo_;
  LeastTorque least_;
  DriveTrain drives_;
  SpringEquations springs_;  // (K + a_0/h D) d + beyond(d) = load - D d_past
  Vector r_, dz_, rate_, q_past_, velocity_, v_past_;
  Matrix J_, by_v_;
  Lu lu_;
  Vector stretch_, stretch_past_, load_;
};

BlockwiseSteps::BlockwiseSteps(const InverseProblem& problem, const RestState& start,
                               const BdfOptions& options, double h)
    : stepper_(std::make_unique<Stepper>(problem, start, options, h)) {}
BlockwiseSteps::BlockwiseSteps(BlockwiseSteps&&) noexcept = default;
BlockwiseSteps& BlockwiseSteps::operator=(BlockwiseSteps&&) noexcept = default;
BlockwiseSteps::~BlockwiseSteps() = default;

std::optional<StepFailure> BlockwiseSteps::step(int i, double t, const VectorRef& y, Instant& now,
                                                long& iterations) {
  return stepper_->step(i, t, y, now, iterations);
}

std::optional<StepFailure> solve_blockwise(const InverseProblem& problem, const RestState& start,
                                           const BdfOptions& options, const TimeGrid& grid,
                                           const Progress& progress, Solution& solution) {
  BlockwiseSteps stepper(problem, start, options, grid.step());
  Vector y(problem.output_count());
  const auto take = [&](int i, double t, Instant& now) {
    path_values<double>(problem.path(), t, y);
    return stepper.step(i, t, y, now, solution.newton_iterations);
  };
  return take_steps(grid, 1, progress, take, solution);
}

}  // namespace tauflex

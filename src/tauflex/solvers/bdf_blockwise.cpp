#include <cassert>

#include "tauflex/math/lu.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/spring_laws.hpp"
#include "tauflex/problem/least_torque.hpp"
#include "tauflex/solvers/bdf.hpp"

namespace tauflex {

namespace {

size_t at(int index) { return static_cast<size_t>(index); }

// Everything one step writes, allocated once. With v and vdot replaced by their BDF formulas the
// first block is as many equations as there are joints and multipliers:               theory (P.2)
//   c(q) - y_d(t) = 0,  lambda_f - lambda_d(t) = 0,  g(q, t) = 0,
//   (tau - G^T lambda)_p = 0 for the joints p without a drive
// With more drives than outputs the first two determine q, and lambda is that of the least torque.
// Corrections of q are steps in the directions of v; quaternions stay of length 1.
class Blocks {
 public:
  Blocks(const InverseProblem& problem, const BdfFormula& formula, double h)
      : problem_(problem),
        robot_(problem.robot()),
        n_(robot_.tree_nv()),
        nq_(robot_.tree_nq()),
        ny_(problem.output_count()),
        ng_(robot_.constraint_count()),
        nl_(problem.is_redundant() ? 0 : ng_),
        formula_(formula),
        h_(h),
        mechanics_(robot_),
        least_(problem),
        r_(n_ + nl_),
        dz_(n_ + nl_),
        y_(ny_),
        c_(ny_),
        g_(ng_),
        rate_(Vector::Zero(robot_.nq())),
        q_past_(Vector::Zero(robot_.nq())),
        v_(Vector::Zero(robot_.nv())),
        vdot_past_(n_),
        J_(Matrix::Zero(n_ + nl_, n_ + nl_)),
        J_out_(Matrix::Zero(ny_, robot_.nv())),
        G_(Matrix::Zero(ng_, n_)),
        stretch_(robot_.rotors()),
        load_(robot_.rotors()) {
    const int nr = robot_.rotors();
    spring_S_ = Matrix::Zero(nr, nr);  // K + (a_0/h) D
    Matrix gears = spring_S_;
    for (const SpringEntry& e : robot_.drive_springs())
      spring_S_(e.row, e.column) = e.stiffness + formula.a[0] / h * e.damping;
    for (const Gear& gear : robot_.gears()) gears(gear.spring, gear.rotor) = gear.ratio;
    if (nr > 0) {
      drive_lu_.compute(spring_S_);
      gear_lu_.compute(gears);
    }
    stretch_past_ = hard_r_ = hard_step_ = Vector::Zero(nr);
    hard_S_ = spring_S_;
    if (nl_ == ng_)
      for (int i = 0; i < ny_; ++i) rows_.push_back({Row::output, i});
    else
      for (const int i : problem.motion_outputs()) rows_.push_back({Row::output, i});
    for (int i = 0; i < ng_; ++i) rows_.push_back({Row::constraint, i});
    if (nl_ == ng_)
      for (const int p : problem.passive_rows()) rows_.push_back({Row::passive, p});
    assert(static_cast<int>(rows_.size()) == n_ + nl_);
  }

  // The known part of the BDF formula, (1/h) sum_{l>=1} a_l x(t_i - l h).
  template <class Out>
  void past(const Matrix& x, int i, Out&& out) const {
    out.setZero();
    for (int l = 1; l <= formula_.order; ++l)
      out += (formula_.a[at(l)] / h_) * x.col(std::max(i - l, 0)).head(out.size());
  }

  // Block 1: joint positions, velocities and accelerations, and multipliers, at step i.
  std::optional<StepFailure> joints(int i, double t, const NewtonOptions& newton, Solution& s) {
    auto q = s.q.col(i).head(nq_);
    auto lambda = s.lambda.col(i);
    q.setZero();
    lambda.setZero();
    for (int l = 1; l <= formula_.order + 1; ++l) {
      q += formula_.b[at(l)] * s.q.col(std::max(i - l, 0)).head(nq_);
      lambda += formula_.b[at(l)] * s.lambda.col(std::max(i - l, 0));
    }
    for (const Quaternion& quaternion : robot_.quaternions())
      q.segment<4>(quaternion.q).normalize();
    past(s.q, i, q_past_.head(nq_));
    past(s.v, i, vdot_past_);
    path_values<double>(problem_.path(), t, y_);

    double last = 0;
    bool have_jacobian = false;
    for (int iteration = 0; iteration < newton.max_iterations; ++iteration) {
      differentiate(i, s);
      if (!have_jacobian) {
        joint_torque_derivatives(robot_, mechanics_, q, s.v.col(i), s.vdot.col(i));
        factorize(lambda);
        have_jacobian = true;
      } else {
        joint_torques<double>(robot_, mechanics_, q, s.v.col(i), s.vdot.col(i));
      }
      residual(t, s.q.col(i), lambda);
      lu_.solve(r_, dz_);
      dz_ *= -1;
      move(robot_, dz_.head(n_), q);
      if (nl_ > 0) lambda += dz_.tail(nl_);
      ++s.newton_iterations;
      const double size = dz_.head(n_).cwiseAbs().maxCoeff();
      if (!std::isfinite(size)) break;
      // The Jacobian is kept within a step: the error that is left shrinks by `rate` each time,
      // until rounding stops it.
      const double rate = iteration == 0 ? 1 : std::min(1.0, size / last);
      const double scale = 1 + q.cwiseAbs().maxCoeff();
      if (rate * size <= newton.tolerance * scale ||
          (rate > 0.5 && iteration > 1 && size < 1e-9 * scale)) {
        differentiate(i, s);
        joint_torques<double>(robot_, mechanics_, q, s.v.col(i), s.vdot.col(i));
        if (nl_ < ng_) {
          constraint_jacobian(robot_, mechanics_, G_);
          least_.solve(mechanics_.tau, G_, y_, lambda);
        }
        residual(t, s.q.col(i), lambda);
        return std::nullopt;
      }
      have_jacobian = iteration == 0 || rate < 0.1;
      last = size;
    }
    return failure(i);
  }

  // Block 2: K d + D d' + hardening(d) = tau - G^T lambda for the stretch d = T (q_m/n) - q of the
  // drive springs; linear, and Newton's iteration where springs harden.
  void rotors(int i, Solution& s) {
    const int nr = robot_.rotors();
    if (nr == 0) return;
    for (int k = 0; k < nr; ++k) load_[k] = mechanics_.tau[drive(k).joint_v];
    stretch_past_.setZero();
    for (int l = 1; l <= formula_.order; ++l) {
      const auto before = s.q.col(std::max(i - l, 0));
      const double a = formula_.a[at(l)] / h_;
      for (int k = 0; k < nr; ++k) stretch_past_[k] -= a * before[drive(k).joint_q];
      for (const Gear& gear : robot_.gears())
        stretch_past_[gear.spring] += a * gear.ratio * before[drive(gear.rotor).rotor_q];
    }
    for (const SpringEntry& e : robot_.drive_springs())
      load_[e.row] -= e.damping * stretch_past_[e.column];
    drive_lu_.solve(load_, stretch_);
    if (!robot_.drive_hardening().empty()) harden();
    for (int k = 0; k < nr; ++k) load_[k] = stretch_[k] + s.q(drive(k).joint_q, i);
    gear_lu_.solve(load_, stretch_);  // rotor angles
    for (int k = 0; k < nr; ++k) s.q(drive(k).rotor_q, i) = stretch_[k];
    auto v = s.v.col(i).tail(nr);
    auto vdot = s.vdot.col(i).tail(nr);
    for (int k = 0; k < nr; ++k) {
      v[k] = formula_.a[0] / h_ * s.q(drive(k).rotor_q, i);
      for (int l = 1; l <= formula_.order; ++l)
        v[k] += formula_.a[at(l)] / h_ * s.q(drive(k).rotor_q, std::max(i - l, 0));
      vdot[k] = formula_.a[0] / h_ * v[k];
      for (int l = 1; l <= formula_.order; ++l)
        vdot[k] += formula_.a[at(l)] / h_ * s.v(drive(k).rotor_v, std::max(i - l, 0));
    }
  }

  // Block 3: torques and outputs.
  void torques(int i, Solution& s) {
    drive_spring_torques<double>(robot_, mechanics_, s.q.col(i), s.v.col(i));
    motor_torques<double>(robot_, mechanics_, s.v.col(i), s.vdot.col(i), s.u.col(i));
    output_values(robot_, mechanics_, s.q.col(i), s.lambda.col(i), problem_.outputs(), s.y.col(i));
    if (ny_ > 0)
      s.max_constraint_residual = std::max(s.max_constraint_residual, c_.cwiseAbs().maxCoeff());
    if (ng_ > 0)
      s.max_constraint_residual = std::max(s.max_constraint_residual, g_.cwiseAbs().maxCoeff());
  }

 private:
  const DriveLayout& drive(int rotor) const { return robot_.elastic_drive(rotor); }

  // Where springs get stiffer with the stretch, Newton's iteration from the linear stretch, which
  // is too large, comes down to the solution without overshooting. Tables may get softer: steps are
  // cut until the residual falls.
  void harden() {
    spring_residual();
    for (int iteration = 0; iteration < 100; ++iteration) {
      hard_S_ = spring_S_;
      for (const HardeningEntry& e : robot_.drive_hardening())
        hard_S_(e.row, e.row) += hardening_stiffness(e.law, stretch_[e.row]);
      hard_lu_.compute(hard_S_);
      hard_lu_.solve(hard_r_, hard_step_);
      const double before = hard_r_.squaredNorm();
      stretch_ -= hard_step_;
      spring_residual();
      for (int cut = 0; cut < 30 && hard_r_.squaredNorm() > before; ++cut) {
        hard_step_ *= 0.5;
        stretch_ += hard_step_;
        spring_residual();
      }
      if (hard_step_.cwiseAbs().maxCoeff() <= 1e-15 * (1e-3 + stretch_.cwiseAbs().maxCoeff()))
        return;
    }
  }

  void spring_residual() {
    hard_r_.noalias() = spring_S_ * stretch_ - load_;
    for (const HardeningEntry& e : robot_.drive_hardening())
      hard_r_[e.row] += hardening_torque(e.law, stretch_[e.row]);
  }

  void differentiate(int i, Solution& s) {
    rate_.head(nq_) = (formula_.a[0] / h_) * s.q.col(i).head(nq_) + q_past_.head(nq_);
    velocity_of_rate<double>(robot_, s.q.col(i), rate_, v_);
    s.v.col(i).head(n_) = v_.head(n_);
    s.vdot.col(i).head(n_) = (formula_.a[0] / h_) * v_.head(n_) + vdot_past_;
  }

  // Leaves tau - G^T lambda in mechanics_.tau.
  void residual(double t, const VectorRef& q, const VectorRef& lambda) {
    output_errors<double>(robot_, mechanics_, q, lambda, problem_.outputs(), y_, c_);
    if (ng_ > 0) {
      constraint_values<double>(robot_, mechanics_, q, t, g_);
      add_constraint_forces<double>(robot_, mechanics_, lambda, -1, mechanics_.tau);
    }
    for (size_t k = 0; k < rows_.size(); ++k) {
      const auto [kind, index] = rows_[k];
      r_[static_cast<Eigen::Index>(k)] = kind == Row::output       ? c_[index]
                                         : kind == Row::constraint ? g_[index]
                                                                   : mechanics_.tau[index];
    }
  }

  void factorize(const VectorRef& lambda) {
    output_jacobian(robot_, mechanics_, problem_.outputs(), y_, J_out_);
    if (ng_ > 0) {
      constraint_jacobian(robot_, mechanics_, G_);
      if (nl_ > 0)
        add_constraint_force_derivative(robot_, mechanics_, lambda, -1, mechanics_.dtau_dq);
    }
    // tau by q, with v and vdot following: dv = V dq, dvdot = s V dq, V = s but for quaternions
    const double s = formula_.a[0] / h_;
    for (size_t k = 0; k < rows_.size(); ++k) {
      const auto [kind, index] = rows_[k];
      auto row = J_.row(static_cast<Eigen::Index>(k));
      if (nl_ > 0) row.tail(nl_).setZero();
      if (kind == Row::output) {
        row.head(n_) = J_out_.row(index).head(n_);
      } else if (kind == Row::constraint) {
        row.head(n_) = G_.row(index);
      } else {
        row.head(n_) = mechanics_.dtau_dq.row(index) + s * mechanics_.dtau_dv.row(index) +
                       s * s * mechanics_.M.row(index);
        if (nl_ > 0) row.tail(nl_) = -G_.col(index).transpose();
        for (const Quaternion& quaternion : robot_.quaternions())
          row.segment<3>(quaternion.v) = mechanics_.dtau_dq.row(index).segment<3>(quaternion.v) +
                                         (mechanics_.dtau_dv.row(index).segment<3>(quaternion.v) +
                                          s * mechanics_.M.row(index).segment<3>(quaternion.v)) *
                                             velocity_by_step(quaternion);
      }
    }
    if (nl_ > 0)
      for (const auto [output, constraint] : problem_.force_outputs())
        J_(output, n_ + constraint) = 1;
    lu_.compute(J_);
  }

  // V of a quaternion x: v = 2 Im(x' conj(x)) with x' = s x + past, so a step d changes v by
  // -Re(past conj(x)) d - (v/2) x d.
  Matrix3 velocity_by_step(const Quaternion& at) const {
    const double s = formula_.a[0] / h_;
    // past = x' - s x, |x| = 1
    const auto rate = rate_.segment<4>(at.q);
    const auto past = q_past_.segment<4>(at.q);
    const Eigen::Vector4d x = (rate - past) / s;
    return -past.dot(x) * Matrix3::Identity() - skew<double>(0.5 * v_.segment<3>(at.v));
  }

  StepFailure failure(int i) const {
    Eigen::Index worst = 0;
    // Rows in different units: compare each with what its own Jacobian row makes of a unit step.
    (r_.cwiseAbs().array() / J_.leftCols(n_).rowwise().norm().array().max(1e-300)).maxCoeff(&worst);
    const auto [kind, index] = rows_[static_cast<size_t>(worst)];
    return {i,
            kind == Row::output       ? problem_.output_row_name(index)
            : kind == Row::constraint ? problem_.constraint_row_name(index)
                                      : problem_.row_name(index),
            r_[worst]};
  }

  enum class Row { output, constraint, passive };

  const InverseProblem& problem_;
  const Robot& robot_;
  int n_, nq_, ny_, ng_;
  int nl_;  // multipliers among the unknowns of Newton's iteration: all or none
  BdfFormula formula_;
  double h_;
  MechanicsData mechanics_;
  LeastTorque least_;
  std::vector<std::pair<Row, int>> rows_;
  Vector r_, dz_, y_, c_, g_, rate_, q_past_, v_, vdot_past_;
  Matrix J_, J_out_, G_;
  Lu lu_;
  Vector stretch_, load_, stretch_past_, hard_r_, hard_step_;
  Matrix spring_S_, hard_S_;
  Lu drive_lu_, gear_lu_, hard_lu_;
};

}  // namespace

std::optional<StepFailure> solve_blockwise(const InverseProblem& problem, const BdfOptions& options,
                                           const TimeGrid& grid, const Progress& progress,
                                           Solution& solution) {
  Blocks blocks(problem, BdfFormula(options.order), grid.step);
  for (int i = 1; i <= grid.steps; ++i) {
    if (auto failure = blocks.joints(i, grid.time(i), options.newton, solution)) return failure;
    blocks.rotors(i, solution);
    blocks.torques(i, solution);
    solution.steps = i;
    if (progress && i % 256 == 0 && !progress(static_cast<double>(i) / grid.steps)) {
      solution.status = Status::interrupted;
      break;
    }
  }
  return std::nullopt;
}

}  // namespace tauflex

#include "tauflex/solvers/exact.hpp"

#include "tauflex/math/lu.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/least_torque.hpp"

namespace tauflex {

namespace {

class ExactMotion {
 public:
  explicit ExactMotion(const InverseProblem& problem)
      : problem_(problem),
        robot_(problem.robot()),
        n_(robot_.tree_nv()),
        ny_(problem.output_count()),
        ng_(robot_.constraint_count()),
        mechanics_(robot_),
        least_(problem),
        y_(Matrix::Zero(ny_, 3)),
        rate_(ny_),
        acceleration_(ny_),
        J_out_(Matrix::Zero(ny_, robot_.nv())),
        G_(Matrix::Zero(ng_, n_)),
        J_(Matrix::Zero(n_, n_)),
        c_(ny_),
        g_(ng_),
        bias_(ny_),
        r_(n_),
        dq_(n_) {
    moving_ = problem.motion_outputs();
  }

  std::optional<StepFailure> solve(int i, double t, const NewtonOptions& newton, Solution& s) {
    auto q = s.q.col(i);
    auto v = s.v.col(i);
    auto vdot = s.vdot.col(i);
    auto lambda = s.lambda.col(i);
    problem_.path().derivatives(t, y_);

    double last = std::numeric_limits<double>::infinity();
    bool found = false;
    for (int iteration = 0; iteration < newton.max_iterations && !found; ++iteration) {
      positions(t, q, lambda);
      lu_.solve(r_, dq_);
      dq_ *= -1;
      const double size = dq_.size() > 0 ? dq_.cwiseAbs().maxCoeff() : 0;
      ++s.newton_iterations;
      if (!std::isfinite(size)) break;
      move(robot_, dq_, q);
      const double scale = 1 + q.cwiseAbs().maxCoeff();
      // Newton squares the error until rounding stops it.
      found = size * size <= newton.tolerance * scale * 1e-3 ||
              (size >= 0.5 * last && size < 1e-9 * scale);
      last = size;
    }
    if (!found) return failure(i);

    positions(t, q, lambda);  // the Jacobian where it ended
    output_rates(problem_.outputs(), y_, rate_, acceleration_);
    for (size_t k = 0; k < moving_.size(); ++k) r_[static_cast<int>(k)] = rate_[moving_[k]];
    constraint_rates(robot_, t, g_);
    r_.tail(ng_) = g_;
    lu_.solve(r_, v);
    constraint_bias(robot_, mechanics_, q, v, t, g_);
    output_bias(robot_, mechanics_, problem_.outputs(), y_.col(0), bias_);
    for (size_t k = 0; k < moving_.size(); ++k)
      r_[static_cast<int>(k)] = acceleration_[moving_[k]] - bias_[moving_[k]];
    r_.tail(ng_) = -g_;
    lu_.solve(r_, vdot);
    if (!vdot.allFinite()) return failure(i);

    joint_torques<double>(robot_, mechanics_, q, v, vdot);
    least_.solve(mechanics_.tau, G_, y_.col(0), lambda);
    add_constraint_forces<double>(robot_, mechanics_, lambda, -1, mechanics_.tau);
    motor_torques<double>(robot_, mechanics_, v, vdot, s.u.col(i));
    output_values(robot_, mechanics_, q, lambda, problem_.outputs(), s.y.col(i));
    output_errors<double>(robot_, mechanics_, q, lambda, problem_.outputs(), y_.col(0), c_);
    constraint_values<double>(robot_, mechanics_, q, t, g_);
    for (const double residual : c_)
      s.max_constraint_residual = std::max(s.max_constraint_residual, std::abs(residual));
    for (const double residual : g_)
      s.max_constraint_residual = std::max(s.max_constraint_residual, std::abs(residual));
    return std::nullopt;
  }

 private:
  // Residual and factorised Jacobian of motion outputs and constraints.
  void positions(double t, const VectorRef& q, const VectorRef& lambda) {
    kinematics<double>(robot_, mechanics_, q);
    output_errors<double>(robot_, mechanics_, q, lambda, problem_.outputs(), y_.col(0), c_);
    output_jacobian(robot_, mechanics_, problem_.outputs(), y_.col(0), J_out_);
    constraint_values<double>(robot_, mechanics_, q, t, g_);
    constraint_jacobian(robot_, mechanics_, G_);
    for (size_t k = 0; k < moving_.size(); ++k) {
      r_[static_cast<int>(k)] = c_[moving_[k]];
      J_.row(static_cast<int>(k)) = J_out_.row(moving_[k]).head(n_);
    }
    r_.tail(ng_) = g_;
    J_.bottomRows(ng_) = G_;
    lu_.compute(J_);
  }

  StepFailure failure(int i) const {
    Eigen::Index worst = 0;
    r_.cwiseAbs().maxCoeff(&worst);
    const auto moving = static_cast<Eigen::Index>(moving_.size());
    return {i,
            worst < moving ? problem_.output_row_name(moving_[static_cast<size_t>(worst)])
                           : problem_.constraint_row_name(static_cast<int>(worst - moving)),
            r_[worst]};
  }

  const InverseProblem& problem_;
  const Robot& robot_;
  int n_, ny_, ng_;
  std::vector<int> moving_;  // outputs that are not forces
  MechanicsData mechanics_;
  LeastTorque least_;
  Matrix y_;  // y_d, y_d', y_d''
  Vector rate_, acceleration_;
  Matrix J_out_, G_, J_;
  Vector c_, g_, bias_, r_, dq_;
  Lu lu_;
};

}  // namespace

bool has_exact_solution(const InverseProblem& problem) {
  return problem.is_complete() && problem.robot().rotors() == 0;
}

std::optional<StepFailure> solve_exact(const InverseProblem& problem, const ExactOptions& options,
                                       const TimeGrid& grid, const Progress& progress,
                                       Solution& s) {
  ExactMotion motion(problem);
  for (int i = 0; i <= grid.steps; ++i) {
    if (i > 0) {  // from where the last motion would go
      s.q.col(i) = s.q.col(i - 1);
      const double h = grid.step;
      move(problem.robot(), h * s.v.col(i - 1) + h * h / 2 * s.vdot.col(i - 1), s.q.col(i));
    }
    if (auto failure = motion.solve(i, grid.time(i), options.newton, s)) return failure;
    s.steps = i;
    if (progress && i % 256 == 0 && !progress(static_cast<double>(i) / grid.steps)) {
      s.status = Status::interrupted;
      break;
    }
  }
  return std::nullopt;
}

}  // namespace tauflex

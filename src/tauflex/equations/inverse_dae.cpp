#include "tauflex/equations/inverse_dae.hpp"

#include <numeric>

#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {

namespace {

std::vector<int> all_rows(int count) {
  std::vector<int> rows(count);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

}  // namespace

InverseDae::InverseDae(const InverseProblem& problem, Torques torques)
    : problem_(problem),
      nq_(problem.robot().nq()),
      nv_(problem.robot().nv()),
      ng_(problem.robot().constraint_count()),
      nu_(torques == Torques::unknown ? static_cast<int>(problem.robot().actuation().drives.size())
                                      : 0),
      motion_rows_(torques == Torques::unknown ? all_rows(nv_) : problem.unactuated_rows()),
      B_(input_matrix(problem.robot())),
      real_(problem),
      jet_(problem),
      jet_of_dual_(problem),
      derivatives_(problem.robot()),
      one_(Matrix::Identity(nv_, nv_)),
      J_(Matrix::Zero(problem.output_count(), nv_)),
      G_(Matrix::Zero(ng_, problem.robot().tree_nv())) {
  rows_ = nq_ + static_cast<int>(motion_rows_.size()) + problem.output_count() + ng_;
}

Vector InverseDae::at_rest(const RestState& state) const {
  Vector x = Vector::Zero(size());
  x.head(nq_) = state.q;
  x.segment(nq_ + nv_, ng_) = state.lambda;
  if (nu_ > 0) x.tail(nu_) = state.u;
  return x;
}

InverseDae::~InverseDae() = default;

std::string InverseDae::variable_name(int index) const {
  const Robot& robot = problem_.robot();
  if (index < nq_) return "q." + robot.coordinates().names[index];
  index -= nq_;
  if (index < nv_) return "v." + robot.coordinates().velocity_names[index];
  index -= nv_;
  if (index < ng_) return "lambda." + robot.constraints()[index].name;
  return "u." + robot.actuation().names[index - ng_];
}

std::string InverseDae::equation_name(int index) const {
  const Robot& robot = problem_.robot();
  const auto& rows = motion_rows_;
  if (index < nv_) return "rate of " + robot.coordinates().velocity_names[index];
  index -= nv_;
  if (index < nq_ - nv_) return coordinate_equation_names(robot)[index];
  index -= nq_ - nv_;
  if (index < static_cast<int>(rows.size())) return problem_.row_name(rows[index]);
  index -= static_cast<int>(rows.size());
  if (index < problem_.output_count()) return problem_.output_row_name(index);
  return problem_.constraint_row_name(index - problem_.output_count());
}

template <class S>
void InverseDae::evaluate(Workspace<S>& w, const S& t, const VectorRefOf<S>& x,
                          const VectorRefOf<S>& xdot, VectorOutOf<S> r) {
  const Robot& robot = problem_.robot();
  const auto q = x.head(nq_), v = x.segment(nq_, nv_), lambda = x.segment(nq_ + nv_, ng_);
  const auto vdot = xdot.segment(nq_, nv_);
  velocity_of_rate<S>(robot, q, xdot.head(nq_), w.rate);
  r.head(nv_) = w.rate - v;
  coordinate_equations<S>(robot, q, r.segment(nv_, nq_ - nv_));
  int row = nq_;
  motion_forces<S>(robot, w.mechanics, q, v, vdot, w.forces);
  add_constraint_forces<S>(robot, w.mechanics, lambda, -1, w.forces);
  for (int d = 0; d < nu_; ++d)
    for (int i = 0; i < nv_; ++i)
      if (B_(i, d) != 0) w.forces[i] -= x[nq_ + nv_ + ng_ + d] * S(B_(i, d));
  for (const int motion : motion_rows_) r[row++] = w.forces[motion];
  path_values<S>(problem_.path(), t, w.y);
  output_errors<S>(robot, w.mechanics, q, lambda, problem_.outputs(), w.y, w.error);
  r.segment(row, problem_.output_count()) = w.error;
  constraint_values<S>(robot, w.mechanics, q, t, w.g);
  r.tail(ng_) = w.g;
}

void InverseDae::residual(double t, const VectorRef& x, const VectorRef& xdot, VectorOut r) {
  evaluate<double>(real_, t, x, xdot, r);
}
void InverseDae::residual(const Jet& t, const VectorRefOf<Jet>& x, const VectorRefOf<Jet>& xdot,
                          VectorOutOf<Jet> r) {
  evaluate<Jet>(jet_, t, x, xdot, r);
}
void InverseDae::residual(const JetOfDual& t, const VectorRefOf<JetOfDual>& x,
                          const VectorRefOf<JetOfDual>& xdot, VectorOutOf<JetOfDual> r) {
  evaluate<JetOfDual>(jet_of_dual_, t, x, xdot, r);
}

void InverseDae::jacobians(double t, const VectorRef& x, const VectorRef& xdot, MatrixOut F_x,
                           MatrixOut F_xdot) {
  const Robot& robot = problem_.robot();
  const int n = robot.tree_nv();
  const auto q = x.head(nq_), v = x.segment(nq_, nv_), lambda = x.segment(nq_ + nv_, ng_);
  motion_derivatives(robot, real_.mechanics, q, v, xdot.segment(nq_, nv_), derivatives_);
  add_constraint_force_derivative(robot, real_.mechanics, lambda, -1,
                                  derivatives_.stiffness.topLeftCorner(n, n));
  constraint_jacobian(robot, real_.mechanics, G_);
  path_values<double>(problem_.path(), t, real_.y);
  output_jacobian(robot, real_.mechanics, problem_.outputs(), real_.y, J_);
  F_x.setZero();
  F_xdot.setZero();
  by_coordinates(robot, q, one_, F_xdot.topLeftCorner(nv_, nq_));
  add_velocity_of_rate_derivative(robot, q, xdot.head(nq_), F_x.topLeftCorner(nv_, nq_));
  for (int i = 0; i < nv_; ++i) F_x(i, nq_ + i) = -1;
  coordinate_equation_derivatives(robot, q, F_x.block(nv_, 0, nq_ - nv_, nq_));
  int row = nq_;
  for (const int motion : motion_rows_) {
    by_coordinates(robot, q, derivatives_.stiffness.middleRows(motion, 1),
                   F_x.block(row, 0, 1, nq_));
    F_x.row(row).segment(nq_, nv_) = derivatives_.damping.row(motion);
    if (motion < n) F_x.row(row).segment(nq_ + nv_, ng_) = -G_.col(motion).transpose();
    if (nu_ > 0) F_x.row(row).tail(nu_) = -B_.row(motion);
    F_xdot.row(row++).segment(nq_, nv_) = derivatives_.mass.row(motion);
  }
  by_coordinates(robot, q, J_, F_x.block(row, 0, problem_.output_count(), nq_));
  for (const auto [output, constraint] : problem_.force_outputs())
    F_x(row + output, nq_ + nv_ + constraint) = 1;
  row += problem_.output_count();
  if (ng_ > 0) {
    F_x.block(row, 0, ng_, nq_).setZero();
    by_coordinates(robot, q, G_, F_x.block(row, 0, ng_, nq_));
  }
}

void InverseDae::outputs(const VectorRef& q, const VectorRef& lambda, VectorOut y) const {
  output_values(problem_.robot(), real_.mechanics, q, lambda, problem_.outputs(), y);
}

void InverseDae::torques(const VectorRef& q, const VectorRef& v, const VectorRef& vdot,
                         const VectorRef& lambda, VectorOut u) {
  joint_torques<double>(problem_.robot(), real_.mechanics, q, v, vdot);
  add_constraint_forces<double>(problem_.robot(), real_.mechanics, lambda, -1, real_.mechanics.tau);
  drive_spring_torques<double>(problem_.robot(), real_.mechanics, q, v);
  motor_torques<double>(problem_.robot(), real_.mechanics, v, vdot, u);
}

}  // namespace tauflex

#include "tauflex/problem/inverse_dae.hpp"

#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {

InverseDae::InverseDae(const InverseProblem& problem)
    : problem_(problem),
      nq_(problem.robot().nq()),
      nv_(problem.robot().nv()),
      real_(problem),
      jet_(problem),
      jet_of_dual_(problem),
      derivatives_(problem.robot()) {}

std::string InverseDae::variable_name(int index) const {
  const auto& names = problem_.robot().coordinate_names();
  return index < nq_ ? "q." + names[static_cast<size_t>(index)]
                     : "v." + names[static_cast<size_t>(index - nq_)];
}

std::string InverseDae::equation_name(int index) const {
  const auto& rows = problem_.unactuated_rows();
  if (index < nq_)
    return "rate of " + problem_.robot().coordinate_names()[static_cast<size_t>(index)];
  index -= nq_;
  if (index < static_cast<int>(rows.size()))
    return problem_.row_name(rows[static_cast<size_t>(index)]);
  return problem_.output_row_name(index - static_cast<int>(rows.size()));
}

template <class S>
void InverseDae::evaluate(Workspace<S>& w, const S& t, const VectorRefOf<S>& x,
                          const VectorRefOf<S>& xdot, VectorOutOf<S> r) {
  const Robot& robot = problem_.robot();
  const auto q = x.head(nq_), v = x.tail(nv_);
  const auto vdot = xdot.tail(nv_);
  position_rate<S>(robot, q, v, w.rate);
  r.head(nq_) = xdot.head(nq_) - w.rate;
  motion_forces<S>(robot, w.mechanics, q, v, vdot, w.forces);
  int row = nq_;
  for (const int unactuated : problem_.unactuated_rows()) r[row++] = w.forces[unactuated];
  output_values<S>(robot, w.mechanics, q, problem_.outputs(), w.c);
  path_values<S>(problem_.path(), t, w.y);
  r.tail(problem_.output_count()) = w.c - w.y;
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

void InverseDae::jacobians(double, const VectorRef& x, const VectorRef& xdot, MatrixOut F_x,
                           MatrixOut F_xdot) {
  const Robot& robot = problem_.robot();
  motion_derivatives(robot, real_.mechanics, x.head(nq_), x.tail(nv_), xdot.tail(nv_),
                     derivatives_);
  F_x.setZero();
  F_xdot.setZero();
  for (int i = 0; i < nq_; ++i) F_xdot(i, i) = 1;
  for (int i = 0; i < nv_; ++i) F_x(i, nq_ + i) = -1;  // N = 1: every joint has one direction
  int row = nq_;
  for (const int unactuated : problem_.unactuated_rows()) {
    F_x.row(row).head(nq_) = derivatives_.stiffness.row(unactuated);
    F_x.row(row).tail(nv_) = derivatives_.damping.row(unactuated);
    F_xdot.row(row++).tail(nv_) = derivatives_.mass.row(unactuated);
  }
  output_jacobian<double>(robot, real_.mechanics, problem_.outputs(),
                          F_x.block(row, 0, problem_.output_count(), nq_));
}

void InverseDae::torques(const VectorRef& q, const VectorRef& v, const VectorRef& vdot,
                         VectorOut u) {
  joint_torques<double>(problem_.robot(), real_.mechanics, q, v, vdot);
  drive_spring_torques<double>(problem_.robot(), real_.mechanics, q, v);
  motor_torques<double>(problem_.robot(), real_.mechanics, v, vdot, u);
}

}  // namespace tauflex

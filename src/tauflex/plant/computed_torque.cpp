#include "tauflex/plant/computed_torque.hpp"

#include <algorithm>

#include "tauflex/base/errors.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/mechanics/motion.hpp"

namespace tauflex {

namespace {

Robot rigid_model(const Robot& robot) {
  const Robot rigid(with_rigid_drives(robot.description()));
  std::vector<int> rows;
  for (int i = 0; i < rigid.constraint_count(); ++i)
    for (const ConstraintRow& kept : robot.constraints())
      if (kept.name == rigid.constraints()[i].name) rows.push_back(i);
  return rigid.with_constraint_rows(rows);
}

}  // namespace

RobotDescription with_rigid_drives(RobotDescription robot) {
  for (Link& link : robot.links)
    if (link.drive) link.drive->elastic.reset();
  std::erase_if(robot.couplings, [](const Coupling& coupling) { return coupling.drives; });
  robot.transmissions.clear();
  return robot;
}

ComputedTorque::ComputedTorque(const InverseProblem& problem, const Robot& plant, Vector kp,
                               Vector kd, Measured measured)
    : problem_(rigid_model(problem.robot()), problem.task()),
      kp_(std::move(kp)),
      kd_(std::move(kd)),
      n_(problem_.robot().tree_nv()),
      nu_(static_cast<int>(problem_.robot().actuation().drives.size())),
      ny_(problem_.output_count()),
      ng_(problem_.robot().constraint_count()),
      mechanics_(problem_.robot()),
      q_(problem_.robot().coordinates().neutral),
      v_(Vector::Zero(n_)),
      zero_(v_),
      c_(ny_),
      bias_(ny_),
      rate_(ny_),
      acceleration_(ny_),
      gamma_(ng_),
      none_(Vector::Zero(ng_)),
      right_(n_ + ny_ + ng_),
      solved_(right_),
      y_(Matrix::Zero(ny_, 3)),
      J_(Matrix::Zero(ny_, n_)),
      G_(Matrix::Zero(ng_, n_)),
      B_(input_matrix(problem_.robot())),
      kkt_(Matrix::Zero(n_ + ny_ + ng_, n_ + nu_ + ng_)) {
  if (nu_ != ny_)
    throw ProblemError(problem.task().where + ": computed torque needs as many outputs as drives");
  if (measured == Measured::motor)
    for (const DriveLayout& drive : plant.actuation().drives)
      rotors_.push_back(motor_encoder(drive));
}

void ComputedTorque::measure(const VectorRef& q, const VectorRef& v) {
  q_ = q.head(q_.size());
  v_ = v.head(n_);
  for (size_t d = 0; d < rotors_.size(); ++d) {
    const DriveLayout& joint = problem_.robot().actuation().drives[d];
    q_[joint.joint_q] = rotors_[d].ratio * q[rotors_[d].q] / joint.gear_ratio;
    v_[joint.joint_v] = rotors_[d].ratio * v[rotors_[d].v] / joint.gear_ratio;
  }
}

void ComputedTorque::factorize(double t) {
  const Robot& robot = problem_.robot();
  mass_matrix(robot, mechanics_, q_);
  constraint_bias(robot, mechanics_, q_, v_, t, gamma_);
  problem_.path().derivatives(t, y_);
  output_jacobian(robot, mechanics_, problem_.outputs(), y_.col(0), J_);
  constraint_jacobian(robot, mechanics_, G_);
  kkt_.setZero();
  kkt_.topLeftCorner(n_, n_) = mechanics_.M;
  kkt_.block(0, n_, n_, nu_) = -B_;
  kkt_.topRightCorner(n_, ng_) = -G_.transpose();
  kkt_.block(n_, 0, ny_, n_) = J_;
  for (const auto [output, constraint] : problem_.force_outputs())
    kkt_(n_ + output, n_ + nu_ + constraint) = 1;
  kkt_.bottomLeftCorner(ng_, n_) = G_;
  lu_.compute(kkt_);
}

void ComputedTorque::add_torques(double t, const VectorRef& q, const VectorRef& v, VectorOut u) {
  const Robot& robot = problem_.robot();
  measure(q, v);
  factorize(t);
  output_errors<double>(robot, mechanics_, q_, none_, problem_.outputs(), y_.col(0), c_);
  output_rates(problem_.outputs(), y_, rate_, acceleration_);
  output_bias(robot, mechanics_, problem_.outputs(), y_.col(0), bias_);
  right_.segment(n_, ny_) =
      acceleration_ + kd_.cwiseProduct(rate_ - J_ * v_) - kp_.cwiseProduct(c_) - bias_;
  for (const ForceRow& force : problem_.force_outputs())
    right_[n_ + force.output] = y_(force.output, 0);
  right_.tail(ng_) = -gamma_;
  joint_torques<double>(robot, mechanics_, q_, v_, zero_);
  right_.head(n_) = -mechanics_.tau;
  lu_.solve(right_, solved_);
  u += solved_.segment(n_, nu_);
}

// What the gains make of an error; the change of the model's own terms is left out.
void ComputedTorque::add_gains(double t, const VectorRef& q, const VectorRef& v, MatrixOut by_q,
                               MatrixOut by_v) {
  measure(q, v);
  factorize(t);
  for (const int i : problem_.motion_outputs()) {
    right_.setZero();
    right_[n_ + i] = 1;
    lu_.solve(right_, solved_);
    by_q.leftCols(n_).noalias() -= kp_[i] * solved_.segment(n_, nu_) * J_.row(i);
    by_v.leftCols(n_).noalias() -= kd_[i] * solved_.segment(n_, nu_) * J_.row(i);
  }
}

}  // namespace tauflex

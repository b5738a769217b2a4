#include "tauflex/equations/start.hpp"

#include <fmt/format.h>

#include <limits>
#include <random>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/equations/inverse_dae.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/least_squares.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/drive_train.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/model/natural_units.hpp"
#include "tauflex/problem/inverse_kinematics.hpp"
#include "tauflex/problem/least_torque.hpp"
#include "tauflex/problem/servo_rows.hpp"

namespace tauflex {

namespace {

constexpr double reached = 1e-9;          // of the scaled rows; rounding stays below 1e-12
constexpr double nothing = 1e-12;         // of the weight that a joint carries: rounding
constexpr double far_in_one_step = 1e-3;  // offset of further guesses, rad or sizes of the robot

// What multipliers are measured in: what this joint takes to move by 1 rad. Measured by a stiff one
// the balance of soft joints hardly counts in the search, by a soft one the forces of heavy
// robots outweigh its positions.
enum class ForceUnit { of_softest_joint, of_stiffest_joint };

// The static equations in z = (q, lambda), with lengths in sizes of the robot. Each row is divided
// by its size at the guess.
class StaticEquations {
 public:
  StaticEquations(const InverseProblem& problem, double t, const Vector& guess, ForceUnit unit)
      : problem_(problem), dae_(problem), least_(problem), t_(t) {
    y_.resize(problem.output_count());
    path_values<double>(problem.path(), t, y_);
    x_ = xdot_ = Vector::Zero(dae_.size());
    r_ = Vector::Zero(dae_.rows());
    F_x_ = F_xdot_ = Matrix::Zero(dae_.rows(), dae_.size());
    find_units(guess, unit);
  }

  int nq() const { return problem_.robot().nq(); }
  int multipliers() const { return problem_.robot().constraint_count(); }

  void operator()(const Vector& z, Vector& r, Matrix& J) {
    x_.head(nq()) = positions(z);
    x_.tail(multipliers()) = forces(z);
    evaluate(r, J);
    r = scale_.asDiagonal() * r;
    J = scale_.asDiagonal() * J * units_.asDiagonal();
  }

  Vector at(const Vector& q) const {
    Vector z = Vector::Zero(units_.size());
    z.head(nq()) = q.cwiseQuotient(units_.head(nq()));
    return z;
  }
  Vector positions(const Vector& z) const { return z.head(nq()).cwiseProduct(units_.head(nq())); }
  Vector forces(const Vector& z) const {
    return z.tail(multipliers()).cwiseProduct(units_.tail(multipliers()));
  }

  // From now on forces are measured in the largest one of z, and rows divided by their size there;
  // returns z in these units. Beside a stiff spring the unit that was guessed is so large that soft
  // joints do not show that they are out of balance.
  Vector in_forces_of(const Vector& z) {
    const Vector q = positions(z), lambda = forces(z), levers = force_levers();
    const double force = lambda.cwiseQuotient(levers).cwiseAbs().maxCoeff();
    units_.tail(multipliers()) = std::max(least_force(), force) * levers;
    Vector r, anew = at(q);
    Matrix J;
    x_.head(nq()) = q;
    x_.tail(multipliers()) = lambda;
    evaluate(r, J);
    divide_rows(J);
    anew.tail(multipliers()) = lambda.cwiseQuotient(units_.tail(multipliers()));
    return anew;
  }

  // How far z is from a solution; infinite where an orientation is half a turn off, at which its
  // rows vanish too.
  double distance(const LeastSquaresResult& found) const {
    const double size = found.residual.norm();
    if (size >= reached ||
        outputs_reached(problem_.robot(), problem_.outputs(), positions(found.x), y_))
      return size;
    return std::numeric_limits<double>::infinity();
  }

  // Servo and constraint rows are the last ones.
  int closing_rows() const { return problem_.output_count() + multipliers(); }
  Vector unscaled(const Vector& r) const { return r.cwiseQuotient(scale_); }
  Matrix unscaled_rows(const Matrix& J) const { return scale_.cwiseInverse().asDiagonal() * J; }
  std::string name(Eigen::Index row) const {
    return dae_.equation_name(static_cast<int>(row) + dae_.first_static_row());
  }
  // Torques and multipliers; the least torque where there is a choice. False when no stretch of the
  // springs is found under it.
  bool torques(RestState& state) {
    const Robot& robot = problem_.robot();
    const Vector zero = Vector::Zero(robot.nv());
    bool found = true;
    if (problem_.is_redundant()) {
      MechanicsData data(robot);
      joint_torques<double>(robot, data, state.q, zero, zero);
      Vector wanted(problem_.output_count());
      path_values<double>(problem_.path(), t_, wanted);
      least_.solve(data.tau, constraint_matrix(robot, state.q), wanted, state.lambda);
      found = turn_rotors(data, state);
    }
    state.u.resize(static_cast<Eigen::Index>(robot.actuation().drives.size()));
    dae_.torques(state.q, zero, zero, state.lambda, state.u);
    return found;
  }

 private:
  // At x_, in SI units.
  void evaluate(Vector& r, Matrix& J) {
    const int first = dae_.first_static_row(), rows = dae_.rows() - first;
    dae_.residual(t_, x_, xdot_, r_);
    dae_.jacobians(t_, x_, xdot_, F_x_, F_xdot_);
    r = r_.tail(rows);
    J.resize(rows, nq() + multipliers());
    J << F_x_.block(first, 0, rows, nq()), F_x_.bottomRightCorner(rows, multipliers());
  }

  // Rows of static equations: lengths of quaternions, motions of joints without a drive, closing.
  int first_motion() const { return nq() - problem_.robot().nv(); }

  void find_units(const Vector& guess, ForceUnit unit) {
    const Robot& robot = problem_.robot();
    const Vector velocities = velocity_units(robot);
    Vector r;
    Matrix J;
    x_.head(nq()) = guess;
    evaluate(r, J);
    units_ = Vector::Ones(nq() + multipliers());
    for (int k = 0; k < robot.nv(); ++k)
      if (const int i = robot.coordinates().of_velocity[k]; i >= 0) units_[i] = velocities[k];
    const Vector rows = velocities(problem_.unactuated_rows());
    if (multipliers() > 0 && rows.size() > 0) {
      const Matrix motions =
          rows.asDiagonal() * J.middleRows(first_motion(), rows.size()) * units_.asDiagonal();
      const Vector stiffness = motions.leftCols(nq()).cwiseAbs().rowwise().maxCoeff();
      double taken = stiffness.maxCoeff();
      if (unit == ForceUnit::of_softest_joint)
        for (const double s : stiffness)
          if (s > reached * stiffness.maxCoeff()) taken = std::min(taken, s);
      // one force for all: the lever of one row vanishes where bars lie on one line
      const Vector levers = force_levers();
      const double lever =
          (motions.rightCols(multipliers()) * levers.asDiagonal()).cwiseAbs().maxCoeff();
      if (lever > 0) units_.tail(multipliers()) = std::max(least_force(), taken / lever) * levers;
    }
    divide_rows(J);
  }

  // Of each multiplier: forces, and moments that they have at a lever as long as the robot.
  Vector force_levers() const {
    const Robot& robot = problem_.robot();
    return constraint_units(robot).cwiseInverse() * robot_size(robot);
  }

  void divide_rows(const Matrix& J) {
    scale_ = (J * units_.asDiagonal()).rowwise().norm();
    // A joint about the vertical: gravity has no moment there but rounding, whatever the pose.
    const Vector weights = weight_units(problem_.robot())(problem_.unactuated_rows());
    auto forces = scale_.segment(first_motion(), weights.size());
    forces = (forces.array() < nothing * weights.array()).select(weights, forces);
    for (double& s : scale_) s = s > 0 ? 1 / s : 1;
  }

  // N: multipliers are not measured in less. Without springs and gravity stiffnesses are rounding,
  // and what carries the robot's weight has the rounding of that.
  double least_force() const {
    const double time = problem_.end() - problem_.begin();
    double mass = 0;
    for (const Body& body : problem_.robot().tree().bodies) mass += body.mass;
    const double moving = time > 0 ? mass * robot_size(problem_.robot()) / (time * time) : 0;
    const double force = std::max(1e-3 * mass * problem_.robot().gravity().norm(), 1e-6 * moving);
    return force > 0 ? force : 1;
  }

  // Rotors wound up by what the least torque asks of their springs: K d + hardening = tau - G^T
  // lambda.
  bool turn_rotors(MechanicsData& data, RestState& state) const {
    const Robot& robot = problem_.robot();
    add_constraint_forces<double>(robot, data, state.lambda, -1, data.tau);
    const DriveTrain drives(robot);
    Vector load(drives.size());
    drives.loads(data.tau, load);
    const std::optional<Vector> stretch = stretch_at_rest(drives, load);
    if (stretch) drives.set_rotor_positions(*stretch, state.q);
    return stretch.has_value();
  }

  const InverseProblem& problem_;
  InverseDae dae_;
  LeastTorque least_;
  double t_;
  Vector y_;
  Vector x_, xdot_, r_;
  // Of z, and what rows are multiplied with.
  Vector units_, scale_;
  Matrix F_x_, F_xdot_;
};

// Rows of motion outputs at q, nv columns.
Matrix output_rows(const InverseProblem& problem, const Vector& q) {
  const Robot& robot = problem.robot();
  MechanicsData data(robot);
  kinematics<double>(robot, data, q);
  Matrix J(problem.output_count(), robot.nv());
  Vector here(problem.output_count());
  output_values(robot, data, q, Vector::Zero(robot.constraint_count()), problem.outputs(), here);
  output_jacobian(robot, data, problem.outputs(), here, J);
  return J(problem.motion_outputs(), Eigen::all);
}

}  // namespace

Matrix independence_rows(const InverseProblem& problem, const Vector& q) {
  const Robot& robot = problem.robot();
  const Matrix J = output_rows(problem, q), G = constraint_matrix(robot, q);
  Matrix rows = Matrix::Zero(J.rows() + G.rows(), J.cols());
  rows.topRows(J.rows()) = J;
  rows.bottomLeftCorner(G.rows(), G.cols()) = G;
  // lengths and angles side by side
  return servo_units(problem).cwiseInverse().asDiagonal() * rows *
         velocity_units(robot).asDiagonal();
}

double output_independence(const InverseProblem& problem, const Vector& q) {
  const Matrix rows = independence_rows(problem, q);
  if (rows.rows() == 0) return 1;
  const Vector sigma = singular_values(rows);
  return sigma.size() < rows.rows() ? 0 : sigma[sigma.size() - 1] / sigma[0];
}

namespace {

// How close the outputs get to where they shall be, whatever the joints have to do for it.
LeastSquaresResult closest_approach(StaticEquations& equations, const Vector& z) {
  const int closing = equations.closing_rows();
  Vector all;
  Matrix J_all;
  const auto outputs_only = [&](const Vector& x, Vector& r, Matrix& J) {
    equations(x, all, J_all);
    r = equations.unscaled(all).tail(closing);
    J = equations.unscaled_rows(J_all).bottomRows(closing);
  };
  return least_squares(outputs_only, z);
}

// Why the best that was found is no start.
std::string explain_miss(const InverseProblem& problem, double t, StaticEquations& equations,
                         const LeastSquaresResult& best) {
  if (best.residual.norm() < reached)
    return "the search for a posture ended with the tool half a turn off; give start.near";
  if (best.residual.tail(equations.closing_rows()).norm() > 1e-3 * best.residual.norm()) {
    std::string wanted;
    Vector y(problem.output_count());
    path_values<double>(problem.path(), t, y);
    for (int i = 0; i < problem.output_count(); ++i)
      wanted += fmt::format("{}{} = {:.6g}", i ? ", " : "", problem.outputs().rows[i].name, y[i]);
    const double away = closest_approach(equations, best.x).residual.norm();
    if (away < reached)
      return wanted + " cannot be reached at rest: joints without a drive are not in balance there";
    return fmt::format("{} cannot be reached; the robot stays {:.3g} away", wanted, away);
  }
  Eigen::Index worst = 0;
  best.residual.cwiseAbs().maxCoeff(&worst);
  return fmt::format("no equilibrium was found; equation '{}' is off by {:.3g}",
                     equations.name(worst), equations.unscaled(best.residual)[worst]);
}

RestState rest_state_in(ForceUnit unit, const InverseProblem& problem, double t,
                        const Vector& guess) {
  RestState state;
  StaticEquations equations(problem, t, guess, unit);
  LeastSquaresResult best;
  double least = 0;
  std::mt19937 random(1);  // the same start for the same job
  std::uniform_real_distribution<double> offset(0, far_in_one_step);
  for (int attempt = 0; attempt < 4; ++attempt) {
    Vector z = equations.at(guess);
    // further attempts leave a singular guess: a stretched arm
    if (attempt == 1 && equations.multipliers() > 0) {
      // positions first, then what the constraints carry there, which is linear
      z = closest_approach(equations, z).x;
      Vector r;
      Matrix J;
      equations(z, r, J);
      const auto carried = J.rightCols(equations.multipliers());
      z.tail(equations.multipliers()) -= least_norm_solution(carried, r);
    } else if (attempt > 0) {
      for (double& value : z) value += offset(random) * std::pow(10, attempt);
    }
    LeastSquaresResult found = least_squares(std::ref(equations), z);
    const double distance = equations.distance(found);
    if (attempt == 0 || distance < least) {
      best = std::move(found);
      least = distance;
    }
    if (least < reached) break;
  }
  if (least < reached && equations.multipliers() > 0) {
    LeastSquaresResult anew;
    anew.x = equations.in_forces_of(best.x);
    Matrix J;
    equations(anew.x, anew.residual, J);
    if (equations.distance(anew) >= reached) anew = least_squares(std::ref(equations), anew.x);
    best = std::move(anew);
    least = equations.distance(best);
  }
  state.q = equations.positions(best.x);
  state.lambda = equations.forces(best.x);
  const bool has_torques = equations.torques(state);
  state.independence = output_independence(problem, state.q);
  if (least >= reached || !has_torques) {
    state.status = Status::not_solvable;
    state.message = fmt::format(
        "t = {:.6g} s: {}", t,
        least >= reached ? explain_miss(problem, t, equations, best) : std::string(no_stretch));
  }
  return state;
}

}  // namespace

RestState rest_state(const InverseProblem& problem, double t, const Vector& guess) {
  const RestState found = rest_state_in(ForceUnit::of_softest_joint, problem, t, guess);
  if (found.status == Status::solved || problem.robot().constraint_count() == 0) return found;
  const RestState again = rest_state_in(ForceUnit::of_stiffest_joint, problem, t, guess);
  return again.status == Status::solved ? again : found;
}

std::string pose_text(const Robot& robot, const VectorRef& q) {
  constexpr int most = 12;
  const int said = robot.tree_nq() > most ? most - 1 : robot.tree_nq();
  std::string pose;
  for (int i = 0; i < said; ++i)
    pose += fmt::format("{}{} = {:.6g}", i ? ", " : "", robot.coordinates().names[i], q[i]);
  if (said < robot.tree_nq()) pose += fmt::format(" and {} more", robot.tree_nq() - said);
  return pose;
}

}  // namespace tauflex

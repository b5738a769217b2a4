#include "tauflex/solvers/revised_chain.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/elements/robot_frame.hpp"
#include "tauflex/math/lu.hpp"
#include "tauflex/mechanics/spring_laws.hpp"

namespace tauflex {

namespace {

using Vector2 = Eigen::Vector2d;

Vector2 unit(double angle) { return {std::cos(angle), std::sin(angle)}; }
Vector2 turned_left(const Vector2& e) { return {-e[1], e[0]}; }
Vector3 in_space(const Vector2& e) { return {e[0], e[1], 0}; }

Matrix turned(const Matrix& points, double angle) {
  const Vector2 e = unit(angle);
  Matrix out = points;
  for (Eigen::Index k = 0; k < points.cols(); ++k) {
    const Vector2 p = points.col(k) - points.col(0);
    out.col(k) = points.col(0) + e * p[0] + turned_left(e) * p[1];
  }
  return out;
}

// The angle closest to the one before.
double unwrapped(double angle, double before) {
  return angle + 2 * M_PI * std::round((before - angle) / (2 * M_PI));
}

}  // namespace

RevisedChain::RevisedChain(const InverseProblem& problem, const VectorRef& q,
                           const ParallelOptions& options)
    : problem_(problem),
      options_(options),
      frame_(robot_frame(problem.robot(), q, {.rigid = true})),
      revises_(options.revision == RevisionStep::literal),
      n_(static_cast<int>(frame_.joints.size())),
      path_(problem.output_count(), 3) {
  require_chain(problem, frame_, revises_ ? "literal" : "unrevised");
  sign_ = frame_.joints[0].axis[2];
  ChainRods chain = chain_rods(problem, frame_);
  start_ = chain.nodes;
  rods_ = std::move(chain.rods);
  direction_ = direction_start_ = std::move(chain.directions);
  read_first_beam(q);
  x_ = posture_ = start_;
  const int size = 2 * n_ + (first_bends_ ? 1 : 0);
  v_ = a_ = motion_ = deformed_ = Vector::Zero(size);
  torques_ = Vector::Zero(n_);
  links_.resize(n_);
}

void RevisedChain::read_first_beam(const VectorRef& q) {
  const auto& beam = problem_.robot().description().links[frame_.joints[0].link].beam;
  if (!beam) return;
  first_bends_ = true;
  const ElementFrame elastic = robot_frame(problem_.robot(), q, {.elements = 1});
  const auto& element = elastic.beams.front();
  const double L = element.length;
  const double EI = std::abs(element.axes(2, 1)) < 0.5 ? element.EI_y : element.EI_z;
  bool carries_more = false;
  for (const auto& body : elastic.bodies)
    carries_more |= body.node == element.a || body.node == element.b;
  if (elastic.beams.size() != 1 || EI == 0 || carries_more ||
      std::abs(L - rods_.front().length) > 1e-9 * L)
    throw ProblemError(
        problem_.task().where +
        ": the literal step takes a first link that is one beam from joint to joint, "
        "with nothing else on it");
  const double EA = element.EA > 0 ? element.EA : options_.axial_stiffness;
  stiffness_ << EA / L, 0, 0,                       //
      0, 12 * EI / (L * L * L), -6 * EI / (L * L),  //
      0, -6 * EI / (L * L), 4 * EI / L;
  mass_ = element.mass;
  deflections_ = elastic.deflections;
}

double RevisedChain::elongation() const {
  double worst = 0;
  for (int i = first_bends_ ? 1 : 0; i < n_; ++i)
    worst = std::max(worst, std::abs((x_.col(i + 1) - x_.col(i)).norm() - rods_[i].length));
  return worst;
}

Eigen::Vector2d RevisedChain::along_first() const { return unit(direction_start_[0] + turn_); }

// Without revision tensions are those of the whole deformation, seen along the first trajectory.
void RevisedChain::tensions_of_whole_deformation() {
  const auto deformed = [&](int node) -> Vector2 {
    return node == 0 ? Vector2(Vector2::Zero()) : Vector2(deformed_.segment<2>(2 * (node - 1)));
  };
  for (int i = 0; i < n_; ++i) {
    const Vector2 e = (posture_.col(i + 1) - posture_.col(i)).normalized();
    ChainRod& rod = rods_[i];
    rod.tension = options_.axial_stiffness / rod.length * e.dot(deformed(i + 1) - deformed(i));
  }
  if (!first_bends_) return;
  const Vector2 e = along_first(), end = deformed(1);
  deflection_ = {e.dot(end), turned_left(e).dot(end), deformed_[2 * n_]};
}

// What the driven joint alone does: u_m.
void RevisedChain::turn_posture(double t) {
  problem_.path().derivatives(t, path_);
  const double before = turn_;
  turn_ = sign_ * (path_(0, 0) - frame_.joints[0].start);
  rate_ = sign_ * path_(0, 1);
  acceleration_ = sign_ * path_(0, 2);
  const Matrix from = revises_ ? x_ : posture_;
  posture_ = revises_ ? turned(x_, turn_ - before) : turned(start_, turn_);
  for (int k = 1; k <= n_; ++k) motion_.segment<2>(2 * (k - 1)) = posture_.col(k) - from.col(k);
  if (first_bends_) motion_[2 * n_] = turn_ - before;
  if (!revises_) tensions_of_whole_deformation();
}

void RevisedChain::add_rod(int i, Matrices& out) const {
  const ChainRod& rod = rods_[i];
  const Vector2 e = (posture_.col(i + 1) - posture_.col(i)).normalized();
  const Eigen::Matrix2d K = options_.axial_stiffness / rod.length * e * e.transpose();
  const double m[2][2] = {{rod.m_aa, rod.m_ab}, {rod.m_ab, rod.m_bb}};
  for (int a = 0; a < 2; ++a) {
    const int row = 2 * (i + a - 1);
    if (row < 0) continue;  // the first joint
    out.R.segment<2>(row) += (a == 0 ? -rod.tension : rod.tension) * e;
    for (int b = 0; b < 2; ++b) {
      const int column = 2 * (i + b - 1);
      if (column < 0) continue;
      out.K.block<2, 2>(row, column) += a == b ? K : -K;
      out.M.block<2, 2>(row, column) += m[a][b] * Eigen::Matrix2d::Identity();
    }
  }
}

// Its unknowns: node 1, and the turn of the end. The tangents of both ends turn across the link.
void RevisedChain::add_first_beam(Matrices& out) const {
  const double L = rods_[0].length;
  const Vector2 e = along_first(), across = turned_left(e);
  const int turn = 2 * n_;
  Matrix3 axes = Matrix3::Identity();
  axes.topLeftCorner<2, 2>() << e, across;
  const Matrix3 K = axes * stiffness_ * axes.transpose();
  const Vector3 R = axes * (stiffness_ * deflection_);
  // of the slopes, alpha across - w^2 along: the start's is known, and the part along of the end's
  const Vector2 start = L * (acceleration_ * across - rate_ * rate_ * e),
                end = -L * rate_ * rate_ * e;
  const int index[3] = {0, 1, turn};
  for (int i = 0; i < 3; ++i) {
    out.R[index[i]] += R[i];
    for (int j = 0; j < 3; ++j) out.K(index[i], index[j]) += K(i, j);
  }
  out.R.head<2>() += mass_(2, 1) * start + mass_(2, 3) * end;
  out.R[turn] += L * across.dot(mass_(3, 1) * start + mass_(3, 3) * end);
  out.M.topLeftCorner<2, 2>() += mass_(2, 2) * Eigen::Matrix2d::Identity();
  out.M.block<2, 1>(0, turn) += mass_(2, 3) * L * across;
  out.M.block<1, 2>(turn, 0) += mass_(3, 2) * L * across.transpose();
  out.M(turn, turn) += mass_(3, 3) * L * L;
}

RevisedChain::Matrices RevisedChain::matrices() const {
  const Eigen::Index size = v_.size();
  Matrices out{Matrix::Zero(size, size), Matrix::Zero(size, size), Vector::Zero(size)};
  if (first_bends_)
    add_first_beam(out);
  else
    add_rod(0, out);
  for (int i = 1; i < n_; ++i) add_rod(i, out);
  return out;
}

bool RevisedChain::is_static(int unknown) const {
  const bool of_first = unknown < 2 || unknown == 2 * n_;
  return of_first && !(first_bends_ && options_.deformation);
}

// v and a of the end of the first link where it moves as a rigid one does.
void RevisedChain::turn_with_first(Vector& v, Vector& a) const {
  if (!is_static(0)) return;
  const double L = rods_[0].length;
  const Vector2 e = along_first(), across = turned_left(e);
  v.head<2>() = L * rate_ * across;
  a.head<2>() = L * (acceleration_ * across - rate_ * rate_ * e);
  if (!first_bends_) return;
  v[2 * n_] = rate_;
  a[2 * n_] = acceleration_;
}

// The deformation of this step, (12); velocities and accelerations after it, (11).
Vector RevisedChain::take_step(double h) {
  const double beta = options_.newmark_beta(), delta = options_.delta;
  const Matrices at = matrices();
  // (11c) of motion and deformation together, without the deformation of this step
  Vector known = motion_ / (beta * h * h) - v_ / (beta * h) - (1 / (2 * beta) - 1) * a_, v = v_;
  turn_with_first(v, known);
  Matrix A = at.K;
  Vector b = -at.R - at.M * known;
  for (int k = 0; k < static_cast<int>(b.size()); ++k)
    if (!is_static(k)) A.col(k) += at.M.col(k) / (beta * h * h);
  if (!first_bends_)  // the end of a rigid link is where it is
    for (int k = 0; k < 2; ++k) {
      A.row(k).setZero();
      A(k, k) = 1;
      b[k] = 0;
    }
  Lu lu;
  lu.compute(A);
  Vector step(b.size());
  lu.solve(b, step);
  Vector a = known;
  for (int k = 0; k < static_cast<int>(b.size()); ++k)
    if (!is_static(k)) a[k] += step[k] / (beta * h * h);
  v_ += h * ((1 - delta) * a_ + delta * a);
  a_ = a;
  turn_with_first(v_, a_);
  return step;
}

void RevisedChain::revise(const Vector& step) {
  Matrix moved = posture_;
  for (int k = 1; k <= n_; ++k) moved.col(k) += step.segment<2>(2 * (k - 1));
  for (int i = first_bends_ ? 1 : 0; i < n_; ++i) {
    ChainRod& rod = rods_[i];
    const Vector2 e = (posture_.col(i + 1) - posture_.col(i)).normalized();
    const Vector2 change = moved.col(i + 1) - posture_.col(i + 1) - moved.col(i) + posture_.col(i);
    rod.tension += options_.axial_stiffness / rod.length * e.dot(change);
  }
  if (first_bends_) {
    Matrix3 axes = Matrix3::Identity();
    axes.topLeftCorner<2, 2>() << along_first(), turned_left(along_first());
    deflection_ += axes.transpose() * Vector3(step[0], step[1], step[2 * n_]);
  }
  if (!revises_) {
    deformed_ += step;
    for (int k = 1; k <= n_; ++k)
      moved.col(k) = posture_.col(k) + deformed_.segment<2>(2 * (k - 1));
  } else {  // links of their own length, from the base on
    for (int i = first_bends_ ? 1 : 0; i < n_; ++i) {
      const Vector2 span = (moved.col(i + 1) - moved.col(i)).normalized();
      const Vector2 shift = moved.col(i) + rods_[i].length * span - moved.col(i + 1);
      for (int k = i + 1; k <= n_; ++k) moved.col(k) += shift;
    }
  }
  x_ = moved;
  direction_[0] = direction_start_[0] + turn_;
  for (int i = 1; i < n_; ++i) {
    const Vector2 span = x_.col(i + 1) - x_.col(i);
    double& direction = direction_[i];
    direction = unwrapped(std::atan2(span[1], span[0]), direction);
  }
}

void RevisedChain::recover() {
  const auto acceleration = [&](int node) -> Vector3 {
    return node == 0 ? Vector3::Zero() : in_space(a_.segment<2>(2 * (node - 1)));
  };
  for (int i = 0; i < n_; ++i) {
    const ChainRod& rod = rods_[i];
    RecoveryLink& link = links_[i];
    link.parent = i - 1;
    link.start = in_space(x_.col(i));
    link.span = in_space(x_.col(i + 1) - x_.col(i));
    const Vector3 a = acceleration(i), b = acceleration(i + 1);
    link.start_force = rod.m_aa * a + rod.m_ab * b;
    link.end_force = rod.m_ab * a + rod.m_bb * b;
  }
  if (first_bends_) {
    const double L = rods_[0].length;
    const Vector3 e = in_space(along_first()), across = in_space(turned_left(along_first()));
    const auto slope = [&](double alpha) -> Vector3 {
      return L * (alpha * across - rate_ * rate_ * e);
    };
    const Vector3 field[4] = {Vector3::Zero(), slope(acceleration_), acceleration(1),
                              slope(a_[2 * n_])};
    Vector3 f[4];
    for (int i = 0; i < 4; ++i) {
      f[i].setZero();
      for (int j = 0; j < 4; ++j) f[i] += mass_(i, j) * field[j];
    }
    links_[0].start_force = f[0];
    links_[0].end_force = f[2];
    links_[0].moment = L * e.cross(f[1] + f[3]);
  }
  recover_torques(links_, options_.threads, loads_);
  for (int i = 0; i < n_; ++i) torques_[i] = frame_.joints[i].axis[2] * loads_[i].moment[2];
  for (const auto& [joint, drive] : frame_.motors) {
    const double n = drive.gear_ratio;
    torques_[joint] +=
        sign_ * n *
        (drive.rotor_inertia * n * acceleration_ + motor_friction<double>(drive, n * rate_));
  }
}

void RevisedChain::write(Instant& now) const {
  const auto rate_of = [&](int i, const Vector& rates) {  // of the direction of link i > 0
    const Vector2 span = x_.col(i + 1) - x_.col(i);
    const Vector2 start = i == 0 ? Vector2(Vector2::Zero()) : Vector2(rates.segment<2>(2 * i - 2));
    return turned_left(span).dot(Vector2(rates.segment<2>(2 * i)) - start) / span.squaredNorm();
  };
  // angle, rate and acceleration of what a joint sits on
  double parent = 0, parent_rate = 0, parent_acceleration = 0;
  for (int i = 0; i < n_; ++i) {
    const auto& joint = frame_.joints[i];
    const double sign = joint.axis[2];
    const double angle = direction_[i] - direction_start_[i];
    const double rate = i == 0 ? rate_ : rate_of(i, v_);
    const double acceleration = i == 0 ? acceleration_ : rate_of(i, a_);
    now.q[joint.q] = joint.start + sign * (angle - parent);
    now.v[joint.v] = sign * (rate - parent_rate);
    now.vdot[joint.v] = sign * (acceleration - parent_acceleration);
    const bool bent = i == 0 && first_bends_;
    parent = angle + (bent ? deflection_[2] : 0);
    parent_rate = bent ? v_[2 * n_] : rate;
    parent_acceleration = bent ? a_[2 * n_] : acceleration;
  }
  const Vector2 across = turned_left(along_first());
  for (const auto& deflection : deflections_) {
    const bool turns = deflection.direction >= 3;
    const Vector3 axis = deflection.axes.col(deflection.direction % 3);
    const double sign =
        turns ? axis[2] : axis.head<2>().dot(turned_left(unit(direction_start_[0])));
    if (std::abs(sign) < 0.5) continue;
    const double L = rods_[0].length;
    now.q[deflection.q] = sign * deflection_[turns ? 2 : 1];
    now.v[deflection.v] =
        sign * (turns ? v_[2 * n_] - rate_ : across.dot(v_.head<2>()) - L * rate_);
    now.vdot[deflection.v] =
        sign * (turns ? a_[2 * n_] - acceleration_ : across.dot(a_.head<2>()) - L * acceleration_);
  }
  now.u[0] = torques_[0] / problem_.robot().actuation().drives[0].gear_ratio;
  now.y[0] = now.q[frame_.joints[0].q];
  now.residual = elongation();
}

void RevisedChain::take(int i, double t, Instant& now) {
  turn_posture(t);
  if (i == 0) {
    motion_.setZero();
    turn_with_first(v_, a_);
  } else {
    revise(take_step(t - t_));
  }
  t_ = t;
  recover();
  write(now);
}

}  // namespace tauflex

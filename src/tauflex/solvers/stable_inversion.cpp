#include "tauflex/solvers/stable_inversion.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <set>

#include "tauflex/analysis/diagnosis.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/solvers/collocation.hpp"

namespace tauflex {

namespace {

constexpr int stages = 4;

size_t at(int i) { return static_cast<size_t>(i); }

const Collocation& method_of_steps() {
  static const Collocation method = gauss(stages);
  return method;
}

// sign(A): 1 for eigenvalues right of the imaginary axis, -1 left of it.
Matrix matrix_sign(Matrix S) {
  for (int iteration = 0; iteration < 60; ++iteration) {
    const Eigen::PartialPivLU<Matrix> lu(S);
    const double det = std::abs(lu.determinant());
    // scaled by the determinant, it converges in a few iterations whatever the units
    const double scale =
        det > 0 && std::isfinite(det) ? std::pow(det, -1.0 / static_cast<double>(S.rows())) : 1;
    const Matrix next = 0.5 * (scale * S + lu.inverse() / scale);
    const double change = (next - S).norm();
    S = next;
    if (!(change > 1e-13 * S.norm())) break;
  }
  return S;
}

// As many orthonormal rows as the projector has dimensions, spanning its rows.
Matrix row_space(const Matrix& projector) {
  const auto rank = std::lround(projector.trace());
  const Eigen::ColPivHouseholderQR<Matrix> qr(projector.transpose());
  return Matrix(qr.householderQ()).leftCols(rank).transpose();
}

}  // namespace

namespace {

// f_y of (s, s') at rest.
Matrix jacobian_at_rest(InternalDynamics& dynamics, double t, const RestState& rest) {
  const int p = dynamics.freedom();
  Matrix J = Matrix::Zero(2 * p, 2 * p);
  J.topRightCorner(p, p).setIdentity();
  InternalDynamics::Motion m = dynamics.motion();
  m.q = rest.q;
  m.lambda = rest.lambda;
  if (!dynamics.solve(t, rest.q(dynamics.free_joints()), Vector::Zero(p), m))
    throw ProblemError(
        fmt::format("{}: the robot at rest at t = {:.6g} s has no internal dynamics to speak of",
                    dynamics.problem().task().where, t));
  dynamics.linearize(t, m, J.bottomRows(p));
  return J;
}

}  // namespace

Dichotomy dichotomy(InternalDynamics& dynamics, double t, const RestState& rest, double rate) {
  const int p = dynamics.freedom(), n = 2 * p;
  Dichotomy result;
  result.y = Vector::Zero(n);
  result.y.head(p) = rest.q(dynamics.free_joints());
  result.J = jacobian_at_rest(dynamics, t, rest);
  const Matrix identity = Matrix::Identity(n, n);
  const Matrix grows = 0.5 * (identity + matrix_sign(result.J - rate * identity));
  if (!grows.allFinite() || std::abs(grows.trace() - std::round(grows.trace())) > 1e-6)
    throw ProblemError(fmt::format(
        "{}: an internal motion at rest at t = {:.6g} s grows by {:.3g} per second, neither fast "
        "enough to count as growing nor slowly enough to wait for; another window helps",
        dynamics.problem().task().where, t, rate));
  result.unstable = row_space(grows);
  result.stable = row_space(identity - grows);
  return result;
}

namespace {

constexpr double longest = 0.5;  // s

// Time in which the slowest of the internal motions that grow (or decay) changes by 1e10, at most
// `longest`; 0 when there is none. Marginal motions have all the time there is.
double settling_time(const Matrix& J, bool growing) {
  double slowest = std::numeric_limits<double>::infinity();
  for (const std::complex<double>& rate : eigenvalues(J)) {
    const double grows = growing ? rate.real() : -rate.real();
    if (grows > 1e-6 * std::abs(rate)) slowest = std::min(slowest, grows);
  }
  return std::isinf(slowest) ? 0 : std::min(longest, std::log(1e10) / slowest);
}

}  // namespace

InverseProblem with_window(const InverseProblem& problem, const RestState& start,
                           const Method& method) {
  const auto* options = std::get_if<StableInversionOptions>(&method);
  if (options == nullptr || !jets_apply(problem, start)) return problem;
  InternalDynamics dynamics(problem);
  dynamics.choose(start.q);
  const RestState end = quasi_static_points(problem, start).back().state;
  if (dynamics.freedom() == 0 || end.status != Status::solved) return problem;
  Task task = problem.task();
  const double before =
      options->pre ? *options->pre
                   : settling_time(jacobian_at_rest(dynamics, problem.begin(), start), true);
  const double after = options->post
                           ? *options->post
                           : settling_time(jacobian_at_rest(dynamics, problem.end(), end), false);
  // on samples, so that the path begins at one
  const auto samples = [&](double time) {
    return std::ceil(time / options->step - 1e-9) * options->step;
  };
  task.hold_before = std::max(task.hold_before, samples(before));
  task.hold_after = std::max(task.hold_after, samples(after));
  return InverseProblem(problem.robot(), task);
}

namespace {

// Collocation on a mesh, and Newton's method for all of it at once.
class BoundaryProblem {
 public:
  BoundaryProblem(InternalDynamics& dynamics, const Dichotomy& left, const Dichotomy& right,
                  const std::vector<QuasiStaticPoint>& poses)
      : dynamics_(dynamics),
        left_(left),
        right_(right),
        poses_(poses),
        p_(dynamics.freedom()),
        n_(2 * p_),
        motion_(dynamics.motion()) {}

  const std::vector<double>& mesh() const { return t_; }
  const Matrix& nodes() const { return y_; }  // n x (steps + 1)
  long evaluations() const { return evaluations_; }
  double failed_at() const { return failed_at_; }

  void set_mesh(std::vector<double> t);  // nodes and stages: at rest, or from the mesh before
  bool newton();
  // Takes the robot from infinitely slow to its path.
  bool continuation();
  // What the solution misses halfway in each step, relative to the size of its parts.
  Vector defects(JetMotion& motion);

 private:
  double time(size_t step, int stage) const {
    return t_[step] + method_of_steps().c[stage] * (t_[step + 1] - t_[step]);
  }
  Vector pose(double t) const;
  bool evaluate(const Matrix& Y, bool with_jacobians);
  double residual(const Matrix& y, const Matrix& Y, bool keep);
  void solve_linear_system(Matrix& dy, Matrix& dY);
  void restart();

  InternalDynamics& dynamics_;
  const Dichotomy &left_, &right_;
  const std::vector<QuasiStaticPoint>& poses_;
  int p_, n_;
  InternalDynamics::Motion motion_;
  std::vector<double> t_;
  Matrix y_, Y_, Q_;  // at nodes; at stages; all joints at stages, a guess
  Matrix F_, r_stage_, r_node_;
  std::vector<Matrix> J_;  // at stages
  long evaluations_ = 0;
  double failed_at_ = 0;
};

// The robot at rest on its path, between the points where that was computed.
Vector BoundaryProblem::pose(double t) const {
  auto next = std::find_if(poses_.begin(), poses_.end(), [&](const auto& p) { return p.t > t; });
  if (next == poses_.begin()) return poses_.front().state.q;
  if (next == poses_.end()) return poses_.back().state.q;
  const auto& before = *std::prev(next);
  const double x = (t - before.t) / (next->t - before.t);
  return before.state.q * (1 - x) + next->state.q * x;
}

void BoundaryProblem::restart() {
  const auto& free = dynamics_.free_joints();
  for (Eigen::Index i = 0; i < y_.cols(); ++i) {
    const Vector q = pose(t_[static_cast<size_t>(i)]);
    for (int k = 0; k < p_; ++k) y_(k, i) = q[free[at(k)]];
    y_.col(i).tail(p_).setZero();
  }
  for (size_t i = 0; i + 1 < t_.size(); ++i)
    for (int j = 0; j < stages; ++j) {
      const auto column = static_cast<Eigen::Index>(i) * stages + j;
      Q_.col(column) = pose(time(i, j));
      for (int k = 0; k < p_; ++k) Y_(k, column) = Q_(free[at(k)], column);
      Y_.col(column).tail(p_).setZero();
    }
}

void BoundaryProblem::set_mesh(std::vector<double> t) {
  const std::vector<double> old_t = t_;
  const Matrix old_y = y_, old_Y = Y_, old_Q = Q_;
  t_ = std::move(t);
  const auto steps = static_cast<Eigen::Index>(t_.size()) - 1;
  y_.resize(n_, steps + 1);
  Y_.resize(n_, steps * stages);
  Q_.resize(motion_.q.size(), steps * stages);
  F_ = r_stage_ = Matrix::Zero(n_, steps * stages);
  r_node_ = Matrix::Zero(n_, steps + 1);
  J_.assign(static_cast<size_t>(steps) * stages, Matrix::Zero(n_, n_));
  for (Matrix& J : J_) J.topRightCorner(p_, p_).setIdentity();
  restart();
  if (old_t.empty()) return;
  // the polynomial of each old step, through its beginning and its stages
  const Collocation& method = method_of_steps();
  const auto value = [&](double time, VectorOut y, VectorOut q) {
    const auto found = std::upper_bound(old_t.begin(), old_t.end(), time);
    const auto i = std::clamp<Eigen::Index>(found - old_t.begin() - 1, 0,
                                            static_cast<Eigen::Index>(old_t.size()) - 2);
    const double h = old_t[static_cast<size_t>(i) + 1] - old_t[static_cast<size_t>(i)];
    const double x = (time - old_t[static_cast<size_t>(i)]) / h;
    const auto place = [&](int k) { return k < 0 ? 0.0 : method.c[k]; };
    y.setZero();
    q = old_Q.col(i * stages + std::clamp(static_cast<int>(x * stages), 0, stages - 1));
    for (int a = -1; a < stages; ++a) {
      double weight = 1;
      for (int b = -1; b < stages; ++b)
        if (b != a) weight *= (x - place(b)) / (place(a) - place(b));
      y += weight * (a < 0 ? old_y.col(i) : old_Y.col(i * stages + a));
    }
  };
  Vector q(Q_.rows());
  for (Eigen::Index i = 0; i <= steps; ++i) value(t_[static_cast<size_t>(i)], y_.col(i), q);
  for (size_t i = 0; i + 1 < t_.size(); ++i)
    for (int j = 0; j < stages; ++j) {
      const auto column = static_cast<Eigen::Index>(i) * stages + j;
      value(time(i, j), Y_.col(column), Q_.col(column));
    }
}

bool BoundaryProblem::evaluate(const Matrix& Y, bool with_jacobians) {
  for (size_t i = 0; i + 1 < t_.size(); ++i)
    for (int j = 0; j < stages; ++j) {
      const auto column = static_cast<Eigen::Index>(i) * stages + j;
      motion_.q = Q_.col(column);
      failed_at_ = time(i, j);
      if (!Y.col(column).allFinite() ||
          !dynamics_.solve(time(i, j), Y.col(column).head(p_), Y.col(column).tail(p_), motion_))
        return false;
      ++evaluations_;
      F_.col(column).head(p_) = Y.col(column).tail(p_);
      for (int k = 0; k < p_; ++k) F_(p_ + k, column) = motion_.a[dynamics_.free_joints()[at(k)]];
      if (with_jacobians) {
        Q_.col(column) = motion_.q;
        dynamics_.linearize(time(i, j), motion_, J_[static_cast<size_t>(column)].bottomRows(p_));
      }
    }
  return true;
}

// Size of what the equations miss, in units of the unknowns; after evaluate().
double BoundaryProblem::residual(const Matrix& y, const Matrix& Y, bool keep) {
  const Collocation& method = method_of_steps();
  Matrix r_stage(n_, F_.cols()), r_node(n_, y.cols());
  for (Eigen::Index i = 0; i + 1 < y.cols(); ++i) {
    const double h = t_[static_cast<size_t>(i) + 1] - t_[static_cast<size_t>(i)];
    const auto F = F_.middleCols(i * stages, stages);
    r_stage.middleCols(i * stages, stages) =
        Y.middleCols(i * stages, stages) - h * F * method.A.transpose();
    r_stage.middleCols(i * stages, stages).colwise() -= y.col(i);
    r_node.col(i) = y.col(i + 1) - y.col(i) - h * F * method.b;
  }
  const auto last = y.cols() - 1;
  r_node.col(last) << left_.stable * (y.col(0) - left_.y),
      right_.unstable * (y.col(last) - right_.y);
  if (keep) {
    r_stage_ = r_stage;
    r_node_ = r_node;
  }
  return std::sqrt((r_stage.squaredNorm() + r_node.squaredNorm()) /
                   static_cast<double>(r_stage.size() + r_node.size()));
}

void BoundaryProblem::solve_linear_system(Matrix& dy, Matrix& dY) {
  const Collocation& method = method_of_steps();
  const auto steps = static_cast<Eigen::Index>(t_.size()) - 1;
  const auto n_left = left_.stable.rows();
  // carried rows: B dy_i = beta
  Matrix B = left_.stable;
  Vector beta = -r_node_.col(steps).head(n_left);
  std::vector<Matrix> R(static_cast<size_t>(steps)), U(R), X(R);
  Matrix rho(n_, steps), M(n_ * stages, n_ * stages), right(n_ * stages, n_ + 1);
  Matrix stacked(n_left + n_, 2 * n_ + 1);
  for (Eigen::Index i = 0; i < steps; ++i) {
    const double h = t_[static_cast<size_t>(i) + 1] - t_[static_cast<size_t>(i)];
    M.setIdentity();
    for (int j = 0; j < stages; ++j) {
      for (int k = 0; k < stages; ++k)
        M.block(j * n_, k * n_, n_, n_) -=
            h * method.A(j, k) * J_[static_cast<size_t>(i * stages + k)];
      right.block(j * n_, 0, n_, n_).setIdentity();
      right.block(j * n_, n_, n_, 1) = -r_stage_.col(i * stages + j);
    }
    Matrix& x = X[static_cast<size_t>(i)];
    x = M.partialPivLu().solve(right);  // stages in terms of dy_i
    Matrix step(n_, n_ + 1);            // dy_(i+1) = Gamma dy_i + g
    step.leftCols(n_).setIdentity();
    step.col(n_) = -r_node_.col(i);
    for (int k = 0; k < stages; ++k)
      step += h * method.b[k] * J_[static_cast<size_t>(i * stages + k)] * x.middleRows(k * n_, n_);
    stacked.topLeftCorner(n_left, n_) = B;
    stacked.topRightCorner(n_left, n_ + 1) << Matrix::Zero(n_left, n_), beta;
    stacked.bottomRows(n_) << -step.leftCols(n_), Matrix::Identity(n_, n_), step.col(n_);
    const Eigen::HouseholderQR<Matrix> qr(stacked.leftCols(n_));
    const Matrix turned = qr.householderQ().transpose() * stacked.rightCols(n_ + 1);
    R[static_cast<size_t>(i)] = qr.matrixQR().topRows(n_).triangularView<Eigen::Upper>();
    U[static_cast<size_t>(i)] = turned.topLeftCorner(n_, n_);
    rho.col(i) = turned.col(n_).head(n_);
    B = turned.bottomLeftCorner(n_left, n_);
    beta = turned.col(n_).tail(n_left);
  }
  Matrix last(n_, n_);
  last << B, right_.unstable;
  Vector end(n_);
  end << beta, -r_node_.col(steps).tail(n_ - n_left);
  dy.resize(n_, steps + 1);
  dY.resize(n_, steps * stages);
  dy.col(steps) = last.partialPivLu().solve(end);
  for (Eigen::Index i = steps - 1; i >= 0; --i) {
    const auto k = static_cast<size_t>(i);
    dy.col(i) = R[k].triangularView<Eigen::Upper>().solve(rho.col(i) - U[k] * dy.col(i + 1));
    dY.middleCols(i * stages, stages) =
        (X[k].leftCols(n_) * dy.col(i) + X[k].col(n_)).reshaped(n_, stages);
  }
}

bool BoundaryProblem::newton() {
  Matrix dy, dY;
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 25; ++iteration) {
    if (!evaluate(Y_, true)) return false;
    const double before = residual(y_, Y_, true);
    solve_linear_system(dy, dY);
    if (!dy.allFinite() || !dY.allFinite()) return false;
    const double size = std::max(
        dy.topRows(p_).cwiseAbs().maxCoeff() / (1 + y_.topRows(p_).cwiseAbs().maxCoeff()),
        dy.bottomRows(p_).cwiseAbs().maxCoeff() / (1 + y_.bottomRows(p_).cwiseAbs().maxCoeff()));
    // a full step unless the equations are then missed by more
    double length = 1;
    if (size > 1e-6) {
      for (;; length /= 2) {
        if (length < 1e-3) return false;
        const Matrix Y = Y_ + length * dY;
        if (evaluate(Y, false) && residual(y_ + length * dy, Y, false) <= 1.5 * before) break;
      }
    }
    y_ += length * dy;
    Y_ += length * dY;
    // Jacobians are exact: the error left is of the size of the square
    if (size <= 1e-8 || (size < 1e-6 && size > 0.3 * last)) return true;
    last = size;
  }
  return false;
}

bool BoundaryProblem::continuation() {
  dynamics_.set_pace(1);
  if (newton()) return true;
  restart();
  double pace = 0, step = 0.25;
  Matrix y = y_, Y = Y_, Q = Q_;
  while (pace < 1) {
    const double next = std::min(1.0, pace + step);
    dynamics_.set_pace(next);
    if (newton()) {
      pace = next;
      step *= 1.5;
      y = y_;
      Y = Y_;
      Q = Q_;
    } else {
      step /= 2;
      y_ = y;
      Y_ = Y;
      Q_ = Q;
      if (step < 0.01) break;
    }
  }
  dynamics_.set_pace(1);
  return pace >= 1;
}

Vector BoundaryProblem::defects(JetMotion& motion) {
  // halfway: the polynomial through the nodes against the equation
  Vector result(static_cast<Eigen::Index>(t_.size()) - 1);
  const double size = std::max(1e-9, F_.bottomRows(p_).cwiseAbs().maxCoeff());
  for (Eigen::Index i = 0; i < result.size(); ++i)
    result[i] = motion.defect(static_cast<size_t>(i)) / size;
  return result;
}

}  // namespace

std::optional<StepFailure> solve_stably(const InverseProblem& problem, const RestState& start,
                                        const StableInversionOptions& options, const TimeGrid& grid,
                                        const Progress& progress, Solution& solution) {
  auto answer = std::make_shared<JetMotion>(problem, start, options.tolerance);
  auto before = std::make_shared<JetMotion>(problem, start, options.tolerance);
  InternalDynamics& dynamics = answer->dynamics();
  if (!InternalDynamics(problem).is_regular(start.q))
    throw ProblemError(problem.task().where +
                       ": the joints without a drive do not follow from the path by their "
                       "accelerations, so there is nothing to invert; use decoupled");
  const int p = dynamics.freedom();
  if (p == 0)
    throw ProblemError(problem.task().where +
                       ": outputs and constraints determine every joint; use jets");
  const double begin = problem.begin(), end = problem.end();
  const std::vector<QuasiStaticPoint> poses = quasi_static_points(problem, start, 33);
  if (poses.back().state.status != Status::solved)
    return StepFailure{1, poses.back().state.message, 0};
  const double marginal = 3 / (end - begin);
  const Dichotomy left = dichotomy(dynamics, begin, start, marginal);
  const Dichotomy right = dichotomy(dynamics, end, poses.back().state, marginal);
  if (left.unstable.rows() != right.unstable.rows())
    return StepFailure{
        1, "", 0,
        fmt::format("{} internal motions grow at the start and {} at the end: there is "
                    "no bounded solution for every path between them",
                    left.unstable.rows(), right.unstable.rows())};
  BoundaryProblem boundary(dynamics, left, right, poses);
  // The first mesh: between corners, as fine as the fastest motion at rest asks for.
  std::vector<double> mesh = {begin};
  const std::set<double> corners = corner_times(problem);
  const double fastest = std::max(left.J.bottomRows(p).cwiseAbs().rowwise().sum().maxCoeff(), 1.0);
  const double wanted = options.points > 0
                            ? options.points / static_cast<double>(stages)
                            : std::clamp(std::sqrt(fastest) * (end - begin), 16.0, 400.0);
  for (auto to = std::next(corners.begin()); to != corners.end(); ++to) {
    const double from = mesh.back();
    const int count =
        std::max(2, static_cast<int>(std::lround(wanted * (*to - from) / (end - begin))));
    for (int i = 1; i <= count; ++i)
      mesh.push_back(i == count ? *to : from + (*to - from) * i / count);
  }
  Instant now, other;
  constexpr int probes = 48;
  double peak = 0, difference = 0, last = 0;
  bool found = false;
  int refined = 0;
  for (; refined < 12 && !found; ++refined) {
    if (progress && !progress(0)) {
      solution.status = Status::interrupted;
      return std::nullopt;
    }
    boundary.set_mesh(mesh);
    if (!(refined == 0 ? boundary.continuation() : boundary.newton())) {
      StepFailure no{std::clamp(static_cast<int>((boundary.failed_at() - grid.begin) / grid.step),
                                1, std::max(grid.steps, 1)),
                     dynamics.worst_equation(), 0};
      no.reason = fmt::format(
          "Newton's method for the bounded solution does not converge on {} steps, also when it is "
          "led there from a slow motion; a slower path is easier",
          mesh.size() - 1);
      return no;
    }
    std::swap(answer, before);
    // the mesh has the corners among its nodes
    answer->clear();
    const Matrix& y = boundary.nodes();
    const auto left_series = [&](size_t i) {
      return answer->begin_segment(mesh[i], y.col(static_cast<Eigen::Index>(i)).head(p),
                                   y.col(static_cast<Eigen::Index>(i)).tail(p));
    };
    bool stored = left_series(0);
    for (size_t i = 1; stored && i < mesh.size(); ++i) {
      const auto column = y.col(static_cast<Eigen::Index>(i));
      stored = answer->append(mesh[i - 1], mesh[i], column.head(p), column.tail(p));
      if (stored && corners.contains(mesh[i]))
        stored = answer->finish() && (i + 1 == mesh.size() || left_series(i));
    }
    if (!stored) return failure_of(*answer, grid);
    // torques against those of the mesh before
    if (refined > 0) {
      peak = difference = 0;
      for (int k = 0; k <= probes; ++k) {
        const double t = begin + (end - begin) * (k + 0.37) / (probes + 1);
        if (!answer->at(t, now) || !before->at(t, other)) return failure_of(*answer, grid);
        peak = std::max(peak, now.u.cwiseAbs().maxCoeff());
        difference = std::max(difference, (now.u - other.u).cwiseAbs().maxCoeff());
      }
      // small enough, or rounding where it no longer falls
      found = difference <= options.tolerance * peak ||
              (last > 0 && difference > 0.5 * last && difference < 1e-8 * peak);
      last = difference;
    }
    if (found) break;
    // halve where the defect is large, everywhere the first time
    const Vector defect = boundary.defects(*answer);
    const double limit = std::max(1e-2 * defect.maxCoeff(), 1e-13);
    std::vector<double> finer = {mesh[0]};
    for (size_t i = 0; i + 1 < mesh.size(); ++i) {
      if (refined == 0 || defect[static_cast<Eigen::Index>(i)] > limit)
        finer.push_back((mesh[i] + mesh[i + 1]) / 2);
      finer.push_back(mesh[i + 1]);
    }
    mesh = std::move(finer);
    if (mesh.size() > 20000) break;
  }
  if (!found) {
    StepFailure no = failure_of(*answer, grid);
    no.reason = fmt::format("the torques still change by {:.1e} of their peak at {} steps",
                            difference / std::max(peak, 1e-300), mesh.size() - 1);
    return no;
  }
  solution.torque_error_estimate =
      std::max(difference, std::numeric_limits<double>::epsilon() * peak);
  solution.integrator_steps = answer->steps();
  solution.newton_iterations = boundary.evaluations();
  solution.dense = answer;
  if (auto no = sample(*answer, grid, progress, solution)) return no;
  // The robot starts at rest: what should move already is left out, and said.
  const Vector missing = solution.q.col(0) - start.q;
  solution.start_offset =
      std::max(missing.cwiseAbs().maxCoeff(),
               solution.v.col(0).cwiseAbs().maxCoeff() / std::max(1.0, std::sqrt(fastest)));
  solution.q.col(0) = start.q;
  solution.v.col(0).setZero();
  return std::nullopt;
}

}  // namespace tauflex

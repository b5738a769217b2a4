#include "tauflex/solvers/boundary_problem.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "tauflex/base/on_threads.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/lu.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {

struct BoundaryProblem::Worker {
  explicit Worker(const InternalDynamics& like) : dynamics(like.problem()), jacobian(dynamics) {
    dynamics.integrate_the_same(like);
    motion = dynamics.motion();
  }
  InternalDynamics dynamics;
  InternalMotion motion;
  InternalJacobian jacobian;
  Matrix M;
  Lu lu;
};

BoundaryProblem::BoundaryProblem(InternalDynamics& dynamics, const Dichotomy& left,
                                 const Dichotomy& right, const std::vector<QuasiStaticPoint>& poses)
    : dynamics_(dynamics),
      left_(left),
      right_(right),
      poses_(poses),
      p_(dynamics.freedom()),
      n_(2 * p_),
      workers_(cores()) {}

BoundaryProblem::~BoundaryProblem() = default;

template <class Work>
void BoundaryProblem::for_steps(const Work& work) {
  constexpr size_t piece = 8;  // steps for a thread at a time
  const size_t steps = t_.size() - 1;
  std::atomic<size_t> used = 0;
  on_threads((steps + piece - 1) / piece, workers_.size(), [&] {
    std::unique_ptr<Worker>& worker = workers_[used++];
    if (!worker) worker = std::make_unique<Worker>(dynamics_);
    return [&](size_t k) {
      for (size_t i = k * piece; i < std::min(steps, (k + 1) * piece); ++i) work(*worker, i);
    };
  });
}

// The robot at rest on its path, between the points where that was computed.
Vector BoundaryProblem::pose(double t) const {
  auto next = std::find_if(poses_.begin(), poses_.end(), [&](const auto& p) { return p.t > t; });
  if (next == poses_.begin()) return poses_.front().state.q;
  if (next == poses_.end()) return poses_.back().state.q;
  const auto& before = *std::prev(next);
  const double x = (t - before.t) / (next->t - before.t);
  Vector q = before.state.q * (1 - x) + next->state.q * x;
  normalize(dynamics_.problem().robot(), q);
  return q;
}

void BoundaryProblem::restart() {
  const Matrix chart = dynamics_.motion().chart;
  for (Eigen::Index i = 0; i < y_.cols(); ++i) {
    y_.col(i).head(p_) = chart * pose(t_[i]).head(chart.cols());
    y_.col(i).tail(p_).setZero();
  }
  for (size_t i = 0; i + 1 < t_.size(); ++i)
    for (int j = 0; j < gauss_stages; ++j) {
      const auto column = static_cast<Eigen::Index>(i) * gauss_stages + j;
      Q_.col(column) = pose(time(i, j));
      Y_.col(column).head(p_) = chart * Q_.col(column).head(chart.cols());
      Y_.col(column).tail(p_).setZero();
    }
}

void BoundaryProblem::set_mesh(std::vector<double> t) {
  iterations_ = 0;
  const std::vector<double> old_t = t_;
  const Matrix old_y = y_, old_Y = Y_, old_Q = Q_;
  t_ = std::move(t);
  const auto steps = static_cast<Eigen::Index>(t_.size()) - 1;
  y_.resize(n_, steps + 1);
  Y_.resize(n_, steps * gauss_stages);
  Q_.resize(poses_.front().state.q.size(), steps * gauss_stages);
  found_Q_ = Q_;
  F_ = r_stage_ = Matrix::Zero(n_, steps * gauss_stages);
  r_node_ = Matrix::Zero(n_, steps + 1);
  J_.assign(steps * gauss_stages, Matrix::Zero(p_, n_));
  restart();
  if (old_t.empty()) return;
  // the polynomial of each old step, through its beginning and its stages
  const Collocation& method = gauss4();
  const auto value = [&](double time, VectorOut y, VectorOut q) {
    const auto found = std::upper_bound(old_t.begin(), old_t.end(), time);
    const auto i = std::clamp<Eigen::Index>(found - old_t.begin() - 1, 0,
                                            static_cast<Eigen::Index>(old_t.size()) - 2);
    const double h = old_t[i + 1] - old_t[i];
    const double x = (time - old_t[i]) / h;
    const auto place = [&](int k) { return k < 0 ? 0.0 : method.c[k]; };
    y.setZero();
    q = old_Q.col(i * gauss_stages +
                  std::clamp(static_cast<int>(x * gauss_stages), 0, gauss_stages - 1));
    for (int a = -1; a < gauss_stages; ++a) {
      double weight = 1;
      for (int b = -1; b < gauss_stages; ++b)
        if (b != a) weight *= (x - place(b)) / (place(a) - place(b));
      y += weight * (a < 0 ? old_y.col(i) : old_Y.col(i * gauss_stages + a));
    }
  };
  Vector q(Q_.rows());
  for (Eigen::Index i = 0; i <= steps; ++i) value(t_[i], y_.col(i), q);
  for (size_t i = 0; i + 1 < t_.size(); ++i)
    for (int j = 0; j < gauss_stages; ++j) {
      const auto column = static_cast<Eigen::Index>(i) * gauss_stages + j;
      value(time(i, j), Y_.col(column), Q_.col(column));
    }
}

std::optional<double> BoundaryProblem::evaluate_step(Worker& worker, size_t i, const Matrix& Y) {
  InternalMotion& motion = worker.motion;
  for (int j = 0; j < gauss_stages; ++j) {
    const auto column = static_cast<Eigen::Index>(i) * gauss_stages + j;
    motion.q = Q_.col(column);
    if (!Y.col(column).allFinite() || !worker.dynamics.solve(time(i, j), Y.col(column).head(p_),
                                                             Y.col(column).tail(p_), motion, pace_))
      return time(i, j);
    F_.col(column).head(p_) = Y.col(column).tail(p_);
    F_.col(column).tail(p_) = motion.sddot;
    found_Q_.col(column) = motion.q;
    worker.jacobian.exact(motion, J_[column]);
  }
  return std::nullopt;
}

// Steps begin in order, so that the first one that fails is the same for any number of threads.
bool BoundaryProblem::evaluate(const Matrix& Y) {
  const size_t steps = t_.size() - 1;
  std::vector<std::optional<double>> failures(steps);
  std::atomic<size_t> first_failed = steps;
  for_steps([&](Worker& worker, size_t i) {
    if (i > first_failed) return;
    failures[i] = evaluate_step(worker, i, Y);
    if (!failures[i]) return;
    for (size_t first = first_failed; i < first;)
      if (first_failed.compare_exchange_weak(first, i)) break;
  });
  evaluations_ += static_cast<long>(std::min<size_t>(first_failed, steps)) * gauss_stages;
  if (first_failed == steps) return true;
  failed_at_ = *failures[first_failed];
  return false;
}

// Size of what the equations miss, in units of the unknowns; after evaluate().
double BoundaryProblem::residual(const Matrix& y, const Matrix& Y, bool keep) {
  const Collocation& method = gauss4();
  Matrix r_stage(n_, F_.cols()), r_node(n_, y.cols());
  for (Eigen::Index i = 0; i + 1 < y.cols(); ++i) {
    const double h = t_[i + 1] - t_[i];
    const auto F = F_.middleCols(i * gauss_stages, gauss_stages);
    r_stage.middleCols(i * gauss_stages, gauss_stages) =
        Y.middleCols(i * gauss_stages, gauss_stages) - h * F * method.A.transpose();
    r_stage.middleCols(i * gauss_stages, gauss_stages).colwise() -= y.col(i);
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

// With K the accelerations at the stages and r what the stages miss, as (s, s'):
//   dV_j = dv + h sum_k A_jk dK_k - r_Vj
//   dS_j = ds + h c_j dv + h^2 sum_k (A^2)_jk dK_k - h sum_k A_jk r_Vk - r_Sj
//   dK_j = J_Sj dS_j + J_Vj dV_j
// which is a system in dK alone, half as large as that of stages.
void BoundaryProblem::eliminate_stages(Worker& worker, size_t i, Matrix& X) const {
  const Collocation& method = gauss4();
  const double h = t_[i + 1] - t_[i];
  const Matrix A2 = method.A * method.A;
  const auto first = static_cast<Eigen::Index>(i) * gauss_stages;
  worker.M.setIdentity(p_ * gauss_stages, p_ * gauss_stages);
  X.resize(p_ * gauss_stages, n_ + 1);
  Vector missed(n_);
  for (int j = 0; j < gauss_stages; ++j) {
    const auto by_s = J_[first + j].leftCols(p_), by_v = J_[first + j].rightCols(p_);
    for (int k = 0; k < gauss_stages; ++k)
      worker.M.block(j * p_, k * p_, p_, p_) -= h * h * A2(j, k) * by_s + h * method.A(j, k) * by_v;
    missed = r_stage_.col(first + j);
    for (int k = 0; k < gauss_stages; ++k)
      missed.head(p_) += h * method.A(j, k) * r_stage_.col(first + k).tail(p_);
    X.block(j * p_, 0, p_, p_) = by_s;
    X.block(j * p_, p_, p_, p_) = h * method.c[j] * by_s + by_v;
    X.block(j * p_, n_, p_, 1).noalias() = -J_[first + j] * missed;
  }
  worker.lu.compute(worker.M);
  worker.lu.solve_columns(X, X);
}

void BoundaryProblem::correct_stages(size_t i, const VectorRef& dy, const Matrix& X,
                                     MatrixOut dY) const {
  const Collocation& method = gauss4();
  const double h = t_[i + 1] - t_[i];
  const auto r = r_stage_.middleCols(static_cast<Eigen::Index>(i) * gauss_stages, gauss_stages);
  const Matrix dK = (X.leftCols(n_) * dy + X.col(n_)).reshaped(p_, gauss_stages);
  dY.bottomRows(p_) = h * dK * method.A.transpose() - r.bottomRows(p_);
  dY.bottomRows(p_).colwise() += dy.tail(p_);
  dY.topRows(p_) = h * dY.bottomRows(p_) * method.A.transpose() - r.topRows(p_);
  dY.topRows(p_).colwise() += dy.head(p_);
}

void BoundaryProblem::solve_linear_system(Matrix& dy, Matrix& dY) {
  const Collocation& method = gauss4();
  const auto steps = static_cast<Eigen::Index>(t_.size()) - 1;
  const auto n_left = left_.stable.rows();
  const Vector bA = method.A.transpose() * method.b;
  // carried rows: B dy_i = beta
  Matrix B = left_.stable;
  Vector beta = -r_node_.col(steps).head(n_left);
  std::vector<Matrix> R(steps), U(R), X(R);
  for_steps([&](Worker& worker, size_t i) { eliminate_stages(worker, i, X[i]); });
  Matrix rho(n_, steps), step(n_, n_ + 1), stacked(n_left + n_, 2 * n_ + 1);
  for (Eigen::Index i = 0; i < steps; ++i) {
    const double h = t_[i + 1] - t_[i];
    // dy_(i+1) = Gamma dy_i + g: ds + h dv + h^2 sum (b A)_k dK_k, dv + h sum b_k dK_k
    step.leftCols(n_).setIdentity();
    step.block(0, p_, p_, p_).diagonal().setConstant(h);
    step.col(n_) = -r_node_.col(i);
    for (int k = 0; k < gauss_stages; ++k) {
      const auto dK = X[i].middleRows(k * p_, p_);
      step.topRows(p_) += h * h * bA[k] * dK;
      step.bottomRows(p_) += h * method.b[k] * dK;
      step.col(n_).head(p_) -= h * method.b[k] * r_stage_.col(i * gauss_stages + k).tail(p_);
    }
    stacked.topLeftCorner(n_left, n_) = B;
    stacked.topRightCorner(n_left, n_ + 1) << Matrix::Zero(n_left, n_), beta;
    stacked.bottomRows(n_) << -step.leftCols(n_), Matrix::Identity(n_, n_), step.col(n_);
    triangularize(stacked, n_);
    const auto turned = stacked.rightCols(n_ + 1);
    R[i] = stacked.topLeftCorner(n_, n_);
    U[i] = turned.topLeftCorner(n_, n_);
    rho.col(i) = turned.col(n_).head(n_);
    B = turned.bottomLeftCorner(n_left, n_);
    beta = turned.col(n_).tail(n_left);
  }
  Matrix last(n_, n_);
  last << B, right_.unstable;
  Vector end(n_);
  end << beta, -r_node_.col(steps).tail(n_ - n_left);
  dy.resize(n_, steps + 1);
  dY.resize(n_, steps * gauss_stages);
  dy.col(steps) = solve_linear(last, end);
  for (Eigen::Index i = steps - 1; i >= 0; --i) {
    dy.col(i) = R[i].triangularView<Eigen::Upper>().solve(rho.col(i) - U[i] * dy.col(i + 1));
    correct_stages(i, dy.col(i), X[i], dY.middleCols(i * gauss_stages, gauss_stages));
  }
}

std::optional<Matrix> BoundaryProblem::first_correction() {
  restart();
  if (!evaluate(Y_)) return std::nullopt;
  Q_ = found_Q_;
  residual(y_, Y_, true);
  Matrix dy, dY;
  solve_linear_system(dy, dY);
  return dy.allFinite() ? std::optional(std::move(dy)) : std::nullopt;
}

bool BoundaryProblem::converge(NewtonSteps steps) {
  Matrix dy, dY;
  bool evaluated = false;  // at y_ and Y_, by the step that led there
  constexpr double failed = std::numeric_limits<double>::quiet_NaN();
  const auto relative = [](const auto& part, const auto& whole) {
    return part.cwiseAbs().maxCoeff() / (1 + whole.cwiseAbs().maxCoeff());
  };
  const auto correct = [&](const NewtonState& state) {
    if (going_on_ && !going_on_(++iterations_)) return failed;
    if (!evaluated && !evaluate(Y_)) return failed;
    Q_ = found_Q_;
    const double before = residual(y_, Y_, true);
    solve_linear_system(dy, dY);
    if (!dy.allFinite() || !dY.allFinite()) return failed;
    const double size = std::max(relative(dy.topRows(p_), y_.topRows(p_)),
                                 relative(dy.bottomRows(p_), y_.bottomRows(p_)));
    // a full step unless the equations are then missed by more
    double length = 1;
    evaluated = false;
    if (steps == NewtonSteps::full) {
      if (state.iteration > 0 && size > 2 * state.size && size > 1e-6) return failed;
    } else if (size > 1e-6) {
      for (;; length /= 2) {
        if (length < 1e-3) return failed;
        const Matrix Y = Y_ + length * dY;
        if (evaluate(Y) && residual(y_ + length * dy, Y, false) <= 1.5 * before) break;
      }
      evaluated = true;
    }
    y_ += length * dy;
    Y_ += length * dY;
    return size;
  };
  return newton({.tolerance = 1e-13, .max_iterations = 25, .rounding = 1e-6}, correct).converged;
}

// Deflections grow with the square of the pace: the next ones follow from the last two.
bool BoundaryProblem::converge_from_slow() {
  restart();
  struct Known {
    double pace;
    Matrix y, Y, Q;
  };
  Known before{0, y_, Y_, Q_}, last = before;
  double step = 0.1;
  while (last.pace < 1) {
    pace_ = std::min(1.0, last.pace + step);
    const double known = last.pace * last.pace - before.pace * before.pace;
    const double ahead = known > 0 ? (pace_ * pace_ - last.pace * last.pace) / known : 0;
    y_ = last.y + ahead * (last.y - before.y);
    Y_ = last.Y + ahead * (last.Y - before.Y);
    Q_ = last.Q + ahead * (last.Q - before.Q);
    if (converge(NewtonSteps::full)) {
      before = std::move(last);
      last = {pace_, y_, Y_, Q_};
      step *= 1.5;
    } else {
      step /= 2;
      if (step < 1e-3) break;
    }
  }
  pace_ = 1;
  followed_ = last.pace;
  return last.pace >= 1;
}

Vector BoundaryProblem::defects(JetMotion& motion) {
  // halfway: the polynomial through the nodes against the equation
  Vector result(static_cast<Eigen::Index>(t_.size()) - 1);
  const double size = std::max(1e-9, F_.bottomRows(p_).cwiseAbs().maxCoeff());
  for (Eigen::Index i = 0; i < result.size(); ++i) result[i] = motion.defect(i) / size;
  return result;
}

}  // namespace tauflex

#include "tauflex/solvers/jets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tauflex/base/errors.hpp"
#include "tauflex/mechanics/spring_laws.hpp"
#include "tauflex/solvers/radau.hpp"

namespace tauflex {

namespace {

constexpr int stages = 5;

const RadauMethod& radau() {
  static const RadauMethod method(stages);
  return method;
}

// Newton's form of the polynomial on [0, 1] with the given derivatives at both ends (columns k:
// h^k f^(k)/k!), one row per component.
Matrix hermite(const Matrix& left, const Matrix& right) {
  const auto m = left.cols();
  Matrix result(left.rows(), 2 * m);
  std::vector<double> table(static_cast<size_t>(2 * m));
  for (Eigen::Index row = 0; row < left.rows(); ++row) {
    for (Eigen::Index i = 0; i < 2 * m; ++i)
      table[static_cast<size_t>(i)] = i < m ? left(row, 0) : right(row, 0);
    result(row, 0) = table[0];
    for (Eigen::Index k = 1; k < 2 * m; ++k) {
      for (Eigen::Index i = 0; i + k < 2 * m; ++i) {
        const bool same_left = i + k < m, same_right = i >= m;
        table[static_cast<size_t>(i)] =
            same_left    ? left(row, k)
            : same_right ? right(row, k)
                         : table[static_cast<size_t>(i + 1)] - table[static_cast<size_t>(i)];
      }
      result(row, k) = table[0];
    }
  }
  return result;
}

// Its value and derivative at x.
void evaluate(const Matrix& form, double x, Vector& value, Vector& slope) {
  const auto m = form.cols() / 2;
  value = form.col(2 * m - 1);
  slope = Vector::Zero(form.rows());
  for (Eigen::Index k = 2 * m - 2; k >= 0; --k) {
    const double factor = k < m ? x : x - 1;
    slope = slope * factor + value;
    value = value * factor + form.col(k);
  }
}

}  // namespace

JetMotion::JetMotion(const InverseProblem& problem, const RestState& start)
    : problem_(problem), dynamics_(problem), start_q_(start.q), motion_(dynamics_.motion()) {
  dynamics_.choose(start.q);
  motion_.q = start.q;
  motion_.lambda = start.lambda;
  start_d_.resize(dynamics_.stretches());
  const Robot& robot = problem.robot();
  Vector angles = Vector::Zero(robot.rotors());
  for (const Gear& gear : robot.gears())
    angles[gear.spring] += gear.ratio * start.q[robot.elastic_drive(gear.rotor).rotor_q];
  for (int k = 0; k < dynamics_.stretches(); ++k) {
    const int r = dynamics_.damped()[static_cast<size_t>(k)];
    start_d_[k] = angles[r] - start.q[robot.elastic_drive(r).joint_q];
  }
}

bool JetMotion::is_closed_form() const {
  return dynamics_.freedom() == 0 && dynamics_.stretches() == 0;
}

bool JetMotion::step(double t, double h, const Matrix& S, Vector& s, Vector& rate, Vector& d) {
  const int p = dynamics_.freedom(), nd = dynamics_.stretches();
  const RadauMethod& method = radau();
  const int n = 2 * p;
  stage_.assign(stages, motion_);
  Matrix Y(n, stages), F(n, stages);
  const auto evaluate_stages = [&] {
    for (int i = 0; i < stages; ++i) {
      auto& m = stage_[static_cast<size_t>(i)];
      if (!dynamics_.solve(t + method.c[i] * h, Y.col(i).head(p), Y.col(i).tail(p), m))
        return false;
      F.col(i).head(p) = Y.col(i).tail(p);
      for (int k = 0; k < p; ++k)
        F(p + k, i) = m.a[dynamics_.free_joints()[static_cast<size_t>(k)]];
      ++iterations_;
    }
    return true;
  };
  if (p > 0) {
    Vector y0(n);
    y0 << s, rate;
    if (!dynamics_.solve(t, s, rate, motion_)) return false;
    Matrix J = Matrix::Zero(n, n);
    J.topRightCorner(p, p).setIdentity();
    dynamics_.jacobian(motion_, J.bottomRows(p));
    Matrix N = Matrix::Identity(n * stages, n * stages);
    for (int i = 0; i < stages; ++i)
      for (int j = 0; j < stages; ++j) N.block(i * n, j * n, n, n) -= h * method.A(i, j) * J;
    const Eigen::PartialPivLU<Matrix> lu(N);
    for (int i = 0; i < stages; ++i) {  // by the series from here
      const double x = h * method.c[i];
      Y.col(i).setZero();
      for (Eigen::Index k = S.cols() - 1; k >= 0; --k) {
        Y.col(i).tail(p) = Y.col(i).tail(p) * x + Y.col(i).head(p);
        Y.col(i).head(p) = Y.col(i).head(p) * x + S.col(k);
      }
    }
    stage_.assign(stages, motion_);
    double last = std::numeric_limits<double>::infinity();
    bool found = false;
    for (int iteration = 0; iteration < 30 && !found; ++iteration) {
      if (!evaluate_stages()) return false;
      Matrix R = Y - h * F * method.A.transpose();
      R.colwise() -= y0;
      const Vector correction = lu.solve(Vector(R.reshaped()));
      Y -= correction.reshaped(n, stages);
      // positions and velocities, each relative to its size
      const auto change = correction.reshaped(n, stages).cwiseAbs();
      const double size =
          std::max(change.topRows(p).maxCoeff() / (1 + Y.topRows(p).cwiseAbs().maxCoeff()),
                   change.bottomRows(p).maxCoeff() / (1 + Y.bottomRows(p).cwiseAbs().maxCoeff()));
      if (!std::isfinite(size)) return false;
      const double shrink = size / last;
      // until rounding stops it
      found = size <= 1e-16 || (iteration > 0 && shrink < 0.5 && size * shrink <= 1e-17) ||
              (iteration > 1 && size < 1e-13 && shrink > 0.3);
      last = size;
    }
    if (!found) return false;
    if (nd > 0 && !evaluate_stages()) return false;
    s = Y.col(stages - 1).head(p);
    rate = Y.col(stages - 1).tail(p);
  } else if (nd > 0 && !evaluate_stages()) {
    return false;
  }
  if (nd > 0) {
    // D d_i' + K d_i + hardening(d_i) = load_i at the stages, d_i = d + h sum A_ij d_j'
    const auto& damped = dynamics_.damped();
    const Matrix D = dynamics_.damping()(damped, damped), K = dynamics_.stiffness()(damped, damped);
    Matrix rates = Matrix::Zero(nd, stages), at_stages(nd, stages),
           coupled(nd * stages, nd * stages);
    Vector r(nd * stages), spring_rate(nd);
    for (int iteration = 0; iteration < 30; ++iteration) {
      at_stages = h * rates * method.A.transpose();
      at_stages.colwise() += d;
      for (int i = 0; i < stages; ++i) {
        dynamics_.stretch_rate(stage_[static_cast<size_t>(i)].load, at_stages.col(i), spring_rate);
        r.segment(i * nd, nd) = D * (rates.col(i) - spring_rate);
        Matrix stiffness = K;
        for (const HardeningEntry& e : problem_.robot().drive_hardening())
          for (int k = 0; k < nd; ++k)
            if (damped[static_cast<size_t>(k)] == e.row)
              stiffness(k, k) += hardening_stiffness(e.law, at_stages(k, i));
        for (int j = 0; j < stages; ++j)
          coupled.block(i * nd, j * nd, nd, nd) = h * method.A(i, j) * stiffness;
        coupled.block(i * nd, i * nd, nd, nd) += D;
      }
      const Vector correction = coupled.partialPivLu().solve(r);
      rates -= correction.reshaped(nd, stages);
      const double size = h * correction.cwiseAbs().maxCoeff();
      if (!std::isfinite(size)) return false;
      if (size <= 1e-15 * (1e-3 + at_stages.cwiseAbs().maxCoeff())) break;
    }
    d += h * (rates * method.A.row(stages - 1).transpose());
  }
  motion_ = stage_.back();
  return true;
}

bool JetMotion::node_series(double t, const Vector& s, const Vector& v, const Vector& d,
                            NodeSeries& out) {
  if (!dynamics_.solve(t, s, v, motion_)) return false;
  Matrix Q, L, load, all;
  dynamics_.series(t, motion_, 2, Q, L, load);
  out.s = Q(dynamics_.free_joints(), Eigen::all);
  out.q = motion_.q;
  if (dynamics_.stretches() > 0) {
    if (!dynamics_.stretch_series(load, d, all)) return false;
    out.d = all(dynamics_.damped(), Eigen::all);
  }
  return true;
}

void JetMotion::store(double begin, double h, const NodeSeries& left, const NodeSeries& right) {
  Step step{begin, h, {}, {}, left.q};
  const auto scaled = [&](Matrix series) {
    double factor = 1;
    for (Eigen::Index k = 0; k < series.cols(); ++k, factor *= h) series.col(k) *= factor;
    return series;
  };
  if (left.s.rows() > 0) step.s = hermite(scaled(left.s), scaled(right.s));
  if (left.d.rows() > 0) step.d = hermite(scaled(left.d), scaled(right.d));
  steps_.push_back(std::move(step));
}

bool JetMotion::integrate(int steps) {
  steps_.clear();
  motion_.q = start_q_;
  const double begin = problem_.begin(), end = problem_.end();
  if (is_closed_form()) {  // poses to start Newton from, each found from the one before
    const Vector nothing(0);
    for (int i = 0; i < steps; ++i) {
      const double h = (end - begin) / steps, t = begin + i * h;
      failed_at_ = t;
      if (!dynamics_.solve(t, nothing, nothing, motion_)) return false;
      steps_.push_back({t, h, {}, {}, motion_.q});
    }
    return true;
  }
  std::set<double> times = {begin, end};
  const auto add = [&](const OutputPath& path) {
    for (const Corner& corner : path.corners())
      if (corner.time > begin && corner.time < end) times.insert(corner.time);
  };
  add(problem_.path());
  for (const ConstraintRow& row : problem_.robot().constraints())
    if (row.path) add(*row.path);
  const int p = dynamics_.freedom();
  Vector s(p), rate = Vector::Zero(p), d = start_d_;
  for (int k = 0; k < p; ++k) s[k] = start_q_[dynamics_.free_joints()[static_cast<size_t>(k)]];
  double from = begin;
  const double whole = end - begin;
  for (auto to = std::next(times.begin()); to != times.end(); ++to) {
    const int count = std::max(1, static_cast<int>(std::ceil(steps * (*to - from) / whole - 1e-9)));
    const double h = (*to - from) / count;
    NodeSeries left, right;
    if (!node_series(from, s, rate, d, left)) return false;
    for (int i = 0; i < count; ++i) {
      const double t = from + i * h;
      failed_at_ = t;
      if (!step(t, h, left.s, s, rate, d)) return false;
      // from the left: the path may have a corner at the end
      if (!node_series(std::nextafter(t + h, t), s, rate, d, right)) return false;
      store(t, h, left, right);
      left = right;
    }
    from = *to;
  }
  return true;
}

bool JetMotion::at(double t, InternalDynamics::Instant& out, double offset) {
  const int p = dynamics_.freedom();
  Vector s(p), rate(p), d(dynamics_.stretches()), slope;
  failed_at_ = t;
  if (!steps_.empty()) {
    auto found = std::upper_bound(steps_.begin(), steps_.end(), t,
                                  [](double time, const Step& step) { return time < step.begin; });
    const Step& step = found == steps_.begin() ? *found : *std::prev(found);
    const double x = std::clamp((t - step.begin) / step.h, 0.0, 1.0);
    if (p > 0) {
      evaluate(step.s, x, s, rate);
      rate /= step.h;
    }
    if (d.size() > 0) evaluate(step.d, x, d, slope);
    motion_.q = step.q;
  }
  motion_.q.array() += offset;
  return dynamics_.instant(t, s, rate, d, motion_, out);
}

std::optional<StepFailure> solve_by_jets(const InverseProblem& problem, const RestState& start,
                                         const JetOptions& options, const TimeGrid& grid,
                                         const Progress& progress, Solution& solution) {
  JetMotion motion(problem, start);
  if (!InternalDynamics(problem).is_regular(start.q))
    throw ProblemError(problem.task().where +
                       ": the joints without a drive do not follow from the path by their "
                       "accelerations; use decoupled, which differentiates as often as it takes");
  InternalDynamics::Instant now;
  const auto sample = [&](int i) { return i == grid.steps ? problem.end() : grid.time(i); };
  // Torques at a few times tell whether the steps are short enough.
  constexpr int probes = 96;
  const auto probe_time = [&](int k) {  // seldom where a step ends, the most accurate place
    return problem.begin() + (problem.end() - problem.begin()) * (k + 0.37) / (probes + 1);
  };
  const auto probe = [&](Matrix& u) {
    u.resize(solution.u.rows(), probes + 1);
    for (int k = 0; k <= probes; ++k) {
      if (!motion.at(probe_time(k), now)) return false;
      u.col(k) = now.u;
    }
    return true;
  };
  Matrix coarse, fine;
  double peak = 0, difference = 0, before = 0;
  const auto failure = [&] {
    const int i = std::clamp(static_cast<int>((motion.failed_at() - grid.begin) / grid.step), 1,
                             std::max(grid.steps, 1));
    return StepFailure{i, motion.dynamics().worst_equation(), 0};
  };
  bool found = false;
  int count = motion.is_closed_form() ? 256 : options.first_steps;
  for (; count <= options.most_steps; count *= 2) {
    const bool integrated = motion.integrate(count) && probe(fine);
    if (progress && !progress(0)) {
      solution.status = Status::interrupted;
      return std::nullopt;
    }
    if (!integrated) {
      coarse.resize(0, 0);
      continue;
    }
    peak = fine.size() > 0 ? fine.cwiseAbs().maxCoeff() : 0;
    if (motion.is_closed_form()) {
      found = true;
      break;
    }
    if (coarse.size() > 0) {
      before = difference;
      difference = fine.size() > 0 ? (fine - coarse).cwiseAbs().maxCoeff() : 0;
      // order 9, less where the drives are stiff; rounding where it no longer falls
      if (difference <= options.tolerance * peak ||
          (before > 0 && difference > 0.5 * before && difference < 1e-6 * peak)) {
        found = true;
        break;
      }
    }
    coarse = fine;
  }
  if (!found) {
    StepFailure no = failure();
    if (difference > 0)
      no.reason = fmt::format(
          "the torques still change by {:.1e} of their peak at {} steps; the internal dynamics are "
          "too fast or not stable",
          difference / std::max(peak, 1e-300), count / 2);
    return no;
  }
  // Of the two that agree the one with fewer steps is the answer: the other measures its error. And
  // rounding is seen by going to the same motion from another guess.
  double error = std::max(difference, std::numeric_limits<double>::epsilon() * peak);
  if (!motion.is_closed_form()) {
    motion.integrate(count / 2);
    fine = coarse;
  }
  for (int k = 0; k <= probes && fine.size() > 0; k += 3) {
    if (motion.at(probe_time(k), now, 1e-5))
      error = std::max(error, (now.u - fine.col(k)).cwiseAbs().maxCoeff());
  }
  solution.torque_error_estimate = error;
  solution.integrator_steps = motion.steps();
  for (int i = 0; i <= grid.steps; ++i) {
    if (!motion.at(sample(i), now)) return failure();
    solution.q.col(i) = now.q;
    solution.v.col(i) = now.v;
    solution.vdot.col(i) = now.vdot;
    solution.lambda.col(i) = now.lambda;
    solution.u.col(i) = now.u;
    solution.y.col(i) = now.y;
    solution.max_constraint_residual = std::max(solution.max_constraint_residual, now.residual);
    solution.steps = i;
    if (progress && i % 256 == 0 && !progress(static_cast<double>(i) / grid.steps)) {
      solution.status = Status::interrupted;
      break;
    }
  }
  solution.newton_iterations = motion.iterations();
  return std::nullopt;
}

}  // namespace tauflex

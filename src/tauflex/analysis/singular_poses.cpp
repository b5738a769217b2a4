#include "tauflex/analysis/singular_poses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/analysis/diagnosis.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/lu.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"

namespace tauflex {

std::string RankLoss::sentence() const {
  return fmt::format(
      "t = {:.6g} s: '{}' is linearly dependent on the other outputs and constraints there: a "
      "singular pose at {} (smallest over largest singular value {:.1e})",
      t, row, pose, independence);
}

namespace {

constexpr double lost = 1e-3, suspicious = 0.1;
constexpr double by_structure = 1e-9;  // smaller at the start: never meant to be regular

bool found(const QuasiStaticPoint& pose) { return pose.state.status == Status::solved; }
double size(const QuasiStaticPoint& pose) { return pose.state.independence; }

// Looks where f falls, until the interval is shorter than `width`.
template <class F>
void golden_section(double low, double high, double width, const F& f) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double at_a = f(a), at_b = f(b);
  for (int k = 0; k < 40 && high - low > width; ++k) {
    if (at_a < at_b) {
      high = b;
      b = a;
      at_b = at_a;
      at_a = f(a = high - ratio * (high - low));
    } else {
      low = a;
      a = b;
      at_a = at_b;
      at_b = f(b = low + ratio * (high - low));
    }
  }
}

// The row that takes part most in the linear dependence.
std::string dependent_row(const InverseProblem& problem, const Vector& q) {
  const Matrix rows = independence_rows(problem, q);
  const Svd parts = svd(rows);
  Eigen::Index worst = 0;
  parts.U.col(rows.rows() - 1).cwiseAbs().maxCoeff(&worst);
  const int motions = problem.motion_output_count();
  if (worst < motions) return problem.output_row_name(problem.motion_outputs()[worst]);
  return problem.constraint_row_name(static_cast<int>(worst) - motions);
}

constexpr int poses_at_rest = 64;

std::vector<RankLoss> losses_between(const InverseProblem& problem,
                                     const std::vector<QuasiStaticPoint>& poses) {
  const double span = problem.path().duration();
  std::vector<RankLoss> losses;
  for (size_t i = 0; i < poses.size(); ++i) {
    if (!found(poses[i])) continue;
    const bool lower_than_before = i == 0 || size(poses[i]) <= size(poses[i - 1]);
    const bool lower_than_after =
        i + 1 >= poses.size() || !found(poses[i + 1]) || size(poses[i]) <= size(poses[i + 1]);
    if (!lower_than_before || !lower_than_after || size(poses[i]) > suspicious) continue;
    QuasiStaticPoint best = poses[i];
    const double low = poses[i > 0 ? i - 1 : i].t;
    const double high = poses[std::min(i + 1, poses.size() - 1)].t;
    golden_section(low, high, 1e-9 * span, [&](double t) {
      QuasiStaticPoint pose{t, rest_state(problem, t, best.state.q)};
      if (found(pose) && size(pose) < size(best)) best = pose;
      return found(pose) ? size(pose) : 0.0;
    });
    if (size(best) < lost)
      losses.push_back({best.t, size(best), dependent_row(problem, best.state.q),
                        pose_text(problem.robot(), best.state.q)});
  }
  return losses;
}

}  // namespace

std::vector<RankLoss> find_rank_losses(const InverseProblem& problem, const RestState& start) {
  return losses_between(problem, quasi_static_points(problem, start, poses_at_rest + 1));
}

std::optional<std::string> stop_at_rest(const InverseProblem& problem, const RestState& start) {
  const auto poses = quasi_static_points(problem, start, poses_at_rest + 1);
  const std::vector<RankLoss> losses = losses_between(problem, poses);
  QuasiStaticPoint next = poses.back();
  if (found(next)) {
    if (losses.empty()) return std::nullopt;
    return losses.front().sentence();
  }
  QuasiStaticPoint last = poses[poses.size() - 2];
  if (!losses.empty() && losses.front().t < last.t) return losses.front().sentence();
  const std::string beyond = next.state.message;
  while (next.t - last.t > 1e-6 * problem.path().duration()) {
    QuasiStaticPoint between{(last.t + next.t) / 2, {}};
    between.state = rest_state(problem, between.t, last.state.q);
    (found(between) ? last : next) = between;
  }
  return fmt::format(
      "t = {:.6g} s: the path comes to the end of what the robot can reach, at {} (smallest over "
      "largest singular value {:.1e}); further on, {}",
      last.t, pose_text(problem.robot(), last.state.q), last.state.independence, beyond);
}

namespace {

// Smallest over largest singular value of a matrix that should have full rank; 1 for an empty one.
double fullness(const Matrix& A) {
  if (A.size() == 0) return 1;
  const Vector sigma = singular_values(A);
  return sigma[0] > 0 ? sigma[sigma.size() - 1] / sigma[0] : 0;
}

// B with B^T M B = 1 and the same span.
Matrix orthonormal(const Matrix& basis, const Matrix& M) {
  const Matrix R = cholesky_factor(basis.transpose() * M * basis);
  return solve_linear(R.transpose(), basis.transpose()).transpose();
}

}  // namespace

PoseRegularity::PoseRegularity(const InverseProblem& problem, const Vector& start)
    : problem_(problem), mechanics_(problem.robot()) {
  std::vector<bool> wanted(problem.robot().constraints().size(), false);
  for (const ForceRow& force : problem.force_outputs()) wanted[force.constraint] = true;
  for (int i = 0; i < problem.robot().constraint_count(); ++i)
    if (!wanted[i]) free_multipliers_.push_back(i);
  if (!problem.is_block_triangular()) return;
  has_loops_ = has_coupling_ = true;
  const Regularity here = all(start);
  has_loops_ = here.loops > by_structure;
  has_coupling_ = has_loops_ && here.coupling > by_structure;
}

Regularity PoseRegularity::at(const Vector& q) { return all(q); }

Regularity PoseRegularity::all(const Vector& q) {
  const Robot& robot = problem_.robot();
  const int n = robot.tree_nv();
  Regularity result;
  const Matrix rows = independence_rows(problem_, q);
  result.outputs = rows.rows() > rows.cols() ? 0 : fullness(rows);
  if (!problem_.is_block_triangular()) return result;
  const Matrix C = rows.leftCols(n);
  if (C.rows() == n) result.pose_branch = Lu(C).determinant_sign();
  const std::vector<int>& passive = problem_.passive_rows();
  const auto np = static_cast<Eigen::Index>(passive.size());
  const auto nl = static_cast<Eigen::Index>(free_multipliers_.size());
  const Matrix G_p = C.bottomRows(robot.constraint_count())(free_multipliers_, passive).transpose();
  if (has_loops_) result.loops = fullness(G_p);
  if (!has_coupling_ || np == 0 || C.rows() + np != n + nl) return result;
  mass_matrix(robot, mechanics_, q);
  const Matrix M = mechanics_.M.topLeftCorner(n, n);
  Matrix W = Matrix::Zero(n + nl, n + nl);
  W.topLeftCorner(C.rows(), n) = C;
  W.bottomLeftCorner(np, n) = M(passive, Eigen::all);
  W.bottomRightCorner(np, nl) = -G_p;
  result.motion_branch = Lu(W).determinant_sign();
  const auto freedom = n - C.rows();
  if (freedom == 0) return result;
  Matrix Z = Matrix::Zero(n, freedom);
  Z(passive, Eigen::all) = svd(G_p).U.rightCols(freedom);
  const Vector cosines = singular_values(orthonormal(Z, M).transpose() * M *
                                         orthonormal(svd(C).V.rightCols(freedom), M));
  result.coupling = cosines[cosines.size() - 1];
  return result;
}

namespace {

// How far outputs and constraints are from where they shall be, m or rad.
double distance_from_path(const InverseProblem& problem, double t, const Vector& q) {
  const Robot& robot = problem.robot();
  MechanicsData data(robot);
  kinematics<double>(robot, data, q);
  Vector wanted(problem.output_count()), error(problem.output_count()),
      open(robot.constraint_count());
  path_values<double>(problem.path(), t, wanted);
  output_errors<double>(robot, data, q, Vector::Zero(robot.constraint_count()), problem.outputs(),
                        wanted, error);
  constraint_values<double>(robot, data, q, t, open);
  double distance = open.size() > 0 ? open.cwiseAbs().maxCoeff() : 0;
  for (const int i : problem.motion_outputs()) distance = std::max(distance, std::abs(error[i]));
  return distance;
}

// Cubic between two samples, with the rates of both.
class Between {
 public:
  Between(const Robot& robot, const Vector& t, const Matrix& q, const Matrix& v)
      : robot_(robot), t_(t), q_(q), v_(v), a_(Vector::Zero(robot.nq())), b_(a_) {}

  Vector at(double time) {
    const auto after = std::upper_bound(t_.begin(), t_.end(), time) - t_.begin();
    const auto i = std::clamp<Eigen::Index>(after - 1, 0, t_.size() - 2);
    const double h = t_[i + 1] - t_[i], s = (time - t_[i]) / h;
    position_rate<double>(robot_, q_.col(i), v_.col(i), a_);
    position_rate<double>(robot_, q_.col(i + 1), v_.col(i + 1), b_);
    Vector q = (1 + 2 * s) * (1 - s) * (1 - s) * q_.col(i) + s * s * (3 - 2 * s) * q_.col(i + 1) +
               h * s * (1 - s) * ((1 - s) * a_ - s * b_);
    for (const Quaternion& at : robot_.quaternions()) q.segment<4>(at.q).normalize();
    return q;
  }

 private:
  const Robot& robot_;
  const Vector& t_;
  const Matrix &q_, &v_;
  Vector a_, b_;
};

// Whether a joint moves from sample i to the next much farther than velocities explain. Those of a
// difference formula just after a jump contain it, so they are not asked.
bool jumps(const Robot& robot, const Vector& t, const Matrix& q, const Matrix& v, Eigen::Index i) {
  constexpr Eigen::Index contaminated = 8;   // samples: the longest formula has seven
  constexpr double much = 10, least = 1e-2;  // times; rad or m
  const double h = t[i + 1] - t[i];
  const Eigen::Index before = std::max<Eigen::Index>(0, i - contaminated),
                     after = std::min(i + contaminated, t.size() - 1),
                     last = std::min(i + 2 * contaminated, t.size() - 1);
  for (int k = 0; k < robot.tree_nv(); ++k) {
    const int at = robot.coordinate_of(k);
    if (at < 0) continue;  // of a quaternion
    const double speed = std::max(v.row(k).segment(before, i - before + 1).cwiseAbs().maxCoeff(),
                                  v.row(k).segment(after, last - after + 1).cwiseAbs().maxCoeff());
    if (std::abs(q(at, i + 1) - q(at, i)) > least + much * h * speed) return true;
  }
  return false;
}

// What is closest to being lost, against the start where its size is a matter of the robot.
enum class Part { outputs, loops, coupling };
struct Closeness {
  double value;
  Part part;
};
Closeness closeness(const Regularity& now, const Regularity& start) {
  const double loops = now.loops / start.loops, coupling = now.coupling / start.coupling;
  if (now.outputs <= loops && now.outputs <= coupling) return {now.outputs, Part::outputs};
  return loops <= coupling ? Closeness{loops, Part::loops} : Closeness{coupling, Part::coupling};
}

const char* meaning_of(Part part) {
  switch (part) {
    case Part::outputs:
      return "outputs and constraints cannot be moved independently there";
    case Part::loops:
      return "the drives cannot hold its loops there";
    case Part::coupling:
      return "joints without a drive are not moved by the outputs there";
  }
  return "";
}

void keep_least(double value, double t, const Vector& q, MotionRegularity::Least& least) {
  if (value < least.value) least = {value, t, q};
}

}  // namespace

MotionRegularity regularity_along(const InverseProblem& problem, const Vector& t, const Matrix& q,
                                  const Matrix& v) {
  const Robot& robot = problem.robot();
  PoseRegularity measure(problem, q.col(0));
  Between between(robot, t, q, v);
  MotionRegularity result;
  result.outputs.q = result.loops.q = result.coupling.q = q.col(0);
  result.outputs.t = result.loops.t = result.coupling.t = t[0];
  const Regularity start = measure.at(q.col(0));
  Closeness worst{1, Part::outputs};
  double worst_t = t[0];
  Vector worst_q = q.col(0);
  const auto look = [&](double time, const Vector& pose) {
    const Regularity r = measure.at(pose);
    keep_least(r.outputs, time, pose, result.outputs);
    keep_least(r.loops, time, pose, result.loops);
    keep_least(r.coupling, time, pose, result.coupling);
    const Closeness here = closeness(r, start);
    if (here.value < worst.value) {
      worst = here;
      worst_t = time;
      worst_q = pose;
    }
    return r;
  };
  const auto stop = [&](Eigen::Index column, std::string sentence) {
    result.stop = static_cast<int>(column);
    result.sentence = std::move(sentence);
    return result;
  };
  const auto singular = [&] {
    return fmt::format(
        "t = {:.6g} s: the robot comes to a singular pose, at {}: {} ({:.1e}; 0 is "
        "singular)",
        worst_t, pose_text(robot, worst_q), meaning_of(worst.part), worst.value);
  };
  const auto jump = [&](Eigen::Index i) {
    result.jumped = true;
    return stop(i - 1, fmt::format("the robot jumps to another branch between t = {:.6g} s, at {}, "
                                   "and t = {:.6g} s, at {}; a smaller step may keep it",
                                   t[i - 1], pose_text(robot, q.col(i - 1)), t[i],
                                   pose_text(robot, q.col(i))));
  };
  Regularity last = look(t[0], q.col(0));
  double before = 1, latest = closeness(last, start).value;
  if (latest < lost) return stop(0, singular());
  for (Eigen::Index i = 1; i < t.size(); ++i) {
    if (!q.col(i).allFinite() || jumps(robot, t, q, v, i - 1)) return jump(i);
    const Regularity now = look(t[i], q.col(i));
    const double here = closeness(now, start).value;
    const bool flips =
        now.pose_branch * last.pose_branch < 0 || now.motion_branch * last.motion_branch < 0;
    // a local minimum at the last sample, or a change of sign between the two
    const bool lowest = i > 1 && latest < suspicious && latest <= before && latest <= here;
    if (flips || lowest)
      golden_section(t[i - (lowest ? 2 : 1)], t[i], 1e-6 * (t[i] - t[i - 1]), [&](double time) {
        return closeness(look(time, between.at(time)), start).value;
      });
    if (flips) {
      // On the way through a singular pose the outputs stay on the path. A solver that lands on the
      // other side has not been there.
      const double moved = (q.col(i) - q.col(i - 1)).head(robot.tree_nq()).cwiseAbs().maxCoeff();
      if (distance_from_path(problem, worst_t, worst_q) > 1e-2 * moved * moved) {
        return jump(i);
      }
      return stop(i - 1, singular() +
                             "; behind it the motion would go on on another branch, as "
                             "when an elbow flips");
    }
    if (worst.value < lost)
      return stop(std::max<Eigen::Index>(i - (lowest ? 2 : 1), 0), singular());
    before = latest;
    latest = here;
    last = now;
  }
  return result;
}

}  // namespace tauflex

#include "tauflex/analysis/rank_losses.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/analysis/diagnosis.hpp"
#include "tauflex/analysis/pose_regularity.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/golden_section.hpp"

namespace tauflex {

std::string RankLoss::sentence() const {
  return fmt::format(
      "t = {:.6g} s: '{}' is linearly dependent on the other outputs and constraints there: a "
      "singular pose at {} (smallest over largest singular value {:.1e})",
      t, row, pose, independence);
}

namespace {

bool found(const QuasiStaticPoint& pose) { return pose.state.status == Status::solved; }
double size(const QuasiStaticPoint& pose) { return pose.state.independence; }

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
    if (!lower_than_before || !lower_than_after || size(poses[i]) > suspicious_ratio) continue;
    QuasiStaticPoint best = poses[i];
    const double low = poses[i > 0 ? i - 1 : i].t;
    const double high = poses[std::min(i + 1, poses.size() - 1)].t;
    golden_section(low, high, 1e-9 * span, [&](double t) {
      QuasiStaticPoint pose{t, rest_state(problem, t, best.state.q)};
      if (found(pose) && size(pose) < size(best)) best = pose;
      return found(pose) ? size(pose) : 0.0;
    });
    if (size(best) < singular_ratio)
      losses.push_back({best.t, size(best), dependent_row(problem, best.state.q),
                        pose_text(problem.robot(), best.state.q)});
  }
  return losses;
}

// Where the matrix that gives accelerations changes the sign of its determinant on the way: the
// zeros pass through infinity there. Where outputs and constraints determine every joint the motion
// has the poses at rest; else only what differs between both ends cannot be avoided.
std::optional<std::string> branch_change(const InverseProblem& problem,
                                         const std::vector<QuasiStaticPoint>& poses) {
  PoseRegularity measure(problem, poses.front().state.q);
  const auto branch = [&](const QuasiStaticPoint& pose) {
    return measure.at(pose.state.q).motion_branch;
  };
  const int first = branch(poses.front());
  if (first == 0 || !found(poses.back())) return std::nullopt;
  if (!problem.is_complete() && branch(poses.back()) == first) return std::nullopt;
  const auto after = std::find_if(poses.begin(), poses.end(), [&](const QuasiStaticPoint& pose) {
    return found(pose) && branch(pose) != first;
  });
  if (after == poses.begin() || after == poses.end()) return std::nullopt;
  QuasiStaticPoint last = *(after - 1), next = *after;
  while (next.t - last.t > 1e-9 * problem.path().duration()) {
    QuasiStaticPoint between{(last.t + next.t) / 2, {}};
    between.state = rest_state(problem, between.t, last.state.q);
    if (!found(between)) return std::nullopt;
    (branch(between) == first ? last : next) = between;
  }
  // The search at rest itself has jumped.
  const double moved = (next.state.q - last.state.q).head(problem.robot().tree_nq()).norm();
  if (moved > 1e-3 * (1 + last.state.q.norm())) return std::nullopt;
  const Closeness lost = closeness(measure.at(last.state.q), measure.at(poses.front().state.q));
  return fmt::format(
      "t = {:.6g} s: the path comes to a singular pose, at {}: {}; behind it the zeros have passed "
      "through infinity and changed sides",
      last.t, pose_text(problem.robot(), last.state.q), meaning_of(lost.part));
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
    if (losses.empty()) return branch_change(problem, poses);
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

}  // namespace tauflex

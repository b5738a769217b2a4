#include "tauflex/analysis/rank_loss.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/math/decompositions.hpp"

namespace tauflex {

std::string RankLoss::sentence() const {
  return fmt::format(
      "t = {:.6g} s: '{}' says nothing that the other outputs and constraints do not say: they "
      "lose "
      "rank there (smallest over largest singular value {:.1e})",
      t, row, independence);
}

namespace {

constexpr double lost = 1e-3, suspicious = 0.1;

bool found(const QuasiStaticPoint& pose) { return pose.state.status == Status::solved; }
double size(const QuasiStaticPoint& pose) { return pose.state.independence; }

// The row that takes part most in what the others say already.
std::string dependent_row(const InverseProblem& problem, const Vector& q) {
  const Matrix rows = independence_rows(problem, q);
  const Svd parts = svd(rows);
  Eigen::Index worst = 0;
  parts.U.col(rows.rows() - 1).cwiseAbs().maxCoeff(&worst);
  int motion = 0;
  for (int i = 0; i < problem.output_count(); ++i) {
    if (problem.outputs()[static_cast<size_t>(i)].constraint >= 0) continue;
    if (motion++ == worst) return problem.output_row_name(i);
  }
  return problem.constraint_row_name(static_cast<int>(worst) - motion);
}

}  // namespace

std::vector<RankLoss> find_rank_losses(const InverseProblem& problem, const RestState& start,
                                       int samples) {
  std::vector<QuasiStaticPoint> poses = {{problem.begin(), start}};
  const double span = problem.path().duration();
  for (int i = 1; i <= samples; ++i) {
    const double t = span * i / samples;
    poses.push_back({t, rest_state(problem, t, poses.back().state.q)});
    if (!found(poses.back())) break;
  }
  std::vector<RankLoss> losses;
  for (size_t i = 0; i < poses.size(); ++i) {
    if (!found(poses[i])) continue;
    const bool lower_than_before = i == 0 || size(poses[i]) <= size(poses[i - 1]);
    const bool lower_than_after =
        i + 1 >= poses.size() || !found(poses[i + 1]) || size(poses[i]) <= size(poses[i + 1]);
    if (!lower_than_before || !lower_than_after || size(poses[i]) > suspicious) continue;
    // golden section between the neighbours
    QuasiStaticPoint best = poses[i];
    double low = poses[i > 0 ? i - 1 : i].t, high = poses[std::min(i + 1, poses.size() - 1)].t;
    const double ratio = (std::sqrt(5.0) - 1) / 2;
    const auto look = [&](double t) {
      QuasiStaticPoint pose{t, rest_state(problem, t, best.state.q)};
      if (found(pose) && size(pose) < size(best)) best = pose;
      return found(pose) ? size(pose) : 0.0;
    };
    double a = high - ratio * (high - low), b = low + ratio * (high - low);
    double at_a = look(a), at_b = look(b);
    for (int k = 0; k < 40 && high - low > 1e-9 * span; ++k) {
      if (at_a < at_b) {
        high = b;
        b = a;
        at_b = at_a;
        at_a = look(a = high - ratio * (high - low));
      } else {
        low = a;
        a = b;
        at_a = at_b;
        at_b = look(b = low + ratio * (high - low));
      }
    }
    if (size(best) < lost)
      losses.push_back({best.t, size(best), dependent_row(problem, best.state.q)});
  }
  return losses;
}

}  // namespace tauflex

#include "tauflex/results/torque_table.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/mechanics/constrained_dynamics.hpp"
#include "tauflex/results/coverage.hpp"

namespace tauflex {

namespace {

// The last row once more at a later time.
void hold_until(double end, Solution& s) {
  const Eigen::Index n = s.t.size();
  s.t.conservativeResize(n + 1);
  s.t[n] = end;
  for (Matrix* m : {&s.q, &s.v, &s.vdot, &s.u, &s.lambda, &s.y}) {
    m->conservativeResize(Eigen::NoChange, n + 1);
    m->col(n) = m->col(n - 1).eval();
  }
}

// Constraints that already move at the start have no rest there.
bool is_at_rest(const Robot& robot, const RestState& start, double t) {
  constexpr double standing = 1e-9;  // m/s or rad/s
  ConstrainedDynamics dynamics(robot);
  return dynamics.violation(start.q, Vector::Zero(robot.nv()), t).velocity < standing;
}

}  // namespace

TorqueTable on_task(const InverseProblem& problem, const RestState& start, TorqueTable table) {
  Solution& s = table.solution;
  const Eigen::Index n = s.t.size();
  const Coverage rows = coverage(problem, s.t);
  if (!(rows.share > 0))
    throw InputError(fmt::format(
        "{}: its times are {:.6g} .. {:.6g} s, those of the task {:.6g} .. {:.6g} s; the torques "
        "are for no part of the path",
        s.method, s.t[0], s.t[n - 1], problem.begin(), problem.end()));
  const bool begins_with_task = coverage(problem, Vector{{s.t[0], problem.end()}}).is_whole();
  if (!begins_with_task && !table.has_motion)
    throw InputError(fmt::format(
        "{}: it begins at t = {:.6g} s, the task at {:.6g} s; the state of the robot at its "
        "beginning is needed too: columns q.<name>, v.<name> and lambda.<row>",
        s.method, s.t[0], problem.begin()));
  if (begins_with_task && is_at_rest(problem.robot(), start, s.t[0])) {
    s.q.col(0) = start.q;
    s.v.col(0).setZero();
  }
  const double missing = problem.end() - s.t[n - 1];
  const double rounding = 1e-9 * (problem.end() - problem.begin());
  if (missing > rounding && missing <= (1 + 1e-9) * (s.t[n - 1] - s.t[n - 2]))
    hold_until(problem.end(), s);
  return table;
}

}  // namespace tauflex

#include "tauflex/solvers/chain_rods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/base/errors.hpp"

namespace tauflex {

namespace {

// m, of a link that has no other link at its end: where its farthest frame is.
double reach(const Robot& robot, int link) {
  const int body = robot.tree().body_of_link[link];
  double length = 0;
  for (const Frame& frame : robot.frames())
    if (frame.body == body) length = std::max(length, frame.X_BF.p.norm());
  return length > 0 ? length : 2 * robot.description().links[link].inertia.com.norm();
}

bool has_spring(const ElementFrame& frame, int joint) {
  const auto is_on = [joint](const auto& spring) { return spring.row == joint; };
  return std::any_of(frame.springs.begin(), frame.springs.end(), is_on) ||
         std::any_of(frame.hardening.begin(), frame.hardening.end(), is_on);
}

}  // namespace

void require_chain(const InverseProblem& problem, const ElementFrame& frame,
                   const std::string& revision) {
  const int n = static_cast<int>(frame.joints.size());
  const auto refuse = [&](const std::string& why) {
    throw ProblemError(
        fmt::format("{}: method.parallel with revision: {} is for chains in a plane "
                    "with the first joint driven only; {}",
                    problem.task().where, revision, why));
  };
  if (!frame.planar) refuse("this robot does not move in a plane");
  if (problem.robot().constraint_count() > 0) refuse("this one has constraints");
  if (!frame.dampings.empty()) refuse("its beam has damping");
  for (int j = 0; j < n; ++j) {
    const auto& joint = frame.joints[j];
    const std::string& name = problem.robot().tree().link_names[joint.link];
    if (joint.parent != (j == 0 ? -1 : frame.joints[j - 1].child))
      refuse(fmt::format("link '{}' does not follow the one before", name));
    if (!joint.turns) refuse(fmt::format("joint '{}' does not turn", name));
    if (j == 0 && joint.drive < 0) refuse(fmt::format("joint '{}' has no drive", name));
    if (j == 0 && frame.motors.empty()) refuse(fmt::format("drive '{}' is elastic", name));
    if (j > 0 && joint.drive >= 0) refuse(fmt::format("joint '{}' has one too", name));
    if (j > 0 && has_spring(frame, j)) refuse(fmt::format("joint '{}' has a spring", name));
    if (j > 0 && problem.robot().description().links[joint.link].beam)
      refuse(fmt::format("link '{}' bends, and is not the first one", name));
  }
  if (!problem.outputs().follows_coordinate(frame.joints[0].q))
    refuse("the driven joint is not the output");
  if (frame.gravity.norm() > 0) refuse("gravity acts in this plane");
}

ChainRods chain_rods(const InverseProblem& problem, const ElementFrame& frame) {
  const int n = static_cast<int>(frame.joints.size());
  ChainRods out;
  Matrix& start = out.nodes;
  start = Matrix::Zero(2, n + 1);
  for (int j = 0; j < n; ++j) start.col(j) = frame.start[frame.joints[j].child].head<2>();
  for (int j = 0; j < n; ++j) {
    double mass = 0, second = 0;
    Eigen::Vector2d moment = Eigen::Vector2d::Zero();
    for (const auto& body : frame.bodies)
      if (body.node == frame.joints[j].child) {
        mass += body.mass;
        moment += body.mass * body.com.head<2>();
        second += body.inertia(2, 2) + body.mass * body.com.head<2>().squaredNorm();
      }
    const int link = frame.joints[j].link;
    const std::string& name = problem.robot().tree().link_names[link];
    if (j + 1 == n) {
      const double length = reach(problem.robot(), link);
      start.col(n) = start.col(j) + moment / moment.norm() * length;
    }
    const Eigen::Vector2d span = start.col(j + 1) - start.col(j);
    const double length = span.norm();
    if (!(length > 0) || !(mass > 0))
      throw ProblemError(fmt::format("{}: link '{}' has no {}; the parallel scheme needs rods",
                                     problem.task().where, name, mass > 0 ? "length" : "mass"));
    const double first = moment.dot(span) / length;
    if ((moment - first * span / length).norm() > 1e-9 * mass * length)
      throw ProblemError(
          fmt::format("{}: the centre of mass of link '{}' is not on the line "
                      "between its joints; the literal step is for rods",
                      problem.task().where, name));
    // masses of a straight line between two points that have this mass and these moments
    const double m_bb = second / (length * length), m_ab = first / length - m_bb;
    out.rods.push_back({length, mass - 2 * m_ab - m_bb, m_ab, m_bb});
    out.directions.push_back(std::atan2(span[1], span[0]));
  }
  return out;
}

}  // namespace tauflex

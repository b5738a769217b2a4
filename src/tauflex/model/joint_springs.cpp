#include "tauflex/model/joint_springs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/math/decompositions.hpp"

namespace tauflex {

namespace {

[[noreturn]] void fail(const JointSpring& spring, const std::string& sentence) {
  throw InputError((spring.where.empty() ? fmt::format("spring '{}'", spring.name) : spring.where) +
                   ": " + sentence);
}

// The bodies that carry a link, itself first; none for the world.
std::vector<int> carriers(const JointSpring& spring, const Tree& tree, const std::string& link) {
  std::vector<int> bodies;
  if (link == "world") return bodies;
  const int found = tree.find_link(link);
  if (found < 0)
    fail(spring,
         fmt::format("'{}' is not a link{}", shown(link), did_you_mean(link, tree.link_names)));
  for (int i = tree.body_of_link[found]; i >= 0; i = tree.bodies[i].parent) bodies.push_back(i);
  return bodies;
}

// Axis of every body's joint in the world, with all coordinates at 0.
std::vector<Vector3> joint_axes(const Tree& tree) {
  std::vector<Matrix3> R(tree.bodies.size());
  std::vector<Vector3> axes(tree.bodies.size());
  for (size_t i = 0; i < tree.bodies.size(); ++i) {
    const Body& body = tree.bodies[i];
    const double c = std::cos(body.zero), s = std::sin(body.zero);
    Matrix3 turned = Matrix3::Identity();
    if (body.type == JointType::revolute) turned << c, -s, 0, s, c, 0, 0, 0, 1;
    R[i] = (body.parent < 0 ? body.R_PB : Matrix3(R[body.parent] * body.R_PB)) * turned;
    axes[i] = R[i].col(2);
  }
  return axes;
}

// The angle of link b against link a as a sum of velocities, one entry each.
Vector angle_between(const JointSpring& spring, const Tree& tree) {
  const std::vector<int> of_a = carriers(spring, tree, spring.a),
                         of_b = carriers(spring, tree, spring.b);
  const std::vector<Vector3> axes = joint_axes(tree);
  Vector sum = Vector::Zero(tree.nv);
  int first = -1;
  const auto add = [&](const std::vector<int>& chain, const std::vector<int>& other, double sign) {
    for (const int i : chain) {
      const Body& body = tree.bodies[i];
      if (std::find(other.begin(), other.end(), i) != other.end()) break;
      if (body.type == JointType::spherical)
        fail(spring, fmt::format("link '{}' between them turns about all axes; a torsion spring "
                                 "needs parallel axes",
                                 tree.link_names[body.link]));
      if (body.type != JointType::revolute) continue;
      if (first < 0) first = i;
      const double along = axes[i].dot(axes[first]);
      if (std::abs(along) < 1 - 1e-9)
        fail(spring,
             fmt::format("links '{}' and '{}' turn about axes that are not parallel; give "
                         "joints: {{.. }} instead of links",
                         tree.link_names[tree.bodies[first].link], tree.link_names[body.link]));
      sum[body.v_begin] += sign * (along > 0 ? 1 : -1);
    }
  };
  add(of_b, of_a, 1);
  add(of_a, of_b, -1);
  if (first < 0) fail(spring, fmt::format("no joint turns '{}' against '{}'", spring.b, spring.a));
  return sum;
}

Vector sum_of_joints(const JointSpring& spring, const Tree& tree, const Coordinates& coordinates) {
  if (spring.joints.empty()) return angle_between(spring, tree);
  Vector sum = Vector::Zero(tree.nv);
  for (const auto& [name, coefficient] : spring.joints) {
    const int v = coordinates.find_velocity(name);
    if (v < 0 || v >= tree.nv || coordinates.of_velocity[v] < 0)
      fail(spring, fmt::format("'{}' is not a joint that turns about or moves along one axis{}",
                               shown(name), did_you_mean(name, coordinates.names)));
    if (!std::isfinite(coefficient) || coefficient == 0)
      fail(spring, fmt::format("the coefficient of '{}' must be finite and not 0", name));
    sum[v] += coefficient;
  }
  return sum;
}

}  // namespace

void add_joint_springs(const RobotDescription& robot, const Tree& tree,
                       const Coordinates& coordinates, SpringMatrices& matrices, Vector& rest) {
  if (robot.joint_springs.empty()) return;
  // K (q - rest) of all springs together: K rest is the sum of theirs
  Vector at_zero = matrices.stiffness * rest;
  Vector touched = Vector::Zero(tree.nv);
  for (const JointSpring& spring : robot.joint_springs) {
    for (const double number : {spring.stiffness, spring.damping})
      if (!std::isfinite(number) || number < 0 || !std::isfinite(spring.rest))
        fail(spring, "stiffness and damping must be finite and not negative");
    const Vector c = sum_of_joints(spring, tree, coordinates);
    matrices.stiffness += spring.stiffness * c * c.transpose();
    matrices.damping += spring.damping * c * c.transpose();
    at_zero += spring.stiffness * spring.rest * c;
    touched += c.cwiseAbs();
    for (const HardeningEntry& entry : matrices.hardening)
      if (c[entry.row] != 0 && (spring.rest != 0 || rest.cwiseAbs().maxCoeff() != 0))
        fail(spring,
             fmt::format("'{}' has a spring that hardens; beside it every spring is at rest at 0",
                         coordinates.velocity_names[entry.row]));
  }
  std::vector<int> rows;
  for (int i = 0; i < tree.nv; ++i)
    if (touched[i] != 0 || matrices.stiffness.row(i).any()) rows.push_back(i);
  if (at_zero.cwiseAbs().maxCoeff() == 0) return;
  rest(rows) = least_norm_solution(Matrix(matrices.stiffness(rows, rows)), Vector(at_zero(rows)));
}

}  // namespace tauflex

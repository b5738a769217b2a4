#include "tauflex/model/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/model/beam_coordinates.hpp"

namespace tauflex {

int Tree::find_link(const std::string& name) const { return index_of(name, link_names); }

// The end of a segment carries what is at it, the last one all that is beyond it.
int Tree::body_at(int link, const Vector3& p_L) const {
  const int last = end_of_link[link], first = body_of_link[link];
  for (int b = last; b > first; --b) {
    const Body& body = bodies[b];
    const double beyond = body.R_LB.col(0).dot(p_L - body.p_LB);
    const double near = 1e-9 * beams[body.beam].length;
    if (b == last ? beyond >= -near : std::abs(beyond) <= near) return b;
    if (b == first + 1 && beyond + beams[body.beam].length > near) return -1;
    if (b != first + 1 && beyond > near) return -1;
  }
  return first;
}

namespace {

// The last velocity of a body, or of the nearest one towards the world that has any; else -1.
int last_velocity(const Tree& tree, int body) {
  for (; body >= 0; body = tree.bodies[body].parent)
    if (const Body& b = tree.bodies[body]; b.v_count > 0) return b.v_begin + b.v_count - 1;
  return -1;
}

// The velocities of a body that is added next.
void add_velocities(const Body& body, Tree& tree) {
  int before = last_velocity(tree, body.parent);
  for (int k = 0; k < body.v_count; ++k) {
    tree.dof_parent.push_back(before);
    tree.dof_body.push_back(static_cast<int>(tree.bodies.size()));
    before = body.v_begin + k;
  }
}

// One more body on `parent`, which carries the joint frame at X_PJ.
void add_body(int parent, int link, JointType type, const Vector3& axis, const Pose& X_PJ,
              const std::string& name, Tree& tree, Coordinates& coordinates) {
  Body body = {};
  body.parent = parent;
  body.link = link;
  body.type = type;
  body.q_begin = coordinates.nq;
  body.v_begin = coordinates.nv;
  body.v_count = type == JointType::fixed ? 0 : type == JointType::spherical ? 3 : 1;
  const bool has_axis = body.v_count == 1;
  body.R_LB = has_axis ? rotation_with_z_along(axis.normalized()) : Matrix3(Matrix3::Identity());
  const Matrix3 R_BP =
      parent >= 0 ? Matrix3(tree.bodies[parent].R_LB.transpose()) : Matrix3(Matrix3::Identity());
  body.R_PB = R_BP * X_PJ.R * body.R_LB;
  body.p_PB = R_BP * X_PJ.p;
  body.p_PB -= parent >= 0 ? Vector3(R_BP * tree.bodies[parent].p_LB) : Vector3(Vector3::Zero());
  body.p_LB.setZero();
  body.beam = -1;
  body.inertia.setZero();
  body.com.setZero();
  add_velocities(body, tree);
  if (type == JointType::spherical) coordinates.add_quaternion(name);
  if (has_axis) coordinates.add(name, type == JointType::revolute);
  tree.bodies.push_back(body);
}

// The segments of a beam, each on the end of the one before.
void add_segments(const Link& link, Tree& tree, Coordinates& coordinates) {
  const Beam& beam = *link.beam;
  const Matrix3 R_LB = beam.axes();
  for (int segment = 0; segment < beam.segments; ++segment) {
    const int parent = static_cast<int>(tree.bodies.size()) - 1;
    const BeamLayout layout = lay_out_beam(beam, segment);
    Body& carrier = tree.bodies[parent];
    Body body = {};
    body.parent = parent;
    body.link = carrier.link;
    body.type = JointType::beam;
    body.q_begin = coordinates.nq;
    body.v_begin = coordinates.nv;
    body.v_count = layout.n;
    body.R_LB = R_LB;
    body.p_LB = beam.from + R_LB.col(0) * (layout.length * (segment + 1));
    body.R_PB = carrier.R_LB.transpose() * R_LB;
    body.p_PB = carrier.R_LB.transpose() * (body.p_LB - R_LB.col(0) * layout.length - carrier.p_LB);
    body.inertia.setZero();
    body.com.setZero();
    body.beam = static_cast<int>(tree.beams.size());
    // all sections of the segment turn with its start, and some more by their twist
    const Vector3 x = body.R_PB.col(0);
    carrier.inertia += layout.twist_inertia * x * x.transpose();
    add_velocities(body, tree);
    for (int k = 0; k < layout.n; ++k)
      coordinates.add(joint_name(link) + "." + layout.names[k], layout.is_angle[k]);
    tree.beams.push_back(layout);
    tree.bodies.push_back(body);
  }
}

// The body of the parent link that carries the joint of a link.
int carrier_of(const Link& link, const Tree& tree) {
  if (link.joint.parent == "world") return -1;
  const int body = tree.body_at(tree.find_link(link.joint.parent), link.joint.X_PJ.p);
  if (body < 0)
    throw InputError(fmt::format(
        "{}: its joint is within the beam of link '{}'; put it at an end of the beam or of a "
        "segment, or make two links of the beam",
        place(link), link.joint.parent));
  return body;
}

// The directions of its springs, then those of its joint, then its beam.
void add_bodies(const Link& link, Tree& tree, Coordinates& coordinates) {
  const int index = static_cast<int>(tree.body_of_link.size());
  const Joint& joint = link.joint;
  int parent = carrier_of(link, tree);
  Pose X_PJ = joint.X_PJ;
  const auto add = [&](JointType type, const Vector3& axis, const std::string& name) {
    add_body(parent, index, type, axis, X_PJ, name, tree, coordinates);
    parent = static_cast<int>(tree.bodies.size()) - 1;
    X_PJ = {};
  };
  const auto add_directions = [&](const std::array<bool, 6>& free) {
    for (int k = 0; k < 6; ++k)
      if (free[k])
        add(k < 3 ? JointType::prismatic : JointType::revolute, Vector3::Unit(k % 3),
            joint_name(link) + "." + direction_names[k]);
  };
  add_directions(link.springs.free);
  if (joint.type == JointType::compound) add_directions(joint.free);
  if (joint.type == JointType::floating) add_directions({true, true, true, false, false, false});
  const auto& springs = link.springs.free;
  const bool sprung = std::find(springs.begin(), springs.end(), true) != springs.end();
  if (joint.type == JointType::floating || joint.type == JointType::spherical)
    add(JointType::spherical, {}, joint_name(link));
  else if (joint.type != JointType::compound && !(joint.type == JointType::fixed && sprung))
    add(joint.type, joint.axis, joint_name(link));
  Body& body = tree.bodies.back();
  body.zero = joint.zero;
  body.mass = link.inertia.mass;
  body.com = body.R_LB.transpose() * link.inertia.com;
  body.inertia = body.R_LB.transpose() * link.inertia.about_com * body.R_LB;
  tree.link_names.push_back(link.name);
  tree.body_of_link.push_back(parent);
  if (link.beam) add_segments(link, tree, coordinates);
  tree.end_of_link.push_back(static_cast<int>(tree.bodies.size()) - 1);
}

}  // namespace

Tree lay_out_tree(const std::vector<Link>& links, Coordinates& coordinates) {
  Tree tree;
  for (const Link& link : links) {
    add_bodies(link, tree, coordinates);
    coordinates.joint_of_link.emplace(link.name, joint_name(link));
  }
  tree.nq = coordinates.nq;
  tree.nv = coordinates.nv;
  return tree;
}

}  // namespace tauflex

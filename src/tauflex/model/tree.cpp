#include "tauflex/model/tree.hpp"

#include <algorithm>

#include "tauflex/base/text.hpp"

namespace tauflex {

int Tree::find_link(const std::string& name) const { return index_of(name, link_names); }

namespace {

// The last velocity of a body, or of the nearest one towards the world that has any; else -1.
int last_velocity(const Tree& tree, int body) {
  for (; body >= 0; body = tree.bodies[body].parent)
    if (const Body& b = tree.bodies[body]; b.v_count > 0) return b.v_begin + b.v_count - 1;
  return -1;
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
  body.inertia.setZero();
  body.com.setZero();
  int before = last_velocity(tree, parent);
  for (int k = 0; k < body.v_count; ++k) {
    tree.dof_parent.push_back(before);
    tree.dof_body.push_back(static_cast<int>(tree.bodies.size()));
    before = body.v_begin + k;
  }
  if (type == JointType::spherical) coordinates.add_quaternion(name);
  if (has_axis) coordinates.add(name, type == JointType::revolute);
  tree.bodies.push_back(body);
}

// The directions of its springs, then those of its joint.
void add_bodies(const Link& link, Tree& tree, Coordinates& coordinates) {
  const int index = static_cast<int>(tree.body_of_link.size());
  const Joint& joint = link.joint;
  int parent = joint.parent == "world" ? -1 : tree.body_of_link[tree.find_link(joint.parent)];
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

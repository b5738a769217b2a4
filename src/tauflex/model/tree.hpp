// The tree of bodies that mechanics computes with. Every direction of a joint becomes one body, the
// last of them with the mass of the link; a spherical joint is one. A body's frame is the link
// frame turned so that its joint axis is z: the joint then costs one sine and one cosine, and
// nothing outside `mechanics` can tell. A segment of a beam is one more body: its far end, moved by
// all coordinates of the segment; the mass between is in its BeamLayout.
#pragma once

#include <string>
#include <vector>

#include "tauflex/model/beam_layout.hpp"
#include "tauflex/model/coordinates.hpp"
#include "tauflex/model/link_frames.hpp"
#include "tauflex/model/robot_description.hpp"

namespace tauflex {

struct Body {
  // Index of the parent body, smaller than its own; -1 for the world.
  int parent;
  // Index of the link it belongs to.
  int link;
  // Fixed, revolute, prismatic, spherical or beam.
  JointType type;
  // First coordinate and first velocity of its joint.
  int q_begin;
  int v_begin;
  int v_count;
  // Body frame in the parent's body frame, at coordinate 0.
  Matrix3 R_PB;
  Vector3 p_PB;
  // Added to the coordinate.
  double zero;
  double mass;
  // In the body frame.
  Vector3 com;
  // About com, in body axes.
  Matrix3 inertia;
  // Body frame in the link frame, beams undeformed.
  Matrix3 R_LB;
  Vector3 p_LB;
  // Index of its BeamLayout; -1 when it is none.
  int beam;
};

struct Tree {
  // Coordinates and velocities of the robot without those of its rotors.
  int nq = 0;
  int nv = 0;
  std::vector<Body> bodies;
  std::vector<std::string> link_names;
  std::vector<BeamLayout> beams;
  // Per link: the body with its mass, moved by its joint.
  std::vector<int> body_of_link;
  // Per link: its last body, the same but for beams.
  std::vector<int> end_of_link;
  // Per velocity: the previous one on the way to the world; -1 when there is none.
  std::vector<int> dof_parent;
  // Per velocity: the body that it moves.
  std::vector<int> dof_body;
  // Per velocity; empty where a joint has several axes.
  std::vector<LinkFrame> link_frames;

  // -1 when there is none.
  int find_link(const std::string& name) const;
  // The body that carries a point of a link, in link axes; -1 when the point is within a beam.
  int body_at(int link, const Vector3& p_L) const;
};

// Of links in the order of in_tree_order(). Adds the joints to `coordinates`.
Tree lay_out_tree(const std::vector<Link>& links, Coordinates& coordinates);

}  // namespace tauflex

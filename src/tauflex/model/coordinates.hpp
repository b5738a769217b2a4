// What belongs to each entry of q and of v: the joints of the tree in link order, then the rotors
// of elastic drives. A quaternion has four coordinates and three velocities, all others one of
// each.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

// Its first coordinate (w of w, x, y, z) and its first velocity.
struct Quaternion {
  int q, v;
};

struct Coordinates {
  int nq = 0;
  int nv = 0;
  // nq, by joints: "elbow", "elbow.rotor", "base.x", "top.qw"
  std::vector<std::string> names;
  // nv: the same but for quaternions: "top.wx"
  std::vector<std::string> velocity_names;
  // nv: the coordinate of each velocity; -1 where it belongs to a quaternion
  std::vector<int> of_velocity;
  // nq: rad, else m
  std::vector<bool> is_angle;
  std::vector<Quaternion> quaternions;
  // nq: 0, and quaternions that do not turn
  Vector neutral;
  // nq: the range of each joint
  Vector lowest, highest;
  // Names of links, and what their coordinates are called.
  std::map<std::string, std::string> joint_of_link;

  // One more coordinate and its velocity.
  void add(const std::string& name, bool angle);
  void add_quaternion(const std::string& name);

  // -1 when there is none. A joint may also be called by its link: "hand", "hand.rotor".
  int find(const std::string& name) const;
  int find_velocity(const std::string& name) const;
};

}  // namespace tauflex

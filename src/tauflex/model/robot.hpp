// A robot that has been checked and laid out for computing: constant after construction.
//
// Coordinates  q = (tree joints in link order; rotors of elastic drives), nq of them
// Velocities   v = (the same), nv of them; joints with quaternions will have nq > nv
// Every link becomes one Body. Its frame is the link frame turned so that the joint axis is z: the
// joint then costs one sine and one cosine, and nothing outside `mechanics` can tell.
#pragma once

#include <string>
#include <vector>

#include "tauflex/model/robot_description.hpp"

namespace tauflex {

struct Body {
  int parent;  // index of the parent body, -1 for the world; parent < own index
  JointType type;
  int q_begin;  // first coordinate of its joint
  int v_begin;  // first velocity of its joint
  int v_count;
  Matrix3 R_PB;  // body frame in the parent's body frame, at coordinate 0
  Vector3 p_PB;
  double zero;  // added to the coordinate
  double mass;
  Vector3 com;      // in the body frame
  Matrix3 inertia;  // about com, in body axes
  Matrix3 R_LB;     // body frame in the link frame
};

struct DriveLayout {
  int link;     // index into links
  int joint_q;  // coordinate and velocity of the joint it moves
  int joint_v;
  int rotor_q;  // of its rotor; -1 for a rigid drive
  int rotor_v;
  double rotor_inertia, gear_ratio, friction;
  int row() const { return rotor_v >= 0 ? rotor_v : joint_v; }      // row of D.1 with its torque
  double lever() const { return rotor_v >= 0 ? 1.0 : gear_ratio; }  // entry of B
};

// One entry of a stiffness and of a damping matrix.
struct SpringEntry {
  int row, column;
  double stiffness, damping;
};

struct Frame {
  std::string name;
  int body;  // -1 for the world
  Pose X_BF;
};

class Robot {
 public:
  explicit Robot(RobotDescription description);  // throws InputError

  const RobotDescription& description() const { return description_; }
  int nq() const { return nq_; }
  int nv() const { return nv_; }
  int tree_nq() const { return tree_nq_; }  // without rotors
  int tree_nv() const { return tree_nv_; }
  int rotors() const { return nv_ - tree_nv_; }

  const Vector3& gravity() const { return gravity_; }
  const std::vector<Body>& bodies() const { return bodies_; }
  const std::vector<int>& dof_parent() const {
    return dof_parent_;
  }  // previous tree velocity towards the world, -1
  const std::vector<DriveLayout>& drives() const { return drives_; }
  const std::vector<int>& elastic_drives() const {
    return elastic_drives_;
  }  // indices into drives, in rotor order
  const DriveLayout& elastic_drive(int rotor) const {
    return drives_[static_cast<size_t>(elastic_drives_[static_cast<size_t>(rotor)])];
  }
  const Vector& armature() const {
    return armature_;
  }                                             // n^2 J of rigid drives on their joints, tree_nv
  const Vector& rest() const { return rest_; }  // of the joint springs, tree_nv
  const std::vector<SpringEntry>& joint_springs() const {
    return joint_springs_;
  }  // rows: tree velocities
  const std::vector<SpringEntry>& drive_springs() const {
    return drive_springs_;
  }  // rows: rotors 0, 1, ...
  const std::vector<Frame>& frames() const {
    return frames_;
  }  // named frames first, then one per link

  const std::string& link_name(int body) const { return link_names_[static_cast<size_t>(body)]; }
  const std::vector<std::string>& coordinate_names() const {
    return coordinate_names_;
  }  // "hand", "hand.rotor"
  const std::vector<std::string>& drive_names() const { return drive_names_; }  // link names
  int find_link(const std::string& name) const;  // -1 when there is none
  int find_frame(const std::string& name) const;
  int find_coordinate(const std::string& name) const;
  bool is_angle(int coordinate) const { return is_angle_[static_cast<size_t>(coordinate)]; }
  double lowest(int coordinate) const { return lowest_[coordinate]; }
  double highest(int coordinate) const { return highest_[coordinate]; }

  // Constant mass matrix of the tree, set by linearized_at() in mechanics; empty otherwise.
  const Matrix& constant_mass() const { return constant_mass_; }
  bool is_linearized() const { return constant_mass_.size() > 0; }
  Robot with_constant_mass(Matrix mass) const;

 private:
  void sort_links();
  void lay_out_bodies();
  void lay_out_drives();
  void lay_out_springs();
  void lay_out_frames();

  RobotDescription description_;
  std::vector<Body> bodies_;
  std::vector<int> dof_parent_;
  std::vector<DriveLayout> drives_;
  std::vector<int> elastic_drives_;
  std::vector<SpringEntry> joint_springs_, drive_springs_;
  std::vector<Frame> frames_;
  std::vector<std::string> link_names_, coordinate_names_, drive_names_;
  std::vector<bool> is_angle_;
  Vector armature_, rest_, lowest_, highest_;
  Vector3 gravity_ = Vector3::Zero();
  Matrix constant_mass_;
  int nq_ = 0, nv_ = 0, tree_nq_ = 0, tree_nv_ = 0;
};

// The same robot carrying more on one link (task data, not robot data).
RobotDescription with_payload(RobotDescription robot, const std::string& link,
                              const LinkInertia& payload);

}  // namespace tauflex

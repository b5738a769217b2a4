// A robot that has been checked and laid out for computing: constant after construction.
//
// Coordinates  q = (tree joints in link order; rotors of elastic drives), nq of them
// Velocities   v = (the same), nv of them; a quaternion has four coordinates and three velocities
// Every direction of a joint becomes one Body, the last of them with the mass of the link; a
// spherical joint is one. A body's frame is the link frame turned so that its joint axis is z: the
// joint then costs one sine and one cosine, and nothing outside `mechanics` can tell.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "tauflex/model/robot_description.hpp"

namespace tauflex {

struct Body {
  int parent;      // index of the parent body, -1 for the world; parent < own index
  int link;        // index of the link it belongs to
  JointType type;  // fixed, revolute, prismatic or spherical
  int q_begin;     // first coordinate of its joint
  int v_begin;     // first velocity of its joint
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
  double rotor_inertia, gear_ratio, friction, coulomb, coulomb_speed;
  Drive::Limits limits;
  int row() const { return rotor_v >= 0 ? rotor_v : joint_v; }      // row of D.1 with its torque
  double lever() const { return rotor_v >= 0 ? 1.0 : gear_ratio; }  // entry of B
};

// One entry of a stiffness and of a damping matrix.
struct SpringEntry {
  int row, column;
  double stiffness, damping;
};

// What a spring gives beyond stiffness times stretch; a table may also take away.
using HardeningLaw = std::variant<OddPolynomial, SpringTable>;

// Hardening of one spring: of a tree velocity, or of an elastic drive.
struct HardeningEntry {
  int row;
  HardeningLaw law;
};

// What a rotor turns: the motor end of drive spring `spring` by `ratio` per turn of the rotor; 1/n
// of its own drive, and more where a transmission couples axes.
struct Gear {
  int spring, rotor;
  double ratio;
};

struct Quaternion {
  int q, v;  // its first coordinate and velocity
};

struct Frame {
  std::string name;
  int body;  // -1 for the world
  Pose X_BF;
};

class Robot {
 public:
  explicit Robot(RobotDescription description);  // throws InputError
  // The compiler makes these once, in the .cpp file.
  Robot(const Robot&);
  Robot(Robot&&) noexcept;
  Robot& operator=(const Robot&);
  Robot& operator=(Robot&&) noexcept;
  ~Robot();

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
  const std::vector<int>& dof_body() const { return dof_body_; }  // per tree velocity
  int coordinate_of(int velocity) const {
    return coordinate_of_[static_cast<size_t>(velocity)];
  }  // -1 where it belongs to a quaternion
  const std::vector<Quaternion>& quaternions() const { return quaternions_; }
  const Vector& neutral() const { return neutral_; }  // nq: zero, and quaternions that do not turn
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
  const std::vector<HardeningEntry>& joint_hardening() const { return joint_hardening_; }
  const std::vector<HardeningEntry>& drive_hardening() const { return drive_hardening_; }
  const std::vector<Gear>& gears() const { return gears_; }  // ordered by spring
  // Rotor angles that put the springs' motor ends at the given joint-side angles.
  Vector rotor_angles(const Vector& at_springs) const;
  const std::vector<Frame>& frames() const {
    return frames_;
  }  // named frames first, then one per link

  // Rows of g(q, t); redundant ones may have been taken out by with_constraint_rows().
  const std::vector<ConstraintRow>& constraints() const { return constraints_; }
  int constraint_count() const { return static_cast<int>(constraints_.size()); }
  const std::vector<std::string>& redundant_constraints() const {
    return redundant_constraints_;
  }  // names of the rows taken out
  const std::vector<FrameSpringLayout>& frame_springs() const { return frame_springs_; }

  const std::vector<std::string>& link_names() const { return link_names_; }
  int body_of_link(int link) const { return link_body_[static_cast<size_t>(link)]; }
  const std::vector<std::string>& coordinate_names() const {
    return coordinate_names_;
  }  // "hand", "hand.rotor", "base.x", "top.qw"
  const std::vector<std::string>& velocity_names() const {
    return velocity_names_;
  }  // the same but for quaternions: "top.wx"
  const std::vector<std::string>& drive_names() const { return drive_names_; }  // link names
  int find_link(const std::string& name) const;  // -1 when there is none
  int find_frame(const std::string& name) const;
  int find_coordinate(const std::string& name) const;  // a joint may be called by its own name
  int find_velocity(const std::string& name) const;
  bool is_angle(int coordinate) const { return is_angle_[static_cast<size_t>(coordinate)]; }
  double lowest(int coordinate) const { return lowest_[coordinate]; }
  double highest(int coordinate) const { return highest_[coordinate]; }

  // Constant mass matrix of the tree, set by linearized_at() in mechanics; empty otherwise.
  const Matrix& constant_mass() const { return constant_mass_; }
  bool is_linearized() const { return constant_mass_.size() > 0; }
  Robot with_constant_mass(Matrix mass) const;

  Robot with_constraint_rows(const std::vector<int>& kept) const;

 private:
  std::string link_of_joint(const std::string& name) const;  // "" when there is none
  void sort_links();
  void lay_out_bodies();
  void lay_out_drives();
  void lay_out_springs();
  void lay_out_gears();
  void lay_out_frames();
  void add_body(int link, JointType type, const Vector3& axis, const Pose& X_PJ,
                const std::string& name);

  RobotDescription description_;
  std::vector<Body> bodies_;
  std::vector<int> dof_parent_, dof_body_, coordinate_of_, link_body_;
  std::vector<Quaternion> quaternions_;
  std::vector<ConstraintRow> constraints_;
  std::vector<std::string> redundant_constraints_;
  std::vector<FrameSpringLayout> frame_springs_;
  std::vector<DriveLayout> drives_;
  std::vector<int> elastic_drives_;
  std::vector<SpringEntry> joint_springs_, drive_springs_;
  std::vector<HardeningEntry> joint_hardening_, drive_hardening_;
  std::vector<Gear> gears_;
  std::vector<Frame> frames_;
  std::vector<std::string> link_names_, coordinate_names_, velocity_names_, drive_names_;
  std::vector<bool> is_angle_;
  Vector armature_, rest_, lowest_, highest_, neutral_;
  Vector3 gravity_ = Vector3::Zero();
  Matrix constant_mass_;
  int nq_ = 0, nv_ = 0, tree_nq_ = 0, tree_nv_ = 0;
};

// The same robot carrying more on one link (task data, not robot data).
RobotDescription with_payload(RobotDescription robot, const std::string& link,
                              const LinkInertia& payload);

}  // namespace tauflex

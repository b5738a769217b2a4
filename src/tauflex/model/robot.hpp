// A robot that has been checked and laid out for computing: constant after construction.
//
// Coordinates  q = (tree joints in link order; rotors of elastic drives), nq of them
// Velocities   v = (the same), nv of them; a quaternion has four coordinates and three velocities
#pragma once

#include <string>
#include <vector>

#include "tauflex/model/actuation.hpp"
#include "tauflex/model/coordinates.hpp"
#include "tauflex/model/frames.hpp"
#include "tauflex/model/robot_description.hpp"
#include "tauflex/model/springs.hpp"
#include "tauflex/model/tree.hpp"

namespace tauflex {

class Robot {
 public:
  // Throws InputError.
  explicit Robot(RobotDescription description);
  // The compiler makes these once, in the .cpp file.
  Robot(const Robot&);
  Robot(Robot&&) noexcept;
  Robot& operator=(const Robot&);
  Robot& operator=(Robot&&) noexcept;
  ~Robot();

  // Links in tree order.
  const RobotDescription& description() const { return description_; }
  const Tree& tree() const { return tree_; }
  const Coordinates& coordinates() const { return coordinates_; }
  const Actuation& actuation() const { return actuation_; }
  const Springs& springs() const { return springs_; }
  // Named frames first, then one per link.
  const std::vector<Frame>& frames() const { return frames_; }
  // Rows of g(q, t); redundant ones may have been taken out by with_constraint_rows().
  const std::vector<ConstraintRow>& constraints() const { return constraints_; }
  // Names of the rows taken out.
  const std::vector<std::string>& redundant_constraints() const { return redundant_constraints_; }

  int nq() const { return coordinates_.nq; }
  int nv() const { return coordinates_.nv; }
  // Without rotors.
  int tree_nq() const { return tree_.nq; }
  int tree_nv() const { return tree_.nv; }
  int rotors() const { return actuation_.rotors(); }
  int constraint_count() const { return static_cast<int>(constraints_.size()); }
  const Vector3& gravity() const { return gravity_; }

  // Parts of tree().
  const std::vector<Body>& bodies() const { return tree_.bodies; }
  const std::vector<int>& dof_parent() const { return tree_.dof_parent; }
  const std::vector<int>& dof_body() const { return tree_.dof_body; }
  const std::vector<std::string>& link_names() const { return tree_.link_names; }
  int body_of_link(int link) const { return tree_.body_of_link[link]; }
  int find_link(const std::string& name) const { return tree_.find_link(name); }

  // Parts of coordinates().
  int coordinate_of(int velocity) const { return coordinates_.of_velocity[velocity]; }
  const std::vector<Quaternion>& quaternions() const { return coordinates_.quaternions; }
  const Vector& neutral() const { return coordinates_.neutral; }
  const std::vector<std::string>& coordinate_names() const { return coordinates_.names; }
  const std::vector<std::string>& velocity_names() const { return coordinates_.velocity_names; }
  int find_coordinate(const std::string& name) const { return coordinates_.find(name); }
  int find_velocity(const std::string& name) const { return coordinates_.find_velocity(name); }
  bool is_angle(int coordinate) const { return coordinates_.is_angle[coordinate]; }
  double lowest(int coordinate) const { return coordinates_.lowest[coordinate]; }
  double highest(int coordinate) const { return coordinates_.highest[coordinate]; }

  // Parts of actuation().
  const std::vector<DriveLayout>& drives() const { return actuation_.drives; }
  const std::vector<std::string>& drive_names() const { return actuation_.names; }
  const std::vector<int>& elastic_drives() const { return actuation_.elastic; }
  const DriveLayout& elastic_drive(int rotor) const { return actuation_.elastic_drive(rotor); }
  const std::vector<SpringEntry>& drive_springs() const { return actuation_.springs; }
  const std::vector<HardeningEntry>& drive_hardening() const { return actuation_.hardening; }
  const std::vector<Gear>& gears() const { return actuation_.gears; }
  const Vector& armature() const { return actuation_.armature; }
  Vector rotor_angles(const Vector& a) const { return actuation_.rotor_angles(a); }

  // Parts of springs().
  const std::vector<SpringEntry>& joint_springs() const { return springs_.joint; }
  const std::vector<HardeningEntry>& joint_hardening() const { return springs_.joint_hardening; }
  const Vector& rest() const { return springs_.rest; }
  const std::vector<FrameSpringLayout>& frame_springs() const { return springs_.between_frames; }

  int find_frame(const std::string& name) const { return tauflex::find_frame(frames_, name); }

  // Constant mass matrix of the tree, set by linearized_at() in mechanics; empty otherwise.
  const Matrix& constant_mass() const { return constant_mass_; }
  bool is_linearized() const { return constant_mass_.size() > 0; }
  Robot with_constant_mass(Matrix mass) const;

  Robot with_constraint_rows(const std::vector<int>& kept) const;

 private:
  RobotDescription description_;
  Coordinates coordinates_;
  Tree tree_;
  Actuation actuation_;
  Springs springs_;
  std::vector<Frame> frames_;
  std::vector<ConstraintRow> constraints_;
  std::vector<std::string> redundant_constraints_;
  Vector3 gravity_ = Vector3::Zero();
  Matrix constant_mass_;
};

}  // namespace tauflex

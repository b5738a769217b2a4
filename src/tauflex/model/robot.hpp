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
  // Defaulted in the .cpp file, so that they are compiled once.
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

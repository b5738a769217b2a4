#include "tauflex/model/robot.hpp"

#include <algorithm>
#include <limits>

#include "tauflex/base/errors.hpp"
#include "tauflex/model/checks.hpp"
#include "tauflex/model/constraint_rows.hpp"
#include "tauflex/model/link_frame_layout.hpp"
#include "tauflex/model/link_order.hpp"

namespace tauflex {

Robot::Robot(const Robot&) = default;
Robot::Robot(Robot&&) noexcept = default;
Robot& Robot::operator=(const Robot&) = default;
Robot& Robot::operator=(Robot&&) noexcept = default;
Robot::~Robot() = default;

namespace {

// The range of a joint is that of its last direction.
void set_ranges(const std::vector<Link>& links, const Tree& tree, Coordinates& coordinates) {
  const double infinity = std::numeric_limits<double>::infinity();
  coordinates.lowest = Vector::Constant(coordinates.nq, -infinity);
  coordinates.highest = Vector::Constant(coordinates.nq, infinity);
  for (size_t i = 0; i < links.size(); ++i) {
    const Body& body = tree.bodies[tree.body_of_link[i]];
    if (body.v_count == 0) continue;
    coordinates.lowest[body.q_begin] = links[i].joint.lowest;
    coordinates.highest[body.q_begin] = links[i].joint.highest;
  }
}

void set_neutral(Coordinates& coordinates) {
  coordinates.neutral = Vector::Zero(coordinates.nq);
  for (const Quaternion& quaternion : coordinates.quaternions)
    coordinates.neutral[quaternion.q] = 1;
}

}  // namespace

Robot::Robot(RobotDescription description) : description_(std::move(description)) {
  std::vector<Link>& links = description_.links;
  if (!description_.gravity.allFinite()) throw InputError("robot: gravity must be finite");
  if (links.empty()) throw InputError("robot: there are no links");
  for (const Link& link : links) check_link(link, links);
  links = in_tree_order(std::move(links));
  tree_ = lay_out_tree(links, coordinates_);
  tree_.link_frames = lay_out_link_frames(tree_.bodies);
  actuation_ = lay_out_actuation(description_, tree_, coordinates_);
  set_ranges(links, tree_, coordinates_);
  set_neutral(coordinates_);
  springs_ = lay_out_joint_springs(description_, tree_, coordinates_);
  frames_ = lay_out_frames(description_.frames, tree_);
  check_inertia_given(links, tree_);
  constraints_ = constraint_rows(description_.constraints, tree_, coordinates_, frames_);
  springs_.between_frames = frame_spring_layouts(description_.frame_springs, frames_);
  if (description_.dynamics == DynamicsKind::nonlinear) gravity_ = description_.gravity;
}

Robot Robot::with_constant_mass(Matrix mass) const {
  Robot copy = *this;
  copy.constant_mass_ = std::move(mass);
  copy.gravity_.setZero();
  return copy;
}

Robot Robot::with_constraint_rows(const std::vector<int>& kept) const {
  Robot copy = *this;
  copy.constraints_.clear();
  copy.redundant_constraints_.clear();
  for (int row = 0; row < constraint_count(); ++row) {
    if (std::find(kept.begin(), kept.end(), row) != kept.end())
      copy.constraints_.push_back(constraints_[row]);
    else
      copy.redundant_constraints_.push_back(constraints_[row].name);
  }
  return copy;
}

}  // namespace tauflex

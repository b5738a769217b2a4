#include "tauflex/elements/robot_frame.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/elements/frame_parts.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {

namespace {

// The common direction of all axes that something turns about, in the world; zero when there is
// none. A prismatic joint has to move across it.
Vector3 plane_normal(const Robot& robot, const MechanicsData& data) {
  Vector3 normal = Vector3::Zero();
  const Tree& tree = robot.tree();
  constexpr double parallel = 1e-12;
  for (size_t i = 0; i < tree.bodies.size(); ++i) {
    const Body& body = tree.bodies[i];
    const Vector3 axis = data.R[i].col(2);
    if (body.type == JointType::revolute) {
      if (normal.isZero()) normal = axis;
      if (normal.cross(axis).norm() > parallel) return Vector3::Zero();
    }
  }
  for (size_t i = 0; i < tree.bodies.size(); ++i)
    if (tree.bodies[i].type == JointType::prismatic &&
        std::abs(normal.dot(data.R[i].col(2))) > parallel)
      return Vector3::Zero();
  return normal;
}

bool bends_out_of_plane(const Robot& robot) {
  for (const Link& link : robot.description().links)
    if (link.beam && ((link.beam->EI_y > 0 && link.beam->EI_z > 0) || link.beam->GJ > 0))
      return true;
  return false;
}

// Axes whose third one is the normal of the plane.
Matrix3 axes_of_plane(const Vector3& normal) {
  Matrix3 R = rotation_with_z_along(normal);
  return R;
}

class FrameBuilder {
 public:
  FrameBuilder(const Robot& robot, const VectorRef& q, const FrameOptions& options,
               ElementFrame& frame)
      : robot_(robot), options_(options), frame_(frame), data_(robot), q_(q) {
    for (const Body& body : robot.tree().bodies)
      if (body.beam >= 0) q_.segment(body.q_begin, body.v_count).setZero();
    kinematics<double>(robot, data_, q_);
    const Vector3 normal = plane_normal(robot, data_);
    const double off_plane = std::abs(normal.dot(robot.gravity()));
    frame.planar = !normal.isZero() && (off_plane == 0 || !bends_out_of_plane(robot));
    if (frame.planar) frame.basis = axes_of_plane(normal);
    frame.gravity = frame.basis.transpose() * robot.gravity();
    if (frame.planar) frame.gravity[2] = 0;
    for (size_t b = 0; b < robot.tree().bodies.size(); ++b)
      frame.of_body.push_back({FramePoint{}, rotation(static_cast<int>(b))});
  }

  void build() {
    const auto& links = robot_.description().links;
    for (int i = 0; i < static_cast<int>(links.size()); ++i) add_link(i, links[i]);
    for (int i = 0; i < robot_.constraint_count(); ++i) add_constraint(i);
    add_springs_and_drives(robot_, frame_);
    number();
  }

 private:
  Vector3 position(int body) const { return frame_.basis.transpose() * data_.p[body]; }
  Matrix3 rotation(int body) const { return frame_.basis.transpose() * data_.R[body]; }

  int add_node(const Vector3& x) {
    frame_.start.push_back(x);
    return frame_.nodes() - 1;
  }

  // Where a point of the world at the start pose is fixed to the node of a body.
  FramePoint on_body(int body, const Vector3& x) const {
    if (body < 0) return {-1, x};
    const int node = frame_.of_body[body].point.node;
    return node < 0 ? FramePoint{-1, x} : FramePoint{node, x - frame_.start[node]};
  }

  // One body per direction of its springs and its joint, the last of them with the mass.
  void add_link(int index, const Link& link) {
    const Tree& tree = robot_.tree();
    const int last = tree.body_of_link[index];
    int first = last;
    while (first > 0 && tree.bodies[first - 1].link == index) --first;
    for (int b = first; b <= last; ++b) add_moving(index, b, link);
    const Body& body = tree.bodies[last];
    const Matrix3 R = rotation(last) * body.R_LB.transpose();
    add_body(index, frame_.of_body[last].point, link.inertia, R, position(last) - R * body.p_LB);
    if (link.beam) add_beam(index, link);
  }

  void add_moving(int index, int b, const Link& link) {
    const Body& body = robot_.tree().bodies[b];
    if (body.type == JointType::fixed) {
      frame_.of_body[b].point = on_body(body.parent, position(b));
    } else if (body.type == JointType::revolute || body.type == JointType::prismatic) {
      frame_.of_body[b].point = {add_node(position(b)), Vector3::Zero()};
      add_joint(index, b);
    } else {
      throw ProblemError(place(link) +
                         ": a frame of elements has joints about and along axes only; a spherical "
                         "joint is three revolute ones in a row");
    }
  }

  void add_joint(int index, int b) {
    const Body& body = robot_.tree().bodies[b];
    const FramePoint parent = on_body(body.parent, position(b));
    ElementFrame::Joint joint{};
    joint.link = index;
    joint.parent = parent.node;
    joint.child = frame_.of_body[b].point.node;
    joint.turns = body.type == JointType::revolute;
    joint.axis = rotation(b).col(2);
    joint.offset = parent.p;
    joint.q = body.q_begin;
    joint.v = body.v_begin;
    joint.start = q_[body.q_begin];
    add_joint_rows(joint, frame_);
    frame_.joints.push_back(joint);
  }

  // R, p: the link frame at the start.
  void add_body(int index, const FramePoint& at, const LinkInertia& inertia, const Matrix3& R,
                const Vector3& p) {
    if (inertia.mass == 0 || at.node < 0) return;
    frame_.bodies.push_back({index, at.node, inertia.mass,
                             p + R * inertia.com - frame_.start[at.node],
                             R * inertia.about_com * R.transpose()});
  }

  void add_beam(int index, const Link& link) {
    const Tree& tree = robot_.tree();
    const int b = tree.body_of_link[index];
    const Body& body = tree.bodies[b];
    if (frame_.of_body[b].point.node < 0)
      throw ProblemError(place(link) + ": a frame of elements needs a joint before a beam");
    BeamPlace beam;
    beam.link = index;
    beam.first = frame_.of_body[b].point.node;
    const Matrix3 R_FL = rotation(b) * body.R_LB.transpose();
    const Vector3 p_FL = position(b) - R_FL * body.p_LB;
    beam.axes = R_FL * link.beam->axes();
    beam.from = p_FL + R_FL * link.beam->from;
    beam.to = p_FL + R_FL * link.beam->to;
    for (int k = b + 1; k <= tree.end_of_link[index]; ++k) beam.segments.push_back(k);
    add_beam_elements(robot_, *link.beam, beam, options_, frame_);
  }

  void add_constraint(int index) {
    ElementFrame::Row row = constraint_row(robot_, index, frame_);
    row.constraint = index;
    frame_.rows.push_back(row);
  }

  void number() {
    for (int node = 0; node < frame_.nodes(); ++node) {
      std::array<int, 6> dof;
      for (int k = 0; k < 6; ++k) dof[k] = frame_.planar && k >= 2 && k <= 4 ? -1 : frame_.size++;
      frame_.dof.push_back(dof);
    }
  }

  const Robot& robot_;
  const FrameOptions& options_;
  ElementFrame& frame_;
  MechanicsData data_;
  Vector q_;
};

}  // namespace

ElementFrame robot_frame(const Robot& robot, const VectorRef& q, const FrameOptions& options) {
  if (robot.is_linearized())
    throw ProblemError("a frame of elements has nonlinear dynamics; take out dynamics");
  if (!robot.springs().between_frames.empty())
    throw ProblemError("a frame of elements has no springs between frames");
  ElementFrame frame;
  FrameBuilder(robot, q, options, frame).build();
  if (frame.joints.empty()) throw ProblemError("a frame of elements needs a joint that moves");
  return frame;
}

}  // namespace tauflex

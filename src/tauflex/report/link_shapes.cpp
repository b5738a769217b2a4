#include "tauflex/report/link_shapes.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>

#include "tauflex/base/errors.hpp"

namespace tauflex {

namespace {

// Of made shapes, in sizes of the robot.
constexpr double thinnest = 0.035, thickest = 0.09;
constexpr double mean_density = 1350;  // kg/m^3: half of aluminium, as castings are hollow

// Where a link carries something, in its own frame: joints, frames and centre of mass.
std::vector<Vector3> attachments(const RobotDescription& robot, const Link& link) {
  std::vector<Vector3> points;
  const auto add_point = [&](const Vector3& p) {
    if (p.norm() < 1e-9) return;
    for (const Vector3& other : points)
      if ((other - p).norm() < 1e-9) return;
    points.push_back(p);
  };
  for (const Link& child : robot.links)
    if (child.joint.parent == link.name) add_point(child.joint.X_PJ.p);
  for (const FrameDescription& frame : robot.frames)
    if (frame.link == link.name) add_point(frame.X_LF.p);
  if (points.empty()) add_point(2 * link.inertia.com);
  return points;
}

double longest(const std::vector<Vector3>& points) {
  double length = 0;
  for (const Vector3& p : points) length = std::max(length, p.norm());
  return length;
}

// Edges of a box of the same mass and moments; a cube where moments are not known.
Vector3 box_of(const LinkInertia& inertia, double size) {
  Vector3 edges = Vector3::Constant(std::cbrt(inertia.mass / mean_density));
  if (inertia.mass > 0 && inertia.given[0] && inertia.given[1] && inertia.given[2]) {
    const Vector3 I = inertia.about_com.diagonal();
    for (int k = 0; k < 3; ++k)
      edges[k] = std::sqrt(std::max(0.0, 6 / inertia.mass * (I.sum() - 2 * I[k])));
  }
  return edges.cwiseMax(thinnest * size).cwiseMin(size);
}

Matrix3 turned_to(const Vector3& axis) { return rotation_with_z_along(axis.normalized()); }

std::optional<Shape> joint_shape(const Link& link, double radius) {
  const ShapeRole role = link.drive ? ShapeRole::driven_joint
                         : link.spring || link.springs.free != std::array<bool, 6>{}
                             ? ShapeRole::spring_joint
                             : ShapeRole::free_joint;
  switch (link.joint.type) {
    case JointType::revolute:
      return Shape{Cylinder{1.3 * radius, 2.7 * radius},
                   {turned_to(link.joint.axis), Vector3::Zero()},
                   role};
    case JointType::prismatic:
      return Shape{
          Box{Vector3(1.7, 1.7, 3) * radius}, {turned_to(link.joint.axis), Vector3::Zero()}, role};
    case JointType::compound:
      if (link.joint.parent == "world") return std::nullopt;  // a body that constraints lead
      [[fallthrough]];
    case JointType::spherical:
      return Shape{Sphere{1.35 * radius}, {}, role};
    case JointType::fixed:
      if (role == ShapeRole::spring_joint) return Shape{Sphere{1.25 * radius}, {}, role};
      return std::nullopt;
    case JointType::floating:
    case JointType::beam:  // of segments, not of links
      return std::nullopt;
  }
  return std::nullopt;
}

std::vector<Shape> made_shapes(const RobotDescription& robot, const Link& link, double size) {
  const std::vector<Vector3> points = attachments(robot, link);
  const double length = longest(points);
  if (length == 0 && link.inertia.mass == 0) return {};
  std::vector<Shape> shapes;
  double radius = thinnest * size;
  if (length > 0) {
    const double volume = link.inertia.mass / mean_density;
    radius = std::clamp(std::sqrt(volume / (M_PI * length)), thinnest * size, thickest * size);
    for (const Vector3& p : points)
      shapes.push_back({Limb{Vector3::Zero(), p, radius, std::max(0.7 * radius, thinnest * size)}});
  } else {
    const Vector3 edges = box_of(link.inertia, size);
    radius = std::clamp(edges.minCoeff() / 2, thinnest * size, thickest * size);
    shapes.push_back({Box{edges}, {Matrix3::Identity(), link.inertia.com}});
  }
  if (const auto joint = joint_shape(link, radius)) shapes.push_back(*joint);
  return shapes;
}

// As the file draws it; nothing where none of its meshes can be read.
std::vector<Shape> drawn_shapes(const Link& link) {
  std::vector<Shape> shapes;
  for (const Visual& visual : link.visuals) {
    if (const auto* box = std::get_if<Box>(&visual.shape)) shapes.push_back({*box, visual.X_LV});
    if (const auto* round = std::get_if<Cylinder>(&visual.shape))
      shapes.push_back({*round, visual.X_LV});
    if (const auto* ball = std::get_if<Sphere>(&visual.shape))
      shapes.push_back({*ball, visual.X_LV});
    if (const auto* mesh = std::get_if<Mesh>(&visual.shape)) try {
        shapes.push_back({read_triangles(*mesh), visual.X_LV});
      } catch (const InputError&) {  // a picture less
      }
  }
  return shapes;
}

}  // namespace

double link_size(const Robot& robot) {
  double size = 0;
  for (const Link& link : robot.description().links)
    size = std::max(size, longest(attachments(robot.description(), link)));
  return size > 0 ? size : 1;
}

std::vector<std::vector<Shape>> link_shapes(const Robot& robot, double size) {
  std::vector<std::vector<Shape>> all;
  for (const Link& link : robot.description().links) {
    all.push_back(drawn_shapes(link));
    if (all.back().empty()) all.back() = made_shapes(robot.description(), link, size);
  }
  return all;
}

}  // namespace tauflex

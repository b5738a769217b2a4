#include "tauflex/elements/frame_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/base/errors.hpp"

namespace tauflex {

void refuse_link(const Link& link) {
  const auto refuse = [&](const char* what) {
    throw ProblemError(fmt::format("{}: a frame of elements has no {}", place(link), what));
  };
  for (const bool free : link.springs.free)
    if (free) refuse("springs in directions");
  if (link.spring && (!link.spring->hardening.empty() || !link.spring->table.empty()))
    refuse("nonlinear springs");
  if (link.drive && link.drive->coulomb != 0) refuse("Coulomb friction");
  if (!link.beam) return;
  if (link.beam->damping_ratio != 0 || link.beam->mass_damping != 0 ||
      link.beam->stiffness_damping != 0)
    refuse("damping in beams");
}

void add_springs_and_drive(const Robot& robot, int link, ElementFrame::Joint& joint) {
  const Link& given = robot.description().links[link];
  if (given.spring) {
    joint.stiffness = given.spring->stiffness;
    joint.damping = given.spring->damping;
    joint.rest = given.spring->rest;
  }
  const auto& drives = robot.actuation().drives;
  for (size_t d = 0; d < drives.size(); ++d)
    if (drives[d].link == link) {
      joint.drive = static_cast<int>(d);
      const double n = drives[d].gear_ratio;
      joint.armature = n * n * drives[d].rotor_inertia;
      joint.friction = n * n * drives[d].friction;
    }
}

void add_joint_rows(const ElementFrame::Joint& joint, ElementFrame& frame) {
  using Row = ElementFrame::Row;
  const Matrix3 axes = rotation_with_z_along(joint.axis);  // two across, one along
  const auto add_point = [&](const Vector3& n) {
    Row row{};
    row.kind = Row::Kind::point;
    row.a = {joint.parent, Vector3::Zero()};
    row.b = {joint.child, Vector3::Zero()};
    row.n = n;
    row.offset = n.dot(joint.offset);
    frame.rows.push_back(row);
  };
  const auto add_axes = [&](const Vector3& u, const Vector3& w) {
    Row row{};
    row.kind = Row::Kind::axes;
    row.a = {joint.parent, Vector3::Zero()};
    row.b = {joint.child, Vector3::Zero()};
    row.terms[0] = {1, u, w};
    row.count = 1;
    frame.rows.push_back(row);
  };
  const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
  if (joint.turns) {
    add_point(x);
    add_point(y);
    if (frame.planar) return;
    add_point(z);
    add_axes(axes.col(2), axes.col(0));
    add_axes(axes.col(2), axes.col(1));
    return;
  }
  if (frame.planar) {
    add_point(z.cross(joint.axis));
    add_axes(x, y);
    return;
  }
  add_point(axes.col(0));
  add_point(axes.col(1));
  add_axes(x, y);
  add_axes(y, z);
  add_axes(z, x);
}

namespace {

// Of the cubic through both ends and their tangents, at s of [0, 1].
Eigen::Vector4d hermite(double s) {
  return {1 - 3 * s * s + 2 * s * s * s, s - 2 * s * s + s * s * s, 3 * s * s - 2 * s * s * s,
          s * s * s - s * s};
}

Eigen::Vector4d straight(double s) { return {1 - s, 0, s, 0}; }

// theory (E.4), (E.5)
Eigen::Matrix4d consistent_mass(ElementKind kind, double mass) {
  Eigen::Matrix4d H;
  if (kind == ElementKind::bernoulli)
    H << 156, 22, 54, -13,  //
        22, 4, 13, -3,      //
        54, 13, 156, -22,   //
        -13, -3, -22, 4;
  else
    H << 140, 0, 70, 0,  //
        0, 0, 0, 0,      //
        70, 0, 140, 0,   //
        0, 0, 0, 0;
  return mass / 420 * H;
}

using BeamRow = ElementFrame::Row;

BeamRow row_between(int a, int b, BeamRow::Kind kind) {
  BeamRow row{};
  row.kind = kind;
  row.a = {a, Vector3::Zero()};
  row.b = {b, Vector3::Zero()};
  return row;
}

// Rows in place of what a beam has no stiffness for.
void add_rigid_directions(const ElementFrame::Beam& beam, ElementFrame& frame) {
  const auto in_plane = [&](const Vector3& n) { return !frame.planar || std::abs(n[2]) < 0.5; };
  if (beam.EA == 0) {
    BeamRow row = row_between(beam.a, beam.b, BeamRow::Kind::distance);
    row.offset = beam.length;
    frame.rows.push_back(row);
  }
  for (const auto& [EI, n] :
       {std::pair(beam.EI_y, Vector3(beam.axes.col(1))), {beam.EI_z, Vector3(beam.axes.col(2))}}) {
    if (EI > 0 || !in_plane(n)) continue;
    for (const auto& [a, b] : {std::pair(beam.a, beam.b), {beam.b, beam.a}}) {
      BeamRow row = row_between(a, b, BeamRow::Kind::point);
      row.n = n;
      frame.rows.push_back(row);
    }
  }
  if (beam.GJ == 0 && !frame.planar) {
    BeamRow row = row_between(beam.a, beam.b, BeamRow::Kind::axes);
    row.terms = {BeamRow::Term{0.5, beam.axes.col(1), beam.axes.col(2)},
                 BeamRow::Term{-0.5, beam.axes.col(2), beam.axes.col(1)}};
    row.count = 2;
    frame.rows.push_back(row);
  }
}

// The whole beam as one rigid body on its first node.
void add_rigid_beam(const Robot& robot, const Beam& beam, const BeamPlace& place,
                    ElementFrame& frame) {
  const Vector3 along = place.axes.col(0), first = place.from - frame.start[place.first];
  const auto add = [&](double mass, const Vector3& com, const Matrix3& inertia) {
    frame.bodies.push_back({place.link, place.first, mass, com, inertia});
  };
  const double L = beam.length(), mass = beam.mass_per_length * L;
  add(mass, first + along * (L / 2),
      (mass * L * L / 12) * (Matrix3::Identity() - along * along.transpose()) +
          beam.twist_inertia * L * along * along.transpose());
  for (const Beam::PointMass& point : beam.masses)
    add(point.mass, first + along * point.at, Matrix3::Zero());
  for (const int body : place.segments) {
    const double share = (robot.tree().bodies[body].p_LB - beam.from).norm() / L;
    frame.of_body[body] = {place.first, first + along * (share * L)};
  }
}

// `elements`: of a segment of the robot's own beam.
void add_deflections(const Robot& robot, int elements, const BeamPlace& place,
                     const std::vector<int>& nodes, int per_segment, ElementFrame& frame) {
  const double h = (place.to - place.from).norm() / static_cast<double>(nodes.size() - 1);
  for (size_t s = 0; s < place.segments.size(); ++s) {
    const Body& body = robot.tree().bodies[place.segments[s]];
    const BeamLayout& layout = robot.tree().beams[body.beam];
    for (int k = 0; k < layout.n; ++k) {
      const size_t digits = layout.names[k].find_first_of("0123456789");
      const std::string kind = layout.names[k].substr(0, digits);
      const int number = std::stoi(layout.names[k].substr(digits)) - static_cast<int>(s) * elements;
      // nodes of the robot's own elements among those of the frame
      if (number * per_segment % elements != 0) continue;
      const int node = static_cast<int>(s) * per_segment + number * per_segment / elements;
      const std::vector<std::string> kinds = {"x", "y", "z", "rx", "ry", "rz"};
      const auto direction = std::find(kinds.begin(), kinds.end(), kind) - kinds.begin();
      frame.deflections.push_back({body.q_begin + k, body.v_begin + k,
                                   nodes[s * static_cast<size_t>(per_segment)],
                                   nodes[static_cast<size_t>(node)], static_cast<int>(direction),
                                   place.axes, h * (number * per_segment / elements)});
    }
  }
}

}  // namespace

void add_beam_elements(const Robot& robot, const Beam& beam, const BeamPlace& place,
                       const FrameOptions& options, ElementFrame& frame) {
  if (options.rigid) return add_rigid_beam(robot, beam, place, frame);
  int per_segment = options.elements > 0 ? options.elements : beam.elements;
  const int segments = beam.segments;
  if (options.kind == ElementKind::timoshenko && per_segment * segments % 2 != 0) ++per_segment;
  const int count = per_segment * segments;
  const double h = beam.length() / count;
  const Vector3 along = place.axes.col(0);
  // A rigid part before the beam keeps the first node at the joint; then the beam has its own.
  std::vector<int> nodes = {place.first};
  if ((place.from - frame.start[place.first]).norm() > 1e-12 * beam.length())
    throw ProblemError(robot.tree().link_names[place.link] +
                       ": a frame of elements has beams that begin at the joint");
  for (int k = 1; k <= count; ++k) {
    frame.start.push_back(place.from + along * (h * k));
    nodes.push_back(frame.nodes() - 1);
  }
  for (int k = 0; k < count; ++k) {
    ElementFrame::Beam element{place.link,
                               nodes[static_cast<size_t>(k)],
                               nodes[static_cast<size_t>(k) + 1],
                               h,
                               consistent_mass(options.kind, beam.mass_per_length * h),
                               place.axes,
                               beam.EA,
                               beam.EI_y,
                               beam.EI_z,
                               beam.GJ,
                               beam.twist_inertia * h};
    for (const Beam::PointMass& point : beam.masses) {
      const double s = point.at / h - k;
      if (s > 1 || s < 0 || (s == 0 && k > 0)) continue;
      const Eigen::Vector4d N = options.kind == ElementKind::bernoulli ? hermite(s) : straight(s);
      element.mass += point.mass * N * N.transpose();
    }
    frame.beams.push_back(element);
    add_rigid_directions(element, frame);
  }
  for (int s = 0; s < segments; ++s)
    frame.of_body[place.segments[static_cast<size_t>(s)]] = {
        nodes[static_cast<size_t>((s + 1) * per_segment)], Vector3::Zero()};
  add_deflections(robot, beam.elements, place, nodes, per_segment, frame);
}

ElementFrame::Row constraint_row(const Robot& robot, int index,
                                 const std::function<PlacedFrame(int frame)>& placed) {
  using Row = ElementFrame::Row;
  const ConstraintRow& given = robot.constraints()[index];
  const auto refuse = [&](const char* what) {
    return ProblemError(fmt::format("constraint '{}': a frame of elements has closures only, {}",
                                    given.name, what));
  };
  if (given.path || !given.taken_up.empty()) throw refuse("which do not move");
  Row row{};
  if (const auto* point = std::get_if<PointRow>(&given.rule)) {
    if (point->field.kind != PointField::Kind::plane) throw refuse("no distances and surfaces");
    const PlacedFrame a = placed(point->a), b = placed(point->b);
    row.kind = Row::Kind::point;
    row.a = {a.point.node, Vector3::Zero()};
    row.b = b.point;
    row.n = a.axes * point->field.normal;
    // n . (x_b - (x_a + origin)) = offset at the start's axes
    row.offset = point->field.offset + row.n.dot(a.point.p + a.axes * point->field.origin);
    return row;
  }
  if (const auto* axes = std::get_if<AxesRow>(&given.rule)) {
    const PlacedFrame a = placed(axes->a), b = placed(axes->b);
    row.kind = Row::Kind::axes;
    row.a = {a.point.node, Vector3::Zero()};
    row.b = {b.point.node, Vector3::Zero()};
    row.count = axes->count;
    for (int k = 0; k < axes->count; ++k)
      row.terms[static_cast<size_t>(k)] = {axes->terms[k].c, a.axes.col(axes->terms[k].axis_a),
                                           b.axes.col(axes->terms[k].axis_b)};
    return row;
  }
  throw refuse("no relations of joints");
}

}  // namespace tauflex

#include "tauflex/elements/frame_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tauflex/base/errors.hpp"
#include "tauflex/model/beam_nodes.hpp"

namespace tauflex {

void add_springs_and_drives(const Robot& robot, ElementFrame& frame) {
  std::vector<int> joint_of(robot.tree_nv(), -1);
  for (size_t j = 0; j < frame.joints.size(); ++j) {
    ElementFrame::Joint& joint = frame.joints[j];
    joint_of[joint.v] = static_cast<int>(j);
    joint.rest = robot.springs().rest[joint.v];
  }
  const auto joint_at = [&](int v) { return joint_of[v]; };
  for (const SpringEntry& spring : robot.springs().joint)
    if (joint_at(spring.row) >= 0 && joint_at(spring.column) >= 0)
      frame.springs.push_back(
          {joint_at(spring.row), joint_at(spring.column), spring.stiffness, spring.damping});
  for (const HardeningEntry& spring : robot.springs().joint_hardening)
    frame.hardening.push_back({joint_at(spring.row), spring.law});
  const auto& drives = robot.actuation().drives;
  for (size_t d = 0; d < drives.size(); ++d) {
    const int joint = joint_at(drives[d].joint_v);
    frame.joints[joint].drive = static_cast<int>(d);
    if (drives[d].rotor_v < 0) frame.motors.push_back({joint, drives[d]});
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
    row.terms = {{1, u, w}};
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
    frame.rows.push_back(row);
  }
}

// kg m, per length, about x y z of the beam; about x it is the sum of both others where they are
// given.
Matrix3 section_inertia(const Beam& beam) {
  const double both = beam.rotary_y + beam.rotary_z;
  return Vector3(both > 0 ? both : beam.twist_inertia, beam.rotary_z, beam.rotary_y).asDiagonal();
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
          L * place.axes * section_inertia(beam) * place.axes.transpose());
  for (const Beam::PointMass& point : beam.masses)
    add(point.mass, first + along * point.at, Matrix3::Zero());
  for (const int body : place.segments) {
    const double share = (robot.tree().bodies[body].p_LB - beam.from).norm() / L;
    frame.of_body[body].point = {place.first, first + along * (share * L)};
  }
}

// The nodes of a beam, of which `per_segment` follow the first one of each segment.
struct BeamNodes {
  const BeamPlace& place;
  std::vector<int> nodes;
  int per_segment;

  // Coordinate k of segment s of a beam with so many elements; none where no node is there.
  std::optional<ElementFrame::Deflection> deflection(const BeamLayout& layout, int k, int s,
                                                     int elements) const {
    static const std::vector<std::string> kinds = {"x", "y", "z", "rx", "ry", "rz"};
    const std::string& name = layout.names[k];
    const size_t digits = name.find_first_of("0123456789");
    const int number = std::stoi(name.substr(digits)) - s * elements;
    if (number * per_segment % elements != 0) return std::nullopt;
    const int first = s * per_segment, ahead = number * per_segment / elements;
    const double h = (place.to - place.from).norm() / static_cast<double>(nodes.size() - 1);
    const auto kind = std::find(kinds.begin(), kinds.end(), name.substr(0, digits));
    return ElementFrame::Deflection{0,
                                    0,
                                    nodes[first],
                                    nodes[first + ahead],
                                    static_cast<int>(kind - kinds.begin()),
                                    place.axes,
                                    h * ahead};
  }
};

// `elements`: of a segment of the robot's own beam.
void add_deflections(const Robot& robot, int elements, const BeamNodes& nodes,
                     ElementFrame& frame) {
  for (size_t s = 0; s < nodes.place.segments.size(); ++s) {
    const Body& body = robot.tree().bodies[nodes.place.segments[s]];
    const BeamLayout& layout = robot.tree().beams[body.beam];
    for (int k = 0; k < layout.n; ++k)
      if (auto found = nodes.deflection(layout, k, static_cast<int>(s), elements)) {
        found->q = body.q_begin + k;
        found->v = body.v_begin + k;
        frame.deflections.push_back(*found);
      }
  }
}

// As beam links have it, for the nodes of the frame.
void add_damping_of_beam(Beam beam, const BeamNodes& nodes, ElementFrame& frame) {
  if (beam.damping_ratio == 0 && beam.mass_damping == 0 && beam.stiffness_damping == 0) return;
  beam.elements = nodes.per_segment;
  for (int s = 0; s < beam.segments; ++s) {
    const BeamLayout layout = lay_out_nodes(beam, s);
    ElementFrame::Damping damping{{}, layout.damping};
    for (int k = 0; k < layout.n; ++k)
      damping.deflections.push_back(*nodes.deflection(layout, k, s, beam.elements));
    frame.dampings.push_back(damping);
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
  const auto shear = [&](double EI, double GA) { return GA > 0 ? 12 * EI / (GA * h * h) : 0; };
  const Matrix3 spin = h * place.axes * section_inertia(beam) * place.axes.transpose();
  for (int k = 0; k < count; ++k) {
    ElementFrame::Beam element{place.link,
                               nodes[k],
                               nodes[k + 1],
                               h,
                               consistent_mass(options.kind, beam.mass_per_length * h),
                               place.axes,
                               beam.EA,
                               beam.EI_y,
                               beam.EI_z,
                               beam.GJ,
                               shear(beam.EI_y, beam.shear_y),
                               shear(beam.EI_z, beam.shear_z),
                               spin};
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
    frame.of_body[place.segments[s]].point = {nodes[(s + 1) * per_segment], Vector3::Zero()};
  const BeamNodes layout{place, nodes, per_segment};
  add_deflections(robot, beam.elements, layout, frame);
  add_damping_of_beam(beam, layout, frame);
}

ElementFrame::Row constraint_row(const Robot& robot, int index, const ElementFrame& frame) {
  using Row = ElementFrame::Row;
  const auto placed = [&](int f) {  // -1: the world
    return frame.placed(f < 0 ? Frame{"", -1, {}} : robot.frames()[f]);
  };
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
    for (int k = 0; k < axes->count; ++k)
      row.terms.push_back(
          {axes->terms[k].c, a.axes.col(axes->terms[k].axis_a), b.axes.col(axes->terms[k].axis_b)});
    return row;
  }
  throw refuse("no relations of joints");
}

}  // namespace tauflex

#include "tauflex/mechanics/elastic_parts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/row_forces.hpp"
#include "tauflex/mechanics/spring_laws.hpp"

namespace tauflex {

namespace {

// How a coordinate of a beam gives, by its name: "y3", "rz3", "z3", "ry3", "rx3", "x3".
const char* way_of(const std::string& name, bool both_planes) {
  if (name.starts_with("rx")) return "twist of {}";
  if (name.starts_with("x")) return "stretch of {}";
  const bool along_y = name.starts_with("y") || name.starts_with("rz");
  if (!both_planes) return "bending of {}";
  return along_y ? "bending along y of {}" : "bending along z of {}";
}

// Per tree velocity: the part that deforms when it alone moves.
struct Owner {
  std::string name;
  bool is_distributed;
};
std::vector<Owner> owners(const Robot& robot) {
  std::vector<Owner> list;
  for (int k = 0; k < robot.tree_nv(); ++k)
    list.push_back({"spring of " + robot.coordinates().velocity_names[k], false});
  for (const Body& body : robot.tree().bodies) {
    if (body.beam < 0) continue;
    const Beam& beam = *robot.description().links[body.link].beam;
    const auto& names = robot.tree().beams[body.beam].names;
    for (int k = 0; k < body.v_count; ++k)
      list[body.v_begin + k] = {
          fmt::format(fmt::runtime(way_of(names[k], beam.EI_y > 0 && beam.EI_z > 0)),
                      robot.tree().link_names[body.link]),
          true};
  }
  return list;
}

}  // namespace

std::vector<ElasticPart> elastic_parts(const Robot& robot, MechanicsData& data,
                                       const VectorRef& q) {
  std::vector<ElasticPart> parts;
  const auto part = [&](const std::string& name, bool is_distributed) -> Matrix& {
    for (ElasticPart& known : parts)
      if (known.name == name) return known.stiffness;
    parts.push_back({name, is_distributed, Matrix::Zero(robot.nv(), robot.nv())});
    return parts.back().stiffness;
  };
  const std::vector<Owner> owner = owners(robot);
  for (const SpringEntry& e : robot.springs().joint)
    for (const int of : {e.row, e.column})
      part(owner[of].name, owner[of].is_distributed)(e.row, e.column) += 0.5 * e.stiffness;
  for (const HardeningEntry& e : robot.springs().joint_hardening)
    part(owner[e.row].name, false)(e.row, e.row) += hardening_stiffness<double>(
        e.law, q[robot.coordinates().of_velocity[e.row]] - robot.springs().rest[e.row]);
  // rows: stretch of each drive spring by v
  Matrix stretch = Matrix::Zero(robot.rotors(), robot.nv());
  for (int k = 0; k < robot.rotors(); ++k)
    stretch(k, robot.actuation().elastic_drive(k).joint_v) = -1;
  for (const Gear& gear : robot.actuation().gears)
    stretch(gear.spring, robot.actuation().elastic_drive(gear.rotor).rotor_v) += gear.ratio;
  const auto gear_name = [&](int spring) {
    return "gear of " + robot.actuation().names[robot.actuation().elastic[spring]];
  };
  for (const SpringEntry& e : robot.actuation().springs)
    for (const int of : {e.row, e.column})
      part(gear_name(of), false) +=
          0.5 * e.stiffness * stretch.row(e.row).transpose() * stretch.row(e.column);
  if (!robot.actuation().hardening.empty())
    drive_spring_torques<double>(robot, data, q, Vector::Zero(robot.nv()));
  for (const HardeningEntry& e : robot.actuation().hardening)
    part(gear_name(e.row), false) += hardening_stiffness<double>(e.law, data.stretch[e.row]) *
                                     stretch.row(e.row).transpose() * stretch.row(e.row);
  for (const FrameSpringLayout& spring : robot.springs().between_frames) {
    Vector g = Vector::Zero(robot.nv());
    const RowGeometry<double> line(robot, data, spring.line);
    for_each_end_motion(robot, data, line, [&](int k, const Motion<double>& X, double sign) {
      g[k] += sign * dot(X, line.wrench());
    });
    part("spring " + spring.name, false) += spring.stiffness * g * g.transpose();
  }
  return parts;
}

std::optional<LargeDeflection> large_deflection(const Robot& robot, const VectorRef& q) {
  constexpr double small = 0.1;
  LargeDeflection largest;
  for (const Body& body : robot.tree().bodies) {
    if (body.beam < 0) continue;
    const Matrix& slopes = robot.tree().beams[body.beam].slopes;
    for (Eigen::Index node = 0; node < slopes.rows(); ++node) {
      const double slope = std::abs(slopes.row(node).dot(q.segment(body.q_begin, body.v_count)));
      if (slope <= largest.slope) continue;
      const int segments = robot.description().links[body.link].beam->segments;
      largest = {robot.tree().link_names[body.link], slope,
                 static_cast<int>(std::ceil(segments * slope / small))};
    }
  }
  return largest.slope > small ? std::optional(largest) : std::nullopt;
}

}  // namespace tauflex

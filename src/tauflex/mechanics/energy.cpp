#include "tauflex/mechanics/energy.hpp"

#include "tauflex/mechanics/frame_springs.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/mechanics/row_geometry.hpp"
#include "tauflex/mechanics/spring_laws.hpp"

namespace tauflex {

namespace {

// The velocity that a drive's friction acts on, and the velocity index it belongs to.
struct MotorVelocity {
  double ratio;  // motor turns per turn of that coordinate
  int index;
};
MotorVelocity motor_velocity(const DriveLayout& drive) { return {drive.lever(), drive.row()}; }

// Sum of m c . gravity over the beam's own mass; after kinematics().
double beam_weight_moment(const Robot& robot, const MechanicsData& data, const Body& body) {
  const BeamLayout& beam = robot.tree().beams[body.beam];
  const BeamMotion<double>& at = data.beam[body.beam];
  Vector3 mr = Vector3::Zero();
  double mass = 0;
  for (const BeamLayout::Point& point : beam.points) {
    mass += point.mass;
    mr += point.mass * point.at;
    for (const BeamLayout::Term& term : point.terms)
      mr[term.component] += point.mass * term.a * at.z[term.z];
  }
  return (mass * at.p + at.R * mr).dot(robot.gravity());
}

}  // namespace

Energy energy(const Robot& robot, MechanicsData& data, const VectorRef& q, const VectorRef& v) {
  mass_matrix(robot, data, q);
  Energy e = {0, 0};
  for (int i = 0; i < robot.tree_nv(); ++i)
    for (int j = 0; j < robot.tree_nv(); ++j) e.kinetic += (0.5) * v[i] * data.M(i, j) * v[j];
  for (const DriveLayout& drive : robot.actuation().drives)
    if (drive.rotor_v >= 0)
      e.kinetic += (0.5 * drive.rotor_inertia) * v[drive.rotor_v] * v[drive.rotor_v];
  for (size_t i = 0; i < robot.tree().bodies.size(); ++i) {
    const Body& body = robot.tree().bodies[i];
    const Vector3 c = data.p[i] + data.R[i] * body.com;
    e.potential -= body.mass * c.dot(robot.gravity());
    if (body.beam >= 0) e.potential -= beam_weight_moment(robot, data, body);
  }
  for (const SpringEntry& s : robot.springs().joint)
    e.potential += (0.5 * s.stiffness) *
                   (q[robot.coordinates().of_velocity[s.row]] - robot.springs().rest[s.row]) *
                   (q[robot.coordinates().of_velocity[s.column]] - robot.springs().rest[s.column]);
  for (const FrameSpringLayout& s : robot.springs().between_frames) {
    const double stretch = row_value<double>(robot, data, s.line) - s.length;
    e.potential += (0.5 * s.stiffness) * stretch * stretch;
  }
  for (const HardeningEntry& s : robot.springs().joint_hardening)
    e.potential += hardening_energy<double>(
        s.law, q[robot.coordinates().of_velocity[s.row]] - robot.springs().rest[s.row]);
  drive_spring_torques(robot, data, q, v);
  for (const SpringEntry& s : robot.actuation().springs)
    e.potential += (0.5 * s.stiffness) * data.stretch[s.row] * data.stretch[s.column];
  for (const HardeningEntry& s : robot.actuation().hardening)
    e.potential += hardening_energy<double>(s.law, data.stretch[s.row]);
  return e;
}

namespace {

// Rate at which each drive spring is stretched.
double stretch_rate(const Robot& robot, int spring, const VectorRef& v) {
  double rate = -v[robot.actuation().elastic_drive(spring).joint_v];
  for (const Gear& gear : robot.actuation().gears)
    if (gear.spring == spring)
      rate += gear.ratio * v[robot.actuation().elastic_drive(gear.rotor).rotor_v];
  return rate;
}

}  // namespace

double dissipated_power(const Robot& robot, const MechanicsData& data, const VectorRef& v) {
  double power = frame_spring_dissipation(robot, data, v);
  for (const SpringEntry& s : robot.springs().joint) power += s.damping * v[s.row] * v[s.column];
  for (const SpringEntry& s : robot.actuation().springs)
    if (s.damping != 0)
      power += s.damping * stretch_rate(robot, s.row, v) * stretch_rate(robot, s.column, v);
  for (const DriveLayout& drive : robot.actuation().drives) {
    const auto [ratio, index] = motor_velocity(drive);
    power += motor_friction(drive, ratio * v[index]) * ratio * v[index];
  }
  return power;
}

void add_dissipated_power_gradient(const Robot& robot, const MechanicsData& data,
                                   const VectorRef& v, VectorOut gradient) {
  add_frame_spring_dissipation_gradient(robot, data, v, gradient);
  for (const SpringEntry& s : robot.springs().joint) {
    gradient[s.row] += s.damping * v[s.column];
    gradient[s.column] += s.damping * v[s.row];
  }
  for (const SpringEntry& s : robot.actuation().springs)
    for (const auto& [one, other] : {std::pair(s.row, s.column), std::pair(s.column, s.row)}) {
      if (s.damping == 0) continue;
      const double force = s.damping * stretch_rate(robot, other, v);
      gradient[robot.actuation().elastic_drive(one).joint_v] -= force;
      for (const Gear& gear : robot.actuation().gears)
        if (gear.spring == one)
          gradient[robot.actuation().elastic_drive(gear.rotor).rotor_v] += gear.ratio * force;
    }
  for (const DriveLayout& drive : robot.actuation().drives) {
    const auto [ratio, index] = motor_velocity(drive);
    const double w = ratio * v[index];
    gradient[index] += ratio * (motor_friction(drive, w) + motor_friction_slope(drive, w) * w);
  }
}

double motor_power(const Robot& robot, const VectorRef& v, const VectorRef& u) {
  double power = 0;
  for (size_t d = 0; d < robot.actuation().drives.size(); ++d) {
    const auto [ratio, index] = motor_velocity(robot.actuation().drives[d]);
    power += ratio * v[index] * u[static_cast<Eigen::Index>(d)];
  }
  return power;
}

}  // namespace tauflex

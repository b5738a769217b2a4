#include "tauflex/export/mjcf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/analysis/natural_modes.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/export/mjcf_loops.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/model/inertia.hpp"
#include "tauflex/model/joint_springs.hpp"

namespace tauflex {

namespace {

void require_mjcf(const ExportedMotion& motion) {
  const Robot& robot = motion.robot;
  const RobotDescription& said = robot.description();
  if (motion.is_linearized) cannot_be_mjcf(motion.name, "its dynamics are linearised");
  if (!robot.tree().beams.empty()) cannot_be_mjcf(motion.name, "it has links that bend");
  if (!said.transmissions.empty()) cannot_be_mjcf(motion.name, "a transmission couples its axes");
  if (!said.couplings.empty()) cannot_be_mjcf(motion.name, "its springs are coupled");
  for (const HardeningEntry& entry : robot.springs().joint_hardening)
    cannot_be_mjcf(robot.coordinates().velocity_names[entry.row], "its spring is not linear");
  for (const HardeningEntry& entry : robot.actuation().hardening)
    cannot_be_mjcf(robot.actuation().names[robot.actuation().elastic[entry.row]],
                   "its gear spring is not linear");
  for (int d = 0; d < robot.actuation().count(); ++d) {
    const DriveLayout& drive = robot.actuation().drives[d];
    if (drive.coulomb != 0)
      cannot_be_mjcf(robot.actuation().names[d], "MuJoCo models dry friction differently");
    if (drive.rotor_q >= 0 && drive.rotor_inertia == 0)
      cannot_be_mjcf(robot.actuation().names[d], "its rotor has no inertia");
  }
}

// A fraction of the fastest mode at the start; far below what a controller would sample.
double integration_step(const Robot& robot, const Vector& q) {
  constexpr double share = 0.2;                                                  // rad
  const double longest = robot.description().constraints.empty() ? 1e-4 : 5e-5;  // s
  double fastest = share / longest;
  for (const bool locked : {false, true})
    for (const NaturalMode& mode : natural_modes(robot, q, {}, locked).modes)
      if (std::isfinite(std::abs(mode.s))) fastest = std::max(fastest, std::abs(mode.s));
  // Two digits are enough, and read well.
  const double step = share / fastest, scale = std::pow(10, std::floor(std::log10(step)) - 1);
  return std::floor(step / scale + 1e-9) * scale;
}

// Entries that nobody gave resist no motion of this robot, but MuJoCo wants a body that can be.
Matrix3 whole_inertia(const Link& link, const Matrix3& I) {
  Matrix3 whole = I;
  double largest = 0;
  for (int k = 0; k < 3; ++k)
    if (link.inertia.given[k]) largest = std::max(largest, I(k, k));
  if (largest == 0) largest = 1e-3 * link.inertia.mass;
  for (int k = 0; k < 3; ++k)
    if (!link.inertia.given[k]) whole(k, k) = largest;
  return inertia_fault(whole) ? nearest_inertia(whole) : whole;
}

class ModelWriter {
 public:
  explicit ModelWriter(const ExportedMotion& motion)
      : motion_(motion), robot_(motion.robot), start_(motion.robot) {
    require_mjcf(motion);
    q_ = motion.rows(motion.table, "q.", robot_.coordinates().names).col(0);
    v_ = motion.rows(motion.table, "v.", robot_.coordinates().velocity_names).col(0);
    kinematics<double>(robot_, start_, q_);
    RobotDescription without = robot_.description();
    without.joint_springs.clear();  // these are tendons
    springs_ = Robot(without).springs();
    step_ = integration_step(robot_, q_);
    loops_ = mjcf_loops(motion, start_, step_);
    for (const std::string& name : mjcf_frames(robot_)) {
      const MjcfPlace place = mjcf_place(robot_, name);
      loops_.sites[place.link] +=
          fmt::format("<site name=\"{}\" pos=\"{}\" quat=\"{}\"/>\n", mjcf_text(name),
                      mjcf_numbers(place.X_LF.p), mjcf_quaternion(place.X_LF.R));
    }
  }

  MjcfModel write() {
    std::string bodies = loops_.sites[-1] + children("world", Pose{}), motors;
    for (int d = 0; d < robot_.actuation().count(); ++d) {
      const DriveLayout& drive = robot_.actuation().drives[d];
      const std::string name = mjcf_text(robot_.coordinates().names[drive.joint_q]);
      motors += fmt::format("<motor name=\"{}\" joint=\"{}{}\" gear=\"{}\"/>\n",
                            mjcf_text(robot_.actuation().names[d]), name,
                            drive.rotor_q >= 0 ? ".motor" : "", shortest(drive.gear_ratio));
    }
    std::string xml = fmt::format(
        "<mujoco model=\"{}\">\n"
        "<compiler angle=\"radian\" inertiafromgeom=\"false\" balanceinertia=\"false\"/>\n"
        "<option gravity=\"{}\" timestep=\"{}\" integrator=\"RK4\" solver=\"Newton\" "
        "iterations=\"100\" tolerance=\"1e-14\"><flag contact=\"disable\" "
        "refsafe=\"disable\"/></option>\n"
        "<worldbody>\n{}</worldbody>\n",
        mjcf_text(motion_.name), mjcf_numbers(robot_.gravity()), shortest(step_), bodies);
    if (!loops_.tendons.empty()) xml += "<tendon>\n" + loops_.tendons + "</tendon>\n";
    if (!loops_.equalities.empty()) xml += "<equality>\n" + loops_.equalities + "</equality>\n";
    if (!motors.empty()) xml += "<actuator>\n" + motors + "</actuator>\n";
    xml += fmt::format("<keyframe><key name=\"start\" qpos=\"{}\" qvel=\"{}\"/></keyframe>\n",
                       qpos_, qvel_);
    return {xml + "</mujoco>\n", step_};
  }

 private:
  std::string children(const std::string& parent, const Pose& X_WP) {
    std::string text;
    const auto& links = robot_.description().links;
    for (int i = 0; i < std::ssize(links); ++i) {
      if (links[i].joint.parent != parent) continue;
      const Pose X_WL = mjcf_pose(robot_, start_, i), X_PL = X_WP.inverse() * X_WL;
      text +=
          fmt::format("<body name=\"{}\" pos=\"{}\" quat=\"{}\">\n{}{}", mjcf_text(links[i].name),
                      mjcf_numbers(X_PL.p), mjcf_quaternion(X_PL.R), inertial(i), joints(i, X_WL));
      text += loops_.sites[i] + children(links[i].name, X_WL) + "</body>\n";
    }
    return text;
  }

  std::string inertial(int link) const {
    const Link& said = robot_.description().links[link];
    const Body& body = robot_.tree().bodies[robot_.tree().body_of_link[link]];
    if (body.mass == 0 && body.inertia.isZero(0)) {
      if (body.v_count > 0)
        cannot_be_mjcf(said.name, "it moves and has no mass, which MuJoCo does not take");
      return "";
    }
    const Matrix3 I = whole_inertia(said, body.R_LB * body.inertia * body.R_LB.transpose());
    const SymmetricEigensystem principal = symmetric_eigensystem(I);
    Matrix3 R = principal.V;
    if (R.col(0).cross(R.col(1)).dot(R.col(2)) < 0) R.col(0) *= -1;
    // A body without any extent would be refused; this changes nothing.
    const Vector moments = principal.values.cwiseMax(std::max(1e-12 * body.mass, 1e-14));  // kg m^2
    return fmt::format("<inertial mass=\"{}\" pos=\"{}\" quat=\"{}\" diaginertia=\"{}\"/>\n",
                       shortest(body.mass), mjcf_numbers(body.R_LB * body.com), mjcf_quaternion(R),
                       mjcf_numbers(moments));
  }

  // All joints of a link on one body, in order: MuJoCo applies them one after the other.
  std::string joints(int link, const Pose& X_WL) {
    std::string text;
    for (int b = 0; b < std::ssize(robot_.tree().bodies); ++b) {
      const Body& body = robot_.tree().bodies[b];
      if (body.link != link || body.v_count == 0) continue;
      const Vector3 at = (X_WL.inverse() * Pose{start_.R[b], start_.p[b]}).p;
      const Vector3 axis = X_WL.R.transpose() * start_.R[b].col(2);
      text += body.type == JointType::spherical ? ball(body, at) : joint(body, at, axis);
    }
    return text;
  }

  std::string ball(const Body& body, const Vector3& at) {
    // It counts from the start: no rotation there.
    add_state("1 0 0 0", mjcf_numbers(v_.segment<3>(body.v_begin)));
    return fmt::format("<joint type=\"ball\" name=\"{}\" pos=\"{}\"/>\n",
                       mjcf_text(robot_.tree().link_names[body.link]), mjcf_numbers(at));
  }

  std::string joint(const Body& body, const Vector3& at, const Vector3& axis) {
    const std::string name = mjcf_text(robot_.coordinates().names[body.q_begin]);
    const std::string place = fmt::format(R"(type="{}" pos="{}" axis="{}")",
                                          body.type == JointType::revolute ? "hinge" : "slide",
                                          mjcf_numbers(at), mjcf_numbers(axis));
    const double q = q_[body.q_begin], v = v_[body.v_begin];
    double stiffness = 0, damping = 0;
    for (const SpringEntry& entry : springs_.joint)
      if (entry.row == body.v_begin && entry.column == body.v_begin) {
        stiffness += entry.stiffness;
        damping += entry.damping;
      }
    const double rest = springs_.rest[body.v_begin];
    for (const DriveLayout& drive : robot_.actuation().drives)
      if (drive.joint_v == body.v_begin) {
        if (drive.rotor_q < 0) {
          damping += drive.gear_ratio * drive.gear_ratio * drive.friction;
          continue;
        }
        if (stiffness != 0 || damping != 0)
          cannot_be_mjcf(name, "it has a spring of its own beside the one of its gear");
        return motor_and_gear(drive, name, place);
      }
    add_state(shortest(q), shortest(v));
    return fmt::format(
        "<joint name=\"{}\" {} ref=\"{}\" stiffness=\"{}\" springref=\"{}\" damping=\"{}\" "
        "armature=\"{}\"/>\n",
        name, place, shortest(q), shortest(stiffness), shortest(rest), shortest(damping),
        shortest(robot_.actuation().armature[body.v_begin]));
  }

  std::string motor_and_gear(const DriveLayout& drive, const std::string& name,
                             const std::string& place) {
    const double n = drive.gear_ratio, a = q_[drive.rotor_q] / n, a_rate = v_[drive.rotor_v] / n;
    double stiffness = 0, damping = 0;
    const auto& actuation = robot_.actuation();
    for (const SpringEntry& entry : actuation.springs)
      if (&actuation.elastic_drive(entry.row) == &drive && entry.column == entry.row) {
        stiffness += entry.stiffness;
        damping += entry.damping;
      }
    add_state(shortest(a), shortest(a_rate));
    add_state(shortest(q_[drive.joint_q] - a), shortest(v_[drive.joint_v] - a_rate));
    return fmt::format(
        "<joint name=\"{0}.motor\" {1} ref=\"{2}\" armature=\"{3}\" damping=\"{4}\"/>\n"
        "<joint name=\"{0}.gear\" {1} ref=\"{5}\" stiffness=\"{6}\" springref=\"0\" "
        "damping=\"{7}\"/>\n",
        name, place, shortest(a), shortest(n * n * drive.rotor_inertia),
        shortest(n * n * drive.friction), shortest(q_[drive.joint_q] - a), shortest(stiffness),
        shortest(damping));
  }

  void add_state(const std::string& position, const std::string& velocity) {
    qpos_ += (qpos_.empty() ? "" : " ") + position;
    qvel_ += (qvel_.empty() ? "" : " ") + velocity;
  }

  const ExportedMotion& motion_;
  const Robot& robot_;
  MechanicsData start_;
  Vector q_, v_;
  Springs springs_;
  double step_ = 0;
  MjcfLoops loops_;
  std::string qpos_, qvel_;  // of MuJoCo, in its order
};

}  // namespace

std::vector<std::string> mjcf_frames(const Robot& robot) {
  std::vector<std::string> names;
  for (const FrameDescription& frame : robot.description().frames) names.push_back(frame.name);
  return names;
}

MjcfModel mjcf_model(const ExportedMotion& motion) { return ModelWriter(motion).write(); }

}  // namespace tauflex

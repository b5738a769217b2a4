// What a robot is made of, as a person says it: links in a tree, each with the joint that carries
// it, its mass, its drive or spring; and named frames. Plain data; Robot checks and lays it out.
// Conventions (SI, radians, URDF poses, gear ratios): docs/conventions.md.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/base/linear_algebra.hpp"
#include "tauflex/math/rotations.hpp"
#include "tauflex/model/beam.hpp"
#include "tauflex/model/constraint.hpp"
#include "tauflex/model/directions.hpp"
#include "tauflex/model/spring_table.hpp"
#include "tauflex/model/visual.hpp"

namespace tauflex {

enum class JointType {
  fixed,
  revolute,
  prismatic,
  // free in some of the six directions
  compound,
  // a quaternion (w, x, y, z) and an angular velocity in the axes of the joint frame
  spherical,
  // x y z of the joint frame, then spherical
  floating,
  // only in the tree of bodies: from the start of a beam to its end
  beam,
};

struct Joint {
  // Of the joint, where it has one of its own.
  std::string name = {};
  std::string parent = "world";
  JointType type = JointType::revolute;
  // Joint frame in the parent link's frame, at position 0.
  Pose X_PJ = {};
  // In the joint frame.
  Vector3 axis = Vector3::UnitZ();
  // Of a compound joint: x y z rx ry rz.
  std::array<bool, 6> free = {};
  // rad or m, added to the coordinate before it moves the link
  double zero = 0;
  // Range of the coordinate.
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  // As a URDF file says them, 0 where it does not know: limits of a drive that states none.
  // N m or N, joint side
  double effort = std::numeric_limits<double>::infinity();
  // rad/s or m/s, joint side
  double velocity = std::numeric_limits<double>::infinity();
};

// Mass properties; inertia about the centre of mass in link axes. Entries that nobody gave stay
// "not given": planar robots stay short, and an entry the motion would excite is an error.
struct LinkInertia {
  double mass = 0;  // kg
  // m, in the link frame
  Vector3 com = Vector3::Zero();
  Matrix3 about_com = Matrix3::Zero();  // kg m^2
  // xx, yy, zz, xy, xz, yz
  std::array<bool, 6> given = {};
};

// What a spring gives beyond K d for a stretch d: c[0] d^3 + c[1] d^5 + ...
using OddPolynomial = std::vector<double>;

// u -> rotor -> gear -> (spring) -> joint.  tau = K (q_m/n - q) + D (v_m/n - v)
struct Drive {
  // kg m^2, motor side (kg for a prismatic joint without a screw)
  double rotor_inertia = 0;
  // n, motor turns per joint turn
  double gear_ratio = 1;
  // m per turn of a screw between the gear and a prismatic joint, whose motor then turns: N m and
  // rad at the motor, N and m at the joint; negative for a left-hand screw. 0: no screw.
  double lead = 0;
  // N m s/rad, viscous, motor side
  double friction = 0;
  // N m, motor side: coulomb tanh(v / coulomb_speed)
  double coulomb = 0;
  // rad/s, motor side: how fast friction changes sides
  double coulomb_speed = 1;
  struct Elasticity {
    // N m/rad, joint side
    double stiffness = 0;
    // N m s/rad, joint side
    double damping = 0;
    OddPolynomial hardening = {};
    // Instead of stiffness and hardening, joint side.
    std::vector<SpringPoint> table = {};
  };
  // none: a rigid drive
  std::optional<Elasticity> elastic;
  struct Limits {
    // N m, motor side
    double torque = std::numeric_limits<double>::infinity();
    double torque_rate = std::numeric_limits<double>::infinity();  // N m/s
    double speed = std::numeric_limits<double>::infinity();        // rad/s
  };
  Limits limits = {};

  // Motor angle per joint coordinate: gear_ratio, times 2 pi / lead (rad/m) where there is a screw.
  double motor_ratio() const;
};

// A spring-damper along the joint's own coordinate: tau = -K (q - rest) - D v
struct Spring {
  // N m/rad or N/m
  double stiffness = 0;
  // N m s/rad or N s/m
  double damping = 0;
  double rest = 0;  // rad or m
  OddPolynomial hardening = {};
  // Instead of stiffness and hardening.
  std::vector<SpringPoint> table = {};
};

// Springs in some of six directions between the parent and the joint: bearings, foundations, links
// that bend. They move the joint frame along its x y z, then about rx ry rz, each turning the next;
// the joint's own motion comes after them. With a fixed joint they are all that moves.
struct DirectionSprings {
  std::array<bool, 6> free = {};
  std::array<Spring, 6> spring = {};
};

struct Link {
  Link();
  // Defaulted in the .cpp file, so that they are compiled once.
  Link(const Link&);
  Link(Link&&) noexcept;
  Link& operator=(const Link&);
  Link& operator=(Link&&) noexcept;
  ~Link();

  std::string name;
  Joint joint;
  LinkInertia inertia;
  std::optional<Drive> drive;
  std::optional<Spring> spring;
  DirectionSprings springs = {};
  // The link bends; `inertia` is then that of its rigid part at the joint.
  std::optional<Beam> beam;
  std::vector<Visual> visuals;
  // For messages: "arm.yaml:12: robot.links.hand"; empty when made in C++.
  std::string where;
};

struct FrameDescription {
  std::string name;
  std::string link;
  Pose X_LF = {};
  std::string where;
};

// Full matrices between the drive springs, or between the passive springs, of several links; a
// direction of a link's springs is "hand.rx".
struct Coupling {
  std::vector<std::string> links;
  // else: passive springs
  bool drives = true;
  // Replaces the links' own values.
  Matrix stiffness;
  Matrix damping;
  std::string where;
};

// Coupled axes, as in wrists: motors turn several joints. Angles at the springs' motor ends =
// ratio times (motor angle / gear ratio) of the same drives, in order. Elastic drives only.
struct Transmission {
  std::vector<std::string> links;
  Matrix ratio;
  std::string where;
};

enum class DynamicsKind {
  nonlinear,
  // constant mass matrix, no velocity forces, no gravity; kinematics stay nonlinear
  linearized_at_start,
};

enum class InertiaRule {
  // One that no body has is an error.
  as_given,
  // One that no body has is replaced by the nearest possible one.
  nearest,
};

struct RobotDescription {
  RobotDescription();
  // Defaulted in the .cpp file, so that they are compiled once.
  RobotDescription(const RobotDescription&);
  RobotDescription(RobotDescription&&) noexcept;
  RobotDescription& operator=(const RobotDescription&);
  RobotDescription& operator=(RobotDescription&&) noexcept;
  ~RobotDescription();
  Vector3 gravity = {0, 0, -9.81};  // m/s^2
  std::vector<Link> links;          // in any order
  std::vector<FrameDescription> frames;
  std::vector<Coupling> couplings;
  std::vector<Transmission> transmissions;
  std::vector<Constraint> constraints;
  std::vector<FrameSpring> frame_springs;
  std::vector<JointSpring> joint_springs;
  DynamicsKind dynamics = DynamicsKind::nonlinear;
  InertiaRule inertias = InertiaRule::as_given;
  // What a reader left out or changed, a sentence each.
  std::vector<std::string> notes;
};

// The same robot carrying more on one link (task data, not robot data). Throws InputError.
RobotDescription with_payload(RobotDescription robot, const std::string& link,
                              const LinkInertia& payload, const std::string& where = "payload");

// How coordinates, drives and tables call a joint: by its own name, else by that of its link.
const std::string& joint_name(const Link& link);

// How messages call a part: by where it stands in a file, or by its name.
std::string place(const Link& link);
std::string place(const FrameDescription& frame);
std::string place(const Coupling& coupling);
std::string place(const Transmission& transmission);

}  // namespace tauflex

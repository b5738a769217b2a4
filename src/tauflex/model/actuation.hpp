// Drives, their rotors, gears and springs, as indices and numbers to compute with.
//   u -> rotor -> gear -> (spring) -> joint.  tau = K (q_m/n - q) + D (v_m/n - v)
#pragma once

#include <string>
#include <vector>

#include "tauflex/model/spring_matrices.hpp"
#include "tauflex/model/tree.hpp"

namespace tauflex {

struct DriveLayout {
  // Index of the link that it moves.
  int link;
  // Coordinate and velocity of the joint that it moves.
  int joint_q;
  int joint_v;
  // Coordinate and velocity of its rotor; -1 for a rigid drive.
  int rotor_q;
  int rotor_v;
  // `gear_ratio` in rad/m where a screw makes a translation of the motor's turns.
  double rotor_inertia, gear_ratio, friction, coulomb, coulomb_speed;
  // On the motor side: N m and rad, else N and m.
  bool motor_turns;
  Drive::Limits limits;

  // The row of (D.1) with its torque, and the entry of B there.
  int row() const { return rotor_v >= 0 ? rotor_v : joint_v; }
  double lever() const { return rotor_v >= 0 ? 1.0 : gear_ratio; }
  // The coordinate that the motor turns with, up to a ratio.
  int motor_q() const { return rotor_q >= 0 ? rotor_q : joint_q; }
  // Inertia that moves apart from the joint; that of a rigid drive is part of the mass matrix.
  double free_rotor_inertia() const { return rotor_q >= 0 ? rotor_inertia : 0; }
};

// What a rotor turns: the motor end of drive spring `spring` by `ratio` per turn of the rotor; 1/n
// of its own drive, and more where a transmission couples axes.
struct Gear {
  int spring, rotor;
  double ratio;
};

struct Actuation {
  std::vector<DriveLayout> drives;
  // Of the joints that they move.
  std::vector<std::string> names;
  // Indices of the elastic drives, in the order of their rotors.
  std::vector<int> elastic;
  // Rows and columns: rotors 0, 1, ...
  std::vector<SpringEntry> springs;
  std::vector<HardeningEntry> hardening;
  // Ordered by spring.
  std::vector<Gear> gears;
  // n^2 J of rigid drives on their joints, one entry per velocity of the tree.
  Vector armature;

  int count() const { return static_cast<int>(drives.size()); }
  int rotors() const { return static_cast<int>(elastic.size()); }
  const DriveLayout& elastic_drive(int rotor) const { return drives[elastic[rotor]]; }

  // Rotor angles that put the springs' motor ends at the given joint-side angles.
  Vector rotor_angles(const Vector& at_springs) const;
};

// Adds the rotors to `coordinates`. Throws InputError for couplings and transmissions that name
// no drives or have impossible numbers.
Actuation lay_out_actuation(const RobotDescription& robot, const Tree& tree,
                            Coordinates& coordinates);

}  // namespace tauflex

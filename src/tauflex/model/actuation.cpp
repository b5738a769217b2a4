#include "tauflex/model/actuation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/math/decompositions.hpp"

namespace tauflex {

namespace {

void lay_out_drives(const std::vector<Link>& links, const Tree& tree, Actuation& actuation,
                    Coordinates& coordinates) {
  actuation.armature = Vector::Zero(tree.nv);
  for (int i = 0; i < std::ssize(links); ++i) {
    const Link& link = links[i];
    if (!link.drive) continue;
    const Body& body = tree.bodies[tree.body_of_link[i]];
    DriveLayout drive = {};
    drive.link = i;
    drive.joint_q = body.q_begin;
    drive.joint_v = body.v_begin;
    drive.rotor_q = drive.rotor_v = -1;
    drive.rotor_inertia = link.drive->rotor_inertia;
    drive.gear_ratio = link.drive->motor_ratio();
    drive.motor_turns = coordinates.is_angle[drive.joint_q] || link.drive->lead != 0;
    drive.friction = link.drive->friction;
    drive.coulomb = link.drive->coulomb;
    drive.coulomb_speed = link.drive->coulomb_speed;
    drive.limits = link.drive->limits;
    if (link.drive->elastic) {
      drive.rotor_q = coordinates.nq;
      drive.rotor_v = coordinates.nv;
      coordinates.add(joint_name(link) + ".rotor", drive.motor_turns);
      actuation.elastic.push_back(static_cast<int>(actuation.drives.size()));
    } else {
      actuation.armature[drive.joint_v] = drive.gear_ratio * drive.gear_ratio * drive.rotor_inertia;
    }
    actuation.names.push_back(joint_name(link));
    actuation.drives.push_back(drive);
  }
}

// The rotor of a link; -1 when it has none.
int find_rotor(const Actuation& actuation, int link) {
  for (int r = 0; r < actuation.rotors(); ++r)
    if (actuation.elastic_drive(r).link == link) return r;
  return -1;
}

std::vector<int> coupled_rotors(const Coupling& coupling, const Tree& tree,
                                const Actuation& actuation) {
  std::vector<int> rotors;
  for (const std::string& name : coupling.links) {
    const int link = tree.find_link(name);
    if (link < 0)
      throw InputError(fmt::format("{}: '{}' is not a link{}", place(coupling), name,
                                   did_you_mean(name, tree.link_names)));
    const int rotor = find_rotor(actuation, link);
    if (rotor < 0)
      throw InputError(fmt::format("{}: link '{}' has no elastic drive", place(coupling), name));
    if (std::find(rotors.begin(), rotors.end(), rotor) != rotors.end())
      throw InputError(fmt::format("{}: link '{}' stands here twice", place(coupling), name));
    rotors.push_back(rotor);
  }
  return rotors;
}

void lay_out_springs(const RobotDescription& robot, const Tree& tree, Actuation& actuation) {
  SpringMatrices springs(actuation.rotors());
  for (int r = 0; r < actuation.rotors(); ++r)
    springs.put(r, *robot.links[actuation.elastic_drive(r).link].drive->elastic);
  for (const Coupling& coupling : robot.couplings)
    if (coupling.drives) springs.couple(coupling, coupled_rotors(coupling, tree, actuation));
  actuation.springs = springs.entries();
  actuation.hardening = std::move(springs.hardening);
}

// Angles at the springs' motor ends = T times (motor angle / gear ratio).
void lay_out_gears(const RobotDescription& robot, const Tree& tree, Actuation& actuation) {
  const int n = actuation.rotors();
  Matrix T = Matrix::Identity(n, n);
  std::set<int> coupled;
  for (const Transmission& transmission : robot.transmissions) {
    const std::string label = place(transmission);
    std::vector<int> rotors;
    for (const std::string& name : transmission.links) {
      const int rotor = find_rotor(actuation, tree.find_link(name));
      if (rotor < 0)
        throw InputError(fmt::format("{}: '{}' is not a link with an elastic drive{}", label, name,
                                     did_you_mean(name, actuation.names)));
      if (!coupled.insert(rotor).second)
        throw InputError(fmt::format("{}: link '{}' stands here twice", label, name));
      rotors.push_back(rotor);
    }
    const Matrix& ratio = transmission.ratio;
    const auto count = std::ssize(rotors);
    if (ratio.rows() != count || ratio.cols() != count)
      throw InputError(fmt::format("{}: ratio must be a {} x {} matrix", label, count, count));
    const Vector sigma = singular_values(ratio);
    if (!ratio.allFinite() || count == 0 || !(sigma[count - 1] > 1e-12 * sigma[0]))
      throw InputError(fmt::format("{}: ratio must be finite and invertible", label));
    T(rotors, rotors) = ratio;
  }
  for (int spring = 0; spring < n; ++spring)
    for (int rotor = 0; rotor < n; ++rotor)
      if (T(spring, rotor) != 0)
        actuation.gears.push_back(
            {spring, rotor, T(spring, rotor) / actuation.elastic_drive(rotor).gear_ratio});
}

}  // namespace

Actuation lay_out_actuation(const RobotDescription& robot, const Tree& tree,
                            Coordinates& coordinates) {
  Actuation actuation;
  lay_out_drives(robot.links, tree, actuation, coordinates);
  lay_out_springs(robot, tree, actuation);
  lay_out_gears(robot, tree, actuation);
  return actuation;
}

Vector Actuation::rotor_angles(const Vector& at_springs) const {
  Matrix T = Matrix::Zero(rotors(), rotors());
  for (const Gear& gear : gears) T(gear.spring, gear.rotor) = gear.ratio;
  return solve_linear(T, at_springs);
}

}  // namespace tauflex

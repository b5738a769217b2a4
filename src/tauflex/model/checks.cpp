#include "tauflex/model/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tauflex/base/errors.hpp"
#include "tauflex/model/inertia.hpp"
#include "tauflex/model/typed_names.hpp"

namespace tauflex {

namespace {

struct InertiaEntry {
  const char* name;
  int row, column;
};
constexpr InertiaEntry entries[6] = {{"xx", 0, 0}, {"yy", 1, 1}, {"zz", 2, 2},
                                     {"xy", 0, 1}, {"xz", 0, 2}, {"yz", 1, 2}};

void check(bool rule, const Link& link, const std::string& sentence) {
  if (!rule) throw InputError(place(link) + ": " + sentence);
}

void check_inertia(const Link& link, const std::vector<Link>& links) {
  const LinkInertia& inertia = link.inertia;
  const Matrix3& I = inertia.about_com;
  check(std::isfinite(inertia.mass) && inertia.com.allFinite() && I.allFinite(), link,
        "mass, com and inertia must be finite");
  check((I - I.transpose()).norm() <= 1e-12 * I.norm(), link, "inertia must be symmetric");
  check(inertia.mass >= 0, link, fmt::format("mass must not be negative, got {}", inertia.mass));
  const bool whole =
      std::find(inertia.given.begin(), inertia.given.end(), false) == inertia.given.end();
  if (whole) {
    const auto fault = inertia_fault(I);
    check(!fault || fault->is_rounding || is_possible_with_others(links, link), link,
          (fault ? fault->sentence : "") +
              "; correct it, or write inertia: nearest beside urdf or links for the nearest "
              "possible one (tauflex pose: --set inertia=nearest)");
    return;
  }
  for (int k = 0; k < 3; ++k)
    check(!inertia.given[k] || I(k, k) >= 0, link,
          fmt::format("inertia {} must not be negative, got {}", entries[k].name, I(k, k)));
  for (int k = 3; k < 6; ++k) {
    const auto& [name, i, j] = entries[k];
    if (!inertia.given[k] || !inertia.given[i] || !inertia.given[j]) continue;
    check(std::abs(I(i, j)) <= std::sqrt(I(i, i) * I(j, j)) * (1 + 1e-9), link,
          fmt::format("no body has this inertia: {} = {} is larger than the root of {} {} = {}",
                      name, I(i, j), entries[i].name, entries[j].name, I(i, i) * I(j, j)));
  }
}

}  // namespace

void check_pose(const Pose& pose, const std::string& place) {
  if (!pose.p.allFinite() || !pose.R.allFinite())
    throw InputError(place + ": the pose must be finite");
  if ((pose.R * pose.R.transpose() - Matrix3::Identity()).norm() > 1e-9 ||
      pose.R.col(0).cross(pose.R.col(1)).dot(pose.R.col(2)) < 0)
    throw InputError(place + ": the orientation is not a rotation");
}

namespace {

void check_joint(const Link& link) {
  const Joint& joint = link.joint;
  check_pose(joint.X_PJ, place(link));
  check(joint.axis.allFinite() && std::isfinite(joint.zero), link,
        "the joint's numbers must be finite");
  check(joint.type == JointType::fixed || joint.axis.norm() > 1e-12, link,
        "joint axis must not be zero");
  check(joint.lowest <= joint.highest, link, "joint range must not be empty");
  check(joint.type != JointType::compound ||
            std::count(joint.free.begin(), joint.free.end(), true) > 0,
        link, "a compound joint needs at least one direction");
}

// Hardening or a table, of a Spring or an elastic drive.
template <class S>
void check_law(const Link& link, const S& spring) {
  for (const double c : spring.hardening)
    check(std::isfinite(c) && c >= 0, link, "hardening must be finite and not negative");
  if (spring.table.empty()) return;
  check(spring.stiffness == 0 && spring.hardening.empty(), link,
        "a spring has a table, or stiffness and hardening, not both");
  const auto fault = spring_table_fault(spring.table);
  check(!fault, link, fault.value_or(""));
}

void check_direction_springs(const Link& link) {
  const Joint& joint = link.joint;
  for (int k = 0; k < 6; ++k) {
    if (!link.springs.free[k]) continue;
    const Spring& spring = link.springs.spring[k];
    check(std::isfinite(spring.stiffness) && spring.stiffness >= 0 &&
              std::isfinite(spring.damping) && spring.damping >= 0 && std::isfinite(spring.rest),
          link, "the numbers of its springs must be finite, stiffness and damping not negative");
    check_law(link, spring);
    check(joint.type != JointType::compound || !joint.free[k], link,
          "a direction can be free or sprung, not both");
    check(joint.type != JointType::floating && joint.type != JointType::spherical, link,
          "springs in directions need a fixed, revolute, prismatic or compound joint");
  }
}

void check_drive(const Link& link, const Drive& drive) {
  const Drive::Elasticity elastic = drive.elastic.value_or(Drive::Elasticity{});
  check(std::isfinite(drive.rotor_inertia) && std::isfinite(drive.gear_ratio) &&
            std::isfinite(drive.friction) && std::isfinite(elastic.stiffness) &&
            std::isfinite(elastic.damping),
        link, "the drive's numbers must be finite");
  check(drive.rotor_inertia >= 0, link, "rotor_inertia must not be negative");
  check(drive.gear_ratio != 0, link, "gear_ratio must not be 0");
  check(std::isfinite(drive.lead) && std::isfinite(drive.motor_ratio()), link,
        "the lead of a screw must be finite, and not too small");
  check(drive.lead == 0 || link.joint.type == JointType::prismatic, link,
        "lead is that of a screw that moves a prismatic joint");
  check(drive.friction >= 0, link, "friction must not be negative");
  check(std::isfinite(drive.coulomb) && drive.coulomb >= 0, link,
        "coulomb friction must be finite and not negative");
  check(std::isfinite(drive.coulomb_speed) && drive.coulomb_speed > 0, link,
        "coulomb_speed must be finite and greater than 0");
  for (const double limit : {drive.limits.torque, drive.limits.torque_rate, drive.limits.speed})
    check(limit > 0, link, "limits must be greater than 0");
  if (!drive.elastic) return;
  check(drive.rotor_inertia > 0, link, "an elastic drive needs a rotor_inertia greater than 0");
  check(elastic.stiffness > 0 || !elastic.table.empty(), link,
        "drive stiffness must be greater than 0");
  check(elastic.damping >= 0, link, "drive damping must not be negative");
  check_law(link, elastic);
}

void check_spring(const Link& link, const Spring& spring) {
  check(std::isfinite(spring.stiffness) && std::isfinite(spring.damping) &&
            std::isfinite(spring.rest),
        link, "the spring's numbers must be finite");
  check(spring.stiffness >= 0, link, "spring stiffness must not be negative");
  check(spring.damping >= 0, link, "spring damping must not be negative");
  check_law(link, spring);
}

}  // namespace

namespace {

void check_beam(const Link& link, const Beam& beam) {
  const double numbers[] = {beam.mass_per_length,
                            beam.EI_y,
                            beam.EI_z,
                            beam.EA,
                            beam.GJ,
                            beam.twist_inertia,
                            beam.shear_y,
                            beam.shear_z,
                            beam.rotary_y,
                            beam.rotary_z,
                            beam.damping_ratio,
                            beam.mass_damping,
                            beam.stiffness_damping};
  for (const double number : numbers)
    check(std::isfinite(number) && number >= 0, link,
          "the numbers of its beam must be finite and not negative");
  check(std::isfinite(beam.length()) && beam.length() > 0, link, "its beam must have a length");
  check(beam.mass_per_length > 0, link, "its beam needs a mass per length greater than 0");
  check(beam.GJ == 0 || beam.twist_inertia > 0 || beam.rotary_y + beam.rotary_z > 0, link,
        "a beam that twists needs an inertia about its axis greater than 0");
  check(beam.EI_y + beam.EI_z + beam.EA + beam.GJ > 0, link,
        "its beam is rigid in every direction");
  check(beam.elements > 0 && beam.segments > 0, link,
        "its beam needs one element and one segment at least");
  check(!beam.modes || (*beam.modes >= 0 && *beam.modes <= beam.inner_coordinates()), link,
        "its beam has fewer inner coordinates than modes are asked for");
  for (const Beam::PointMass& mass : beam.masses)
    check(mass.mass > 0 && mass.at >= 0 && mass.at <= beam.length(), link,
          "masses on its beam must be greater than 0 and between its ends");
}

}  // namespace

void check_link(const Link& link, const std::vector<Link>& links) {
  check(!link.name.empty(), link, "a link needs a name");
  check(link.name != "world", link,
        "'world' is not a name for a link, it is what the robot stands on");
  check(is_column_word(link.name), link,
        fmt::format("name '{}' must be {}", in_one_line(link.name), column_word_rule));
  check_joint(link);
  check_inertia(link, links);
  check_direction_springs(link);
  const bool one_direction =
      link.joint.type == JointType::revolute || link.joint.type == JointType::prismatic;
  check(!link.drive || one_direction, link, "only a revolute or prismatic joint can have a drive");
  check(!link.spring || one_direction, link,
        "only a revolute or prismatic joint can have a spring");
  if (link.drive) check_drive(link, *link.drive);
  if (link.spring) check_spring(link, *link.spring);
  if (link.beam) check_beam(link, *link.beam);
}

namespace {

// Whether the joint of a body turns it about an axis of its frame.
bool turns_about(const Tree& tree, const Body& body, int axis) {
  if (body.type == JointType::spherical) return true;
  if (body.type == JointType::revolute) return axis == 2;
  if (body.beam < 0) return false;
  const auto& end = tree.beams[body.beam].end;
  return std::any_of(end.begin(), end.end(), [&](const BeamLayout::Term& term) {
    return term.component == 3 + axis && term.z < tree.beams[body.beam].n;
  });
}

// The directions about which each body can turn, in the axes of its link: the joint axes on its way
// to the world, seen from the link, the largest |component| at a few random poses.
std::vector<Vector3> turning_directions(const Tree& tree) {
  const std::vector<Body>& bodies = tree.bodies;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> angle(-3, 3);
  const auto turned = [&](int axis) -> Matrix3 {
    return Eigen::AngleAxisd(angle(random), Vector3::Unit(axis)).toRotationMatrix();
  };
  const int n = static_cast<int>(bodies.size());
  std::vector<Vector3> turns(n, Vector3::Zero());
  std::vector<Matrix3> R(n), R_before(n);  // with and without the body's own joint
  for (int pose = 0; pose < 3; ++pose)
    for (int i = 0; i < n; ++i) {
      const Body& body = bodies[i];
      R_before[i] = (body.parent >= 0 ? R[body.parent] : Matrix3(Matrix3::Identity())) * body.R_PB;
      R[i] = R_before[i];
      for (int axis = 0; axis < 3; ++axis)
        if (turns_about(tree, body, axis)) R[i] *= turned(axis);
      for (int j = i; j >= 0; j = bodies[j].parent)
        for (int axis = 0; axis < 3; ++axis) {
          if (!turns_about(tree, bodies[j], axis)) continue;
          const Vector3 seen = body.R_LB * (R[i].transpose() * R_before[j].col(axis));
          turns[i] = turns[i].cwiseMax(seen.cwiseAbs());
        }
    }
  return turns;
}

}  // namespace

// Entry (a, b) matters when the link can turn about both a and b.
void check_inertia_given(const std::vector<Link>& links, const Tree& tree) {
  constexpr double noticeable = 1e-9;  // of a unit axis; rounding of rpy angles stays below
  const std::vector<Vector3> turns = turning_directions(tree);
  for (size_t i = 0; i < links.size(); ++i) {
    const Vector3& turn = turns[tree.body_of_link[i]];
    const std::array<bool, 6>& given = links[i].inertia.given;
    const bool massless = links[i].inertia.mass == 0 && given == std::array<bool, 6>{};
    // A diagonal tensor is meant when no product of inertia was given at all.
    const bool diagonal = !given[3] && !given[4] && !given[5];
    for (size_t k = 0; k < 6 && !massless; ++k) {
      const InertiaEntry& entry = entries[k];
      const bool off_diagonal = entry.row != entry.column;
      if (given[k] || (off_diagonal && diagonal)) continue;
      if (turn[entry.row] > noticeable && turn[entry.column] > noticeable)
        throw InputError(fmt::format(
            "{}: inertia {} is not given, but the joints turn link '{}' about its {} axis",
            place(links[i]), entry.name, links[i].name,
            off_diagonal ? fmt::format("{} and {}", "xyz"[entry.row], "xyz"[entry.column])
                         : std::string(1, "xyz"[entry.row])));
    }
  }
}

}  // namespace tauflex

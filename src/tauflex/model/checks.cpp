#include "tauflex/model/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tauflex/base/errors.hpp"
#include "tauflex/math/decompositions.hpp"

namespace tauflex {

std::string place(const Link& link) {
  return link.where.empty() ? fmt::format("link '{}'", link.name) : link.where;
}

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

void check_inertia(const Link& link) {
  const LinkInertia& inertia = link.inertia;
  const Matrix3& I = inertia.about_com;
  check(std::isfinite(inertia.mass) && inertia.com.allFinite() && I.allFinite(), link,
        "mass, com and inertia must be finite");
  check((I - I.transpose()).norm() <= 1e-12 * I.norm(), link, "inertia must be symmetric");
  check(inertia.mass >= 0, link, fmt::format("mass must not be negative, got {}", inertia.mass));
  for (int k = 0; k < 3; ++k)
    check(!inertia.given[static_cast<size_t>(k)] || I(k, k) >= 0, link,
          fmt::format("inertia {} must not be negative, got {}", entries[k].name, I(k, k)));
  if (std::find(inertia.given.begin(), inertia.given.end(), false) != inertia.given.end()) return;
  const Vector3 moments = symmetric_eigenvalues(I);
  const double slack = 1e-9 * std::abs(moments[2]);  // rounding of printed tables
  check(moments[0] >= -slack, link,
        fmt::format("inertia must be positive definite, its smallest principal moment is {:.6g}",
                    moments[0]));
  check(moments[0] + moments[1] >= moments[2] - slack, link,
        fmt::format(
            "inertia breaks the triangle inequality: principal moments {:.6g} + {:.6g} < {:.6g}",
            moments[0], moments[1], moments[2]));
}

}  // namespace

void check_pose(const Pose& pose, const std::string& place) {
  if (!pose.p.allFinite() || !pose.R.allFinite())
    throw InputError(place + ": the pose must be finite");
  if ((pose.R * pose.R.transpose() - Matrix3::Identity()).norm() > 1e-9 ||
      pose.R.col(0).cross(pose.R.col(1)).dot(pose.R.col(2)) < 0)
    throw InputError(place + ": the orientation is not a rotation");
}

bool is_positive_semidefinite(const Matrix& matrix) {
  const Vector values = eigenvalues(matrix).real();
  return values.size() == 0 || values.minCoeff() >= -1e-12 * values.cwiseAbs().maxCoeff();
}

void check_link(const Link& link) {
  check(!link.name.empty(), link, "a link needs a name");
  check(link.name != "world", link,
        "'world' is not a name for a link, it is what the robot stands on");
  check(link.name.find_first_of("., ") == std::string::npos, link,
        fmt::format("name '{}' must not contain a dot, a comma or a space", link.name));
  check_pose(link.joint.X_PJ, place(link));
  check(link.joint.axis.allFinite() && std::isfinite(link.joint.zero), link,
        "the joint's numbers must be finite");
  check(link.joint.type == JointType::fixed || link.joint.axis.norm() > 1e-12, link,
        "joint axis must not be zero");
  check(link.joint.lowest <= link.joint.highest, link, "joint range must not be empty");
  check_inertia(link);
  const bool one_direction =
      link.joint.type == JointType::revolute || link.joint.type == JointType::prismatic;
  check(link.joint.type != JointType::compound ||
            std::count(link.joint.free.begin(), link.joint.free.end(), true) > 0,
        link, "a compound joint needs at least one direction");
  const auto check_law = [&](const auto& spring) {
    for (const double c : spring.hardening)
      check(std::isfinite(c) && c >= 0, link, "hardening must be finite and not negative");
    if (spring.table.empty()) return;
    check(spring.stiffness == 0 && spring.hardening.empty(), link,
          "a spring has a table, or stiffness and hardening, not both");
    const auto fault = spring_table_fault(spring.table);
    check(!fault, link, fault.value_or(""));
  };
  for (size_t k = 0; k < 6; ++k) {
    if (!link.springs.free[k]) continue;
    const Spring& spring = link.springs.spring[k];
    check(std::isfinite(spring.stiffness) && spring.stiffness >= 0 &&
              std::isfinite(spring.damping) && spring.damping >= 0 && std::isfinite(spring.rest),
          link, "the numbers of its springs must be finite, stiffness and damping not negative");
    check_law(spring);
    check(link.joint.type != JointType::compound || !link.joint.free[k], link,
          "a direction can be free or sprung, not both");
    check(link.joint.type != JointType::floating && link.joint.type != JointType::spherical, link,
          "springs in directions need a fixed, revolute, prismatic or compound joint");
  }
  check(!link.drive || one_direction, link, "only a revolute or prismatic joint can have a drive");
  check(!link.spring || one_direction, link,
        "only a revolute or prismatic joint can have a spring");
  if (link.drive) {
    const Drive& drive = *link.drive;
    const Drive::Elasticity elastic = drive.elastic.value_or(Drive::Elasticity{});
    check(std::isfinite(drive.rotor_inertia) && std::isfinite(drive.gear_ratio) &&
              std::isfinite(drive.friction) && std::isfinite(elastic.stiffness) &&
              std::isfinite(elastic.damping),
          link, "the drive's numbers must be finite");
    check(link.drive->rotor_inertia >= 0, link, "rotor_inertia must not be negative");
    check(link.drive->gear_ratio != 0, link, "gear_ratio must not be 0");
    check(link.drive->friction >= 0, link, "friction must not be negative");
    check(std::isfinite(drive.coulomb) && drive.coulomb >= 0, link,
          "coulomb friction must be finite and not negative");
    check(std::isfinite(drive.coulomb_speed) && drive.coulomb_speed > 0, link,
          "coulomb_speed must be finite and greater than 0");
    for (const double limit : {drive.limits.torque, drive.limits.torque_rate, drive.limits.speed})
      check(limit > 0, link, "limits must be greater than 0");
    if (link.drive->elastic) {
      check(link.drive->rotor_inertia > 0, link,
            "an elastic drive needs a rotor_inertia greater than 0");
      check(link.drive->elastic->stiffness > 0 || !link.drive->elastic->table.empty(), link,
            "drive stiffness must be greater than 0");
      check(link.drive->elastic->damping >= 0, link, "drive damping must not be negative");
      check_law(*link.drive->elastic);
    }
  }
  if (link.spring) {
    check(std::isfinite(link.spring->stiffness) && std::isfinite(link.spring->damping) &&
              std::isfinite(link.spring->rest),
          link, "the spring's numbers must be finite");
    check(link.spring->stiffness >= 0, link, "spring stiffness must not be negative");
    check(link.spring->damping >= 0, link, "spring damping must not be negative");
    check_law(*link.spring);
  }
}

// The directions about which a link can turn, in its own axes: the joint axes on its way to the
// world, seen from the link, at a few random poses. Entry (a, b) matters when it can turn about
// both a and b.
void check_inertia_given(const Robot& robot) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> angle(-3, 3);
  const auto& bodies = robot.bodies();
  const auto& links = robot.description().links;
  const size_t n = bodies.size();
  std::vector<Vector3> turns(n, Vector3::Zero());  // largest |component| seen, per link axis

  for (int pose = 0; pose < 3; ++pose) {
    std::vector<Matrix3> R(n), R_before(n);  // with and without the body's own joint
    for (size_t i = 0; i < n; ++i) {
      const Body& body = bodies[i];
      const auto turned = [&](int axis) -> Matrix3 {
        return Eigen::AngleAxisd(angle(random), Vector3::Unit(axis)).toRotationMatrix();
      };
      R_before[i] =
          (body.parent >= 0 ? R[static_cast<size_t>(body.parent)] : Matrix3(Matrix3::Identity())) *
          body.R_PB;
      R[i] = R_before[i];
      if (body.type == JointType::revolute) R[i] *= turned(2);
      if (body.type == JointType::spherical) R[i] *= turned(0) * turned(1) * turned(2);
      for (int j = static_cast<int>(i); j >= 0; j = bodies[static_cast<size_t>(j)].parent) {
        const JointType type = bodies[static_cast<size_t>(j)].type;
        for (int axis = 0; axis < 3; ++axis) {
          if (!(type == JointType::spherical || (type == JointType::revolute && axis == 2)))
            continue;
          const Vector3 seen =
              bodies[i].R_LB * (R[i].transpose() * R_before[static_cast<size_t>(j)].col(axis));
          turns[i] = turns[i].cwiseMax(seen.cwiseAbs());
        }
      }
    }
  }
  constexpr double noticeable = 1e-9;  // of a unit axis; rounding of rpy angles stays below
  for (size_t i = 0; i < links.size(); ++i) {
    const Vector3& turn = turns[static_cast<size_t>(robot.body_of_link(static_cast<int>(i)))];
    if (links[i].inertia.mass == 0 &&
        std::find(links[i].inertia.given.begin(), links[i].inertia.given.end(), true) ==
            links[i].inertia.given.end())
      continue;  // a massless link
    for (size_t k = 0; k < 6; ++k) {
      const InertiaEntry& entry = entries[k];
      const bool off_diagonal = entry.row != entry.column;
      // A diagonal tensor is meant when no product of inertia was given at all.
      if (off_diagonal && !links[i].inertia.given[3] && !links[i].inertia.given[4] &&
          !links[i].inertia.given[5])
        continue;
      if (links[i].inertia.given[k]) continue;
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

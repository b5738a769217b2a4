#include "tauflex/model/inertia.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tauflex/base/text.hpp"
#include "tauflex/math/decompositions.hpp"

namespace tauflex {

namespace {

constexpr double exact = 1e-9;    // of the largest moment: rounding of doubles and their rotations
constexpr double printed = 1e-2;  // of the largest moment: rounding of printed tables
constexpr double tiny = 1e-12;    // kg m^2, of 1 g within 30 um

bool is_whole(const LinkInertia& inertia) {
  return std::find(inertia.given.begin(), inertia.given.end(), false) == inertia.given.end();
}

std::string three(const Vector3& moments) {
  return fmt::format("{:.4g}, {:.4g} and {:.4g} kg m^2", moments[0], moments[1], moments[2]);
}

}  // namespace

std::optional<InertiaFault> inertia_fault(const Matrix3& I) {
  const Vector3 moments = symmetric_eigenvalues(I);
  const double largest = moments.cwiseAbs().maxCoeff();
  const double missing = std::max(-moments[0], moments[2] - moments[0] - moments[1]);
  if (missing <= exact * largest) return std::nullopt;
  const bool is_rounding = missing <= printed * largest || largest < tiny;
  return InertiaFault{
      moments, is_rounding,
      fmt::format("no body has this inertia: its principal moments are {}, and {}", three(moments),
                  moments[0] < -exact * largest ? "none may be negative"
                                                : "none may exceed the sum of the two others")};
}

// Principal axes stay, and the moments are sums of second moments s_k >= 0: of all choices of those
// that are 0 the best of the least squares that are not negative.                    theory (M.15)
Matrix3 nearest_inertia(const Matrix3& I) {
  const SymmetricEigensystem principal = symmetric_eigensystem(I);
  const Vector3 wanted = principal.values;
  Matrix3 from_second;     // moments = from_second s
  from_second << 0, 1, 1,  //
      1, 0, 1,             //
      1, 1, 0;
  Vector3 best = Vector3::Zero();
  for (int kept = 1; kept < 8; ++kept) {
    // Rows and columns of those that are 0 are those of the identity, with nothing on the right.
    Matrix3 normal = from_second.transpose() * from_second;
    Vector3 right = from_second.transpose() * wanted;
    for (int k = 0; k < 3; ++k) {
      if (kept >> k & 1) continue;
      normal.row(k) = Vector3::Unit(k);
      normal.col(k) = Vector3::Unit(k);
      right[k] = 0;
    }
    const Vector3 s = solve_linear(normal, right);
    if (s.minCoeff() < 0) continue;
    const Vector3 moments = from_second * s;
    if ((moments - wanted).norm() < (best - wanted).norm()) best = moments;
  }
  const Matrix3 R = principal.V;
  const Matrix3 found = R * best.asDiagonal() * R.transpose();
  return 0.5 * (found + found.transpose());
}

namespace {

bool is_rigidly_fixed(const Link& link) {
  return link.joint.type == JointType::fixed && !link.beam &&
         std::find(link.springs.free.begin(), link.springs.free.end(), true) ==
             link.springs.free.end();
}

// The link that carries this one through fixed joints, and where this one is on it; none: the
// world.
struct Carried {
  const Link* carrier;
  Pose X_CL;
};
Carried carried(const std::vector<Link>& links, const Link& link) {
  Carried at{&link, {}};
  // parents may form a cycle, which is found later
  for (size_t step = 0; step < links.size() && is_rigidly_fixed(*at.carrier); ++step) {
    const std::string& parent = at.carrier->joint.parent;
    at.X_CL = at.carrier->joint.X_PJ * at.X_CL;
    const auto found =
        std::find_if(links.begin(), links.end(), [&](const Link& l) { return l.name == parent; });
    if (found == links.end()) return {nullptr, {}};
    at.carrier = &*found;
  }
  return at;
}

}  // namespace

bool is_possible_with_others(const std::vector<Link>& links, const Link& link) {
  const Link* carrier = carried(links, link).carrier;
  if (!carrier) return true;  // it does not move
  double mass = 0;
  Vector3 moment = Vector3::Zero();  // mass times place, in axes of the carrier
  Matrix3 about = Matrix3::Zero();   // inertia about the carrier's origin
  for (const Link& other : links) {
    const auto [own, X] = carried(links, other);
    const bool is_frame = other.inertia.mass == 0 && other.inertia.about_com.isZero(0);
    if (own != carrier || is_frame) continue;
    if (!is_whole(other.inertia) || other.beam) return false;
    const Vector3 c = X.p + X.R * other.inertia.com;
    mass += other.inertia.mass;
    moment += other.inertia.mass * c;
    about += X.R * other.inertia.about_com * X.R.transpose() +
             other.inertia.mass * (c.squaredNorm() * Matrix3::Identity() - c * c.transpose());
  }
  if (!(mass > 0)) return false;
  const Vector3 c = moment / mass;
  const Matrix3 I = about - mass * (c.squaredNorm() * Matrix3::Identity() - c * c.transpose());
  return !inertia_fault(0.5 * (I + I.transpose()));
}

void settle_inertias(RobotDescription& robot) {
  std::vector<std::string> accepted;
  for (Link& link : robot.links) {
    LinkInertia& inertia = link.inertia;
    if (!is_whole(inertia) || !inertia.about_com.allFinite()) continue;
    const auto fault = inertia_fault(inertia.about_com);
    if (!fault) continue;
    const bool nearest = robot.inertias == InertiaRule::nearest;
    if (!nearest && !fault->is_rounding && is_possible_with_others(robot.links, link)) {
      robot.notes.push_back(fmt::format(
          "{}: {}; accepted, as the links that are fixed to it make a possible one with it",
          place(link), fault->sentence));
      continue;
    }
    if (fault->is_rounding && !nearest) accepted.push_back(link.name);
    if (!nearest && !(fault->is_rounding && fault->moments[0] < 0)) continue;
    inertia.about_com = nearest_inertia(inertia.about_com);
    if (nearest)
      robot.notes.push_back(fmt::format("{}: {}; the nearest possible ones were taken, {}",
                                        place(link), fault->sentence,
                                        three(symmetric_eigenvalues(inertia.about_com))));
  }
  if (!accepted.empty())
    robot.notes.push_back(
        fmt::format("inertias that no body has, by no more than rounding, were accepted: {} {}",
                    accepted.size() == 1 ? "link" : "links", join(accepted)));
}

namespace {

// Whether a point mass at the centre of mass resists every motion of the link's own joint.
bool is_enough_as_point_mass(const Link& link) {
  const Joint& joint = link.joint;
  if (joint.type == JointType::spherical || joint.type == JointType::floating) return false;
  // Velocities of the centre of mass, one column per direction of the joint and of its springs.
  Matrix J(3, 0);
  const auto add = [&](bool turns, const Vector3& axis) {
    J.conservativeResize(3, J.cols() + 1);
    J.col(J.cols() - 1) = turns ? Vector3(axis.cross(link.inertia.com)) : axis;
  };
  for (int k = 0; k < 6; ++k)
    if (link.springs.free[k] || (joint.type == JointType::compound && joint.free[k]))
      add(k >= 3, Vector3::Unit(k % 3));
  if (joint.type == JointType::revolute || joint.type == JointType::prismatic)
    add(joint.type == JointType::revolute, joint.axis.normalized());
  if (J.cols() == 0) return true;
  if (J.cols() > 3) return false;
  const Matrix scaled = J.colwise().norm().minCoeff() > 0
                            ? Matrix(J * J.colwise().norm().cwiseInverse().asDiagonal())
                            : Matrix(Matrix::Zero(3, J.cols()));
  return singular_values(scaled)[J.cols() - 1] > 1e-6;  // of the largest; rounding of a com is less
}

// By its own joint and springs.
bool turns_itself(const Link& link) {
  const Joint& joint = link.joint;
  const auto turns = [](const std::array<bool, 6>& free) { return free[3] || free[4] || free[5]; };
  return joint.type == JointType::revolute || joint.type == JointType::spherical ||
         joint.type == JointType::floating || turns(link.springs.free) ||
         (joint.type == JointType::compound && turns(joint.free));
}

// Links that turn, by their own joint or by one that carries them.
std::set<std::string> turning_links(const std::vector<Link>& links) {
  std::set<std::string> turning;
  for (bool found = true; found;) {
    found = false;
    for (const Link& link : links)
      if (turns_itself(link) || turning.contains(link.joint.parent))
        found = turning.insert(link.name).second || found;
  }
  return turning;
}

}  // namespace

void take_point_masses(RobotDescription& robot) {
  const std::set<std::string> turning = turning_links(robot.links);
  std::vector<std::string> names;
  for (Link& link : robot.links) {
    LinkInertia& inertia = link.inertia;
    const bool nothing_given = inertia.given == std::array<bool, 6>{};
    if (!(inertia.mass > 0) || !nothing_given || !turning.contains(link.name) ||
        !is_enough_as_point_mass(link))
      continue;
    inertia.given.fill(true);
    names.push_back(link.name);
  }
  if (!names.empty())
    robot.notes.push_back(fmt::format("taken as point {} at com, as no inertia is given: {} {}",
                                      names.size() == 1 ? "mass" : "masses",
                                      names.size() == 1 ? "link" : "links", join(names)));
}

}  // namespace tauflex

#include "tauflex/model/robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/model/checks.hpp"
#include "tauflex/model/constraint_rows.hpp"

namespace tauflex {

Robot::Robot(const Robot&) = default;
Robot::Robot(Robot&&) noexcept = default;
Robot& Robot::operator=(const Robot&) = default;
Robot& Robot::operator=(Robot&&) noexcept = default;
Robot::~Robot() = default;

namespace {

int find(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

size_t at(int index) { return static_cast<size_t>(index); }

// The stiffness of a spring, at rest; what it gives beyond that is put into `beyond`.
template <class S>
double put_law(const S& spring, int row, std::vector<HardeningEntry>& beyond) {
  if (!spring.table.empty()) {
    const SpringTable table(spring.table);
    beyond.push_back({row, table});
    return table.stiffness();
  }
  if (!spring.hardening.empty()) beyond.push_back({row, spring.hardening});
  return spring.stiffness;
}

bool has_table(const std::vector<HardeningEntry>& entries, int row) {
  return std::any_of(entries.begin(), entries.end(), [&](const HardeningEntry& e) {
    return e.row == row && std::holds_alternative<SpringTable>(e.law);
  });
}

}  // namespace

Robot::Robot(RobotDescription description) : description_(std::move(description)) {
  if (!description_.gravity.allFinite()) throw InputError("robot: gravity must be finite");
  if (description_.links.empty()) throw InputError("robot: there are no links");
  for (const Link& link : description_.links) check_link(link);
  sort_links();
  lay_out_bodies();
  lay_out_drives();
  lay_out_springs();
  lay_out_gears();
  lay_out_frames();
  check_inertia_given(*this);
  constraints_ = constraint_rows(*this);
  frame_springs_ = frame_spring_layouts(*this);
  if (description_.dynamics == DynamicsKind::nonlinear) gravity_ = description_.gravity;
}

// Parents before children; names unique; no missing parent, no cycle.
void Robot::sort_links() {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const Link& link : description_.links) {
    if (!seen.insert(link.name).second)
      throw InputError(fmt::format("{}: there are two links called '{}'", place(link), link.name));
    names.push_back(link.name);
  }
  for (const Link& link : description_.links)
    if (link.joint.parent != "world" && !seen.contains(link.joint.parent))
      throw InputError(fmt::format("{}: parent '{}' is not a link{}", place(link),
                                   link.joint.parent, did_you_mean(link.joint.parent, names)));
  std::vector<Link> sorted;
  std::set<std::string> placed = {"world"};
  std::vector<Link> waiting = std::move(description_.links);
  while (!waiting.empty()) {
    std::vector<Link> later;
    for (Link& link : waiting) {
      if (placed.contains(link.joint.parent)) {
        placed.insert(link.name);
        sorted.push_back(std::move(link));
      } else {
        later.push_back(std::move(link));
      }
    }
    if (sorted.size() + later.size() == names.size() && later.size() == waiting.size()) {
      // Follow parents from any waiting link until one comes twice: that is the cycle.
      std::map<std::string, std::string> parent;
      for (const Link& link : later) parent[link.name] = link.joint.parent;
      std::vector<std::string> cycle = {later.front().name};
      while (find(cycle, parent[cycle.back()]) < 0) cycle.push_back(parent[cycle.back()]);
      const std::string closing = parent[cycle.back()];
      cycle.erase(cycle.begin(), cycle.begin() + find(cycle, closing));
      cycle.push_back(closing);
      const auto link = std::find_if(later.begin(), later.end(),
                                     [&](const Link& l) { return l.name == closing; });
      throw InputError(fmt::format("{}: the tree has a cycle of parents: {}", place(*link),
                                   join(cycle, " -> ")));
    }
    waiting = std::move(later);
  }
  description_.links = std::move(sorted);
  for (const Link& link : description_.links) link_names_.push_back(link.name);
}

// One more body on top of the last one of the link, or on the link's parent.
void Robot::add_body(int link, JointType type, const Vector3& axis, const Pose& X_PJ,
                     const std::string& name) {
  const Link& said = description_.links[at(link)];
  const bool first = at(link) == link_body_.size();
  if (first) link_body_.push_back(-1);
  Body body = {};
  body.link = link;
  body.parent = !first                         ? static_cast<int>(bodies_.size()) - 1
                : said.joint.parent == "world" ? -1
                                               : link_body_[at(find_link(said.joint.parent))];
  body.type = type;
  body.q_begin = nq_;
  body.v_begin = nv_;
  body.v_count = type == JointType::fixed ? 0 : type == JointType::spherical ? 3 : 1;
  const bool has_axis = body.v_count == 1;
  body.R_LB = has_axis ? rotation_with_z_along(axis.normalized()) : Matrix3(Matrix3::Identity());
  const Matrix3 R_BP = body.parent >= 0 ? Matrix3(bodies_[at(body.parent)].R_LB.transpose())
                                        : Matrix3(Matrix3::Identity());
  body.R_PB = R_BP * X_PJ.R * body.R_LB;
  body.p_PB = R_BP * X_PJ.p;
  body.inertia.setZero();
  body.com.setZero();
  // of the parent: its last velocity, or the nearest towards the world
  int dof = -1;
  for (int b = body.parent; b >= 0 && dof < 0; b = bodies_[at(b)].parent)
    if (bodies_[at(b)].v_count > 0) dof = bodies_[at(b)].v_begin + bodies_[at(b)].v_count - 1;
  for (int k = 0; k < body.v_count; ++k) {
    dof_parent_.push_back(dof);
    dof_body_.push_back(static_cast<int>(bodies_.size()));
    coordinate_of_.push_back(has_axis ? nq_ : -1);
    dof = nv_++;
  }
  if (type == JointType::spherical) {
    quaternions_.push_back({body.q_begin, body.v_begin});
    for (const char* part : {".qw", ".qx", ".qy", ".qz"}) coordinate_names_.push_back(name + part);
    for (const char* part : {".wx", ".wy", ".wz"}) velocity_names_.push_back(name + part);
    is_angle_.insert(is_angle_.end(), 4, true);
    nq_ += 4;
  } else if (has_axis) {
    coordinate_names_.push_back(name);
    velocity_names_.push_back(name);
    is_angle_.push_back(type == JointType::revolute);
    ++nq_;
  }
  link_body_[at(link)] = static_cast<int>(bodies_.size());
  bodies_.push_back(body);
}

void Robot::lay_out_bodies() {
  constexpr const char* names[6] = {".x", ".y", ".z", ".rx", ".ry", ".rz"};
  for (int i = 0; i < static_cast<int>(description_.links.size()); ++i) {
    const Link& link = description_.links[at(i)];
    Pose X_PJ = link.joint.X_PJ;
    const auto add = [&](JointType type, const Vector3& axis, const std::string& name) {
      add_body(i, type, axis, X_PJ, name);
      X_PJ = {};
    };
    const auto& springs = link.springs.free;
    const bool sprung = std::find(springs.begin(), springs.end(), true) != springs.end();
    for (size_t k = 0; k < 6; ++k)
      if (springs[k])
        add(k < 3 ? JointType::prismatic : JointType::revolute,
            Vector3::Unit(static_cast<int>(k % 3)), link.name + names[k]);
    std::array<bool, 6> free = {};
    if (link.joint.type == JointType::compound) free = link.joint.free;
    if (link.joint.type == JointType::floating) free = {true, true, true, false, false, false};
    for (size_t k = 0; k < 6; ++k)
      if (free[k])
        add(k < 3 ? JointType::prismatic : JointType::revolute,
            Vector3::Unit(static_cast<int>(k % 3)), link.name + names[k]);
    if (link.joint.type == JointType::floating || link.joint.type == JointType::spherical)
      add(JointType::spherical, {}, link.name);
    else if (link.joint.type != JointType::compound &&
             !(link.joint.type == JointType::fixed && sprung))
      add(link.joint.type, link.joint.axis, link.name);
    Body& body = bodies_.back();
    body.zero = link.joint.zero;
    body.mass = link.inertia.mass;
    body.com = body.R_LB.transpose() * link.inertia.com;
    body.inertia = body.R_LB.transpose() * link.inertia.about_com * body.R_LB;
  }
  tree_nq_ = nq_;
  tree_nv_ = nv_;
}

void Robot::lay_out_drives() {
  armature_ = Vector::Zero(tree_nv_);
  for (size_t i = 0; i < description_.links.size(); ++i) {
    const Link& link = description_.links[i];
    if (!link.drive) continue;
    DriveLayout drive = {};
    drive.link = static_cast<int>(i);
    drive.joint_q = bodies_[at(link_body_[i])].q_begin;
    drive.joint_v = bodies_[at(link_body_[i])].v_begin;
    drive.rotor_q = drive.rotor_v = -1;
    drive.rotor_inertia = link.drive->rotor_inertia;
    drive.gear_ratio = link.drive->gear_ratio;
    drive.friction = link.drive->friction;
    drive.coulomb = link.drive->coulomb;
    drive.coulomb_speed = link.drive->coulomb_speed;
    drive.limits = link.drive->limits;
    if (link.drive->elastic) {
      drive.rotor_q = nq_++;
      drive.rotor_v = nv_++;
      elastic_drives_.push_back(static_cast<int>(drives_.size()));
      coordinate_names_.push_back(link.name + ".rotor");
      velocity_names_.push_back(link.name + ".rotor");
      coordinate_of_.push_back(drive.rotor_q);
      is_angle_.push_back(is_angle_[at(drive.joint_q)]);
    } else {
      armature_[drive.joint_v] = drive.gear_ratio * drive.gear_ratio * drive.rotor_inertia;
    }
    drive_names_.push_back(link.name);
    drives_.push_back(drive);
  }
  const double infinity = std::numeric_limits<double>::infinity();
  lowest_ = Vector::Constant(nq_, -infinity);
  highest_ = Vector::Constant(nq_, infinity);
  for (size_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = bodies_[i];
    if (body.v_count == 0 || link_body_[at(body.link)] != static_cast<int>(i)) continue;
    lowest_[body.q_begin] = description_.links[at(body.link)].joint.lowest;
    highest_[body.q_begin] = description_.links[at(body.link)].joint.highest;
  }
  neutral_ = Vector::Zero(nq_);
  for (const Quaternion& quaternion : quaternions_) neutral_[quaternion.q] = 1;
}

void Robot::lay_out_springs() {
  rest_ = Vector::Zero(tree_nv_);
  Matrix joint_K = Matrix::Zero(tree_nv_, tree_nv_), joint_D = joint_K;
  Matrix drive_K = Matrix::Zero(rotors(), rotors()), drive_D = drive_K;
  const auto put_spring = [&](int dof, const Spring& spring) {
    rest_[dof] = spring.rest;
    joint_D(dof, dof) = spring.damping;
    joint_K(dof, dof) = put_law(spring, dof, joint_hardening_);
  };
  constexpr const char* names[6] = {".x", ".y", ".z", ".rx", ".ry", ".rz"};
  const auto direction_dof = [&](const std::string& name) { return find(velocity_names_, name); };
  for (size_t i = 0; i < description_.links.size(); ++i) {
    const Link& link = description_.links[i];
    if (link.spring) put_spring(bodies_[at(link_body_[i])].v_begin, *link.spring);
    for (size_t k = 0; k < 6; ++k)
      if (link.springs.free[k])
        put_spring(direction_dof(link.name + names[k]), link.springs.spring[k]);
  }
  for (int r = 0; r < rotors(); ++r) {
    const auto& elastic =
        description_.links[at(drives_[at(elastic_drives_[at(r)])].link)].drive->elastic;
    drive_D(r, r) = elastic->damping;
    drive_K(r, r) = put_law(*elastic, r, drive_hardening_);
  }
  for (const Coupling& coupling : description_.couplings) {
    const int n = static_cast<int>(coupling.links.size());
    const std::string label = coupling.where.empty() ? "coupling" : coupling.where;
    std::vector<int> index;
    for (const std::string& name : coupling.links) {
      const auto point = name.rfind('.');
      const int owner = point == std::string::npos ? -1 : find_link(name.substr(0, point));
      if (!coupling.drives && owner >= 0 && direction_dof(name) >= 0) {
        const auto& springs = description_.links[at(owner)].springs;
        const std::string direction = name.substr(point);
        const auto k = std::find(std::begin(names), std::end(names), direction) - std::begin(names);
        if (k == 6 || !springs.free[static_cast<size_t>(k)])
          throw InputError(fmt::format("{}: '{}' has no spring", label, name));
        if (std::find(index.begin(), index.end(), direction_dof(name)) != index.end())
          throw InputError(fmt::format("{}: '{}' stands here twice", label, name));
        index.push_back(direction_dof(name));
        continue;
      }
      const int link = find_link(name);
      if (link < 0)
        throw InputError(
            fmt::format("{}: '{}' is not a link{}", label, name, did_you_mean(name, link_names_)));
      int found = -1;
      for (int r = 0; coupling.drives && r < rotors(); ++r)
        if (drives_[at(elastic_drives_[at(r)])].link == link) found = r;
      if (!coupling.drives && description_.links[at(link)].spring)
        found = bodies_[at(link_body_[at(link)])].v_begin;
      if (found < 0)
        throw InputError(fmt::format("{}: link '{}' has no {}", label, name,
                                     coupling.drives ? "elastic drive" : "spring"));
      if (std::find(index.begin(), index.end(), found) != index.end())
        throw InputError(fmt::format("{}: link '{}' stands here twice", label, name));
      index.push_back(found);
    }
    const auto put = [&](const Matrix& given, Matrix& into, const char* what) {
      if (given.size() == 0) return;
      if (given.rows() != n || given.cols() != n)
        throw InputError(fmt::format("{}: {} must be a {} x {} matrix", label, what, n, n));
      if (!given.allFinite()) throw InputError(fmt::format("{}: {} must be finite", label, what));
      if ((given - given.transpose()).norm() > 1e-12 * given.norm())
        throw InputError(fmt::format("{}: {} must be symmetric", label, what));
      if (!is_positive_semidefinite(given))
        throw InputError(fmt::format("{}: {} must not have negative eigenvalues", label, what));
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) into(index[at(a)], index[at(b)]) = given(a, b);
    };
    for (int k = 0; coupling.stiffness.size() > 0 && k < n; ++k)
      if (has_table(coupling.drives ? drive_hardening_ : joint_hardening_, index[at(k)]))
        throw InputError(
            fmt::format("{}: '{}' has a table; a stiffness matrix is for springs with a stiffness",
                        label, coupling.links[at(k)]));
    put(coupling.stiffness, coupling.drives ? drive_K : joint_K, "stiffness");
    put(coupling.damping, coupling.drives ? drive_D : joint_D, "damping");
  }
  const auto entries = [](const Matrix& K, const Matrix& D) {
    std::vector<SpringEntry> list;
    for (int row = 0; row < K.rows(); ++row)
      for (int column = 0; column < K.cols(); ++column)
        if (K(row, column) != 0 || D(row, column) != 0)
          list.push_back({row, column, K(row, column), D(row, column)});
    return list;
  };
  joint_springs_ = entries(joint_K, joint_D);
  drive_springs_ = entries(drive_K, drive_D);
}

void Robot::lay_out_gears() {
  Matrix T = Matrix::Identity(rotors(), rotors());
  std::set<int> coupled;
  for (const Transmission& transmission : description_.transmissions) {
    const std::string label = transmission.where.empty() ? "transmission" : transmission.where;
    std::vector<int> index;
    for (const std::string& name : transmission.links) {
      int found = -1;
      for (int r = 0; r < rotors(); ++r)
        if (link_names_[at(elastic_drive(r).link)] == name) found = r;
      if (found < 0)
        throw InputError(fmt::format("{}: '{}' is not a link with an elastic drive{}", label, name,
                                     did_you_mean(name, drive_names_)));
      if (!coupled.insert(found).second)
        throw InputError(fmt::format("{}: link '{}' stands here twice", label, name));
      index.push_back(found);
    }
    const auto n = static_cast<Eigen::Index>(index.size());
    if (transmission.ratio.rows() != n || transmission.ratio.cols() != n)
      throw InputError(fmt::format("{}: ratio must be a {} x {} matrix", label, n, n));
    const Vector sigma = singular_values(transmission.ratio);
    if (!transmission.ratio.allFinite() || n == 0 || !(sigma[n - 1] > 1e-12 * sigma[0]))
      throw InputError(fmt::format("{}: ratio must be finite and invertible", label));
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) T(index[at(a)], index[at(b)]) = transmission.ratio(a, b);
  }
  for (int spring = 0; spring < rotors(); ++spring)
    for (int rotor = 0; rotor < rotors(); ++rotor)
      if (T(spring, rotor) != 0)
        gears_.push_back({spring, rotor, T(spring, rotor) / elastic_drive(rotor).gear_ratio});
}

Vector Robot::rotor_angles(const Vector& at_springs) const {
  Matrix T = Matrix::Zero(rotors(), rotors());
  for (const Gear& gear : gears_) T(gear.spring, gear.rotor) = gear.ratio;
  return solve_linear(T, at_springs);
}

void Robot::lay_out_frames() {
  std::set<std::string> seen;
  for (const FrameDescription& frame : description_.frames) {
    const std::string label =
        frame.where.empty() ? fmt::format("frame '{}'", frame.name) : frame.where;
    const int link = find_link(frame.link);
    const int body = link < 0 ? -1 : link_body_[at(link)];
    if (link < 0 && frame.link != "world")
      throw InputError(fmt::format("{}: link '{}' does not exist{}", label, frame.link,
                                   did_you_mean(frame.link, link_names_)));
    if (frame.name.empty() || frame.name == "world" ||
        frame.name.find_first_of("., ") != std::string::npos)
      throw InputError(fmt::format(
          "{}: '{}' cannot be the name of a frame: a word without dots, commas and spaces, "
          "and not 'world'",
          label, frame.name));
    check_pose(frame.X_LF, label);
    if (!seen.insert(frame.name).second || find_link(frame.name) >= 0)
      throw InputError(fmt::format("{}: the name '{}' is taken", label, frame.name));
    const Pose X_BL = {
        body >= 0 ? Matrix3(bodies_[at(body)].R_LB.transpose()) : Matrix3(Matrix3::Identity()),
        Vector3::Zero()};
    frames_.push_back({frame.name, body, X_BL * frame.X_LF});
  }
  for (size_t i = 0; i < link_names_.size(); ++i)
    frames_.push_back({link_names_[i],
                       link_body_[i],
                       {bodies_[at(link_body_[i])].R_LB.transpose(), Vector3::Zero()}});
}

int Robot::find_link(const std::string& name) const { return find(link_names_, name); }
int Robot::find_coordinate(const std::string& name) const {
  const int found = find(coordinate_names_, name);
  return found >= 0 ? found : find(coordinate_names_, link_of_joint(name));
}
int Robot::find_velocity(const std::string& name) const {
  const int found = find(velocity_names_, name);
  return found >= 0 ? found : find(velocity_names_, link_of_joint(name));
}
std::string Robot::link_of_joint(const std::string& name) const {
  for (const Link& link : description_.links)
    if (!name.empty() && link.joint.name == name) return link.name;
  return "";
}
int Robot::find_frame(const std::string& name) const {
  for (size_t i = 0; i < frames_.size(); ++i)
    if (frames_[i].name == name) return static_cast<int>(i);
  return -1;
}

Robot Robot::with_constant_mass(Matrix mass) const {
  Robot copy = *this;
  copy.constant_mass_ = std::move(mass);
  copy.gravity_.setZero();
  return copy;
}

Robot Robot::with_constraint_rows(const std::vector<int>& kept) const {
  Robot copy = *this;
  copy.constraints_.clear();
  copy.redundant_constraints_.clear();
  for (int row = 0; row < constraint_count(); ++row) {
    const ConstraintRow& constraint = constraints_[at(row)];
    if (std::find(kept.begin(), kept.end(), row) != kept.end())
      copy.constraints_.push_back(constraint);
    else
      copy.redundant_constraints_.push_back(constraint.name);
  }
  return copy;
}

RobotDescription with_payload(RobotDescription robot, const std::string& link,
                              const LinkInertia& payload) {
  for (Link& carrier : robot.links) {
    if (carrier.name != link) continue;
    LinkInertia& own = carrier.inertia;
    const double total = own.mass + payload.mass;
    if (total <= 0) return robot;
    // A carrier without inertia of its own knows as much as its load; a point mass is all known.
    const auto nothing = std::array<bool, 6>{};
    if (own.mass == 0 && own.given == nothing) {
      own.given = payload.given;
      if (payload.given == nothing) own.given.fill(true);
    }
    const Vector3 com = (own.mass * own.com + payload.mass * payload.com) / total;
    const auto moved =
        [&](const LinkInertia& part) -> Matrix3 {  // Steiner, to the common centre of mass
      const Vector3 d = part.com - com;
      return part.about_com +
             part.mass * (d.squaredNorm() * Matrix3::Identity() - d * d.transpose());
    };
    own.about_com = moved(own) + moved(payload);
    own.com = com;
    own.mass = total;
    return robot;
  }
  throw InputError(fmt::format("payload: link '{}' does not exist", link));
}

}  // namespace tauflex

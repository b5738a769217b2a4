#include "tauflex/model/constraint_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/model/typed_names.hpp"

namespace tauflex {

namespace {

// Finds the frames of one constraint or spring; `label` starts its messages.
class FrameFinder {
 public:
  FrameFinder(const std::vector<Frame>& frames, std::string label)
      : frames_(frames), label_(std::move(label)) {}

  void check(bool rule, const std::string& sentence) const {
    if (!rule) throw InputError(label_ + ": " + sentence);
  }

  // -1 for the world.
  int frame(const std::string& name) const {
    if (name == "world") return -1;
    const int found = find_frame(frames_, name);
    if (found < 0) {
      std::vector<std::string> known = {"world"};
      for (const Frame& frame : frames_) known.push_back(frame.name);
      check(false,
            fmt::format("'{}' is neither a frame nor a link{}", name, did_you_mean(name, known)));
    }
    return found;
  }

  PointRow point(const std::string& a, const std::string& b, const PointField& field) const {
    const PointRow row{frame(a), frame(b), field};
    const auto body = [&](int f) { return f < 0 ? -1 : frames_[f].body; };
    check(
        body(row.a) != body(row.b),
        fmt::format("frames '{}' and '{}' are on the same link and cannot move against each other",
                    a, b));
    check(field.origin.allFinite() && std::isfinite(field.offset), "its numbers must be finite");
    check(field.normal.allFinite() && field.normal.norm() > 1e-12,
          "a normal or direction must be finite and not zero");
    return row;
  }

 private:
  const std::vector<Frame>& frames_;
  std::string label_;
};

// Compiles the rule of one constraint.
class Compiler : public FrameFinder {
 public:
  Compiler(const Tree& tree, const Coordinates& coordinates, const std::vector<Frame>& frames,
           const Constraint& constraint)
      : FrameFinder(frames, constraint.where.empty()
                                ? fmt::format("constraint '{}'", constraint.name)
                                : constraint.where),
        tree_(tree),
        coordinates_(coordinates) {}

  // name -> row, in order
  using Rows = std::vector<std::pair<std::string, decltype(ConstraintRow::rule)>>;

  Rows rows(const Closure& c) const {
    Rows rows;
    for (int k = 0; k < 3; ++k)
      if (c.locked[k])
        rows.emplace_back(direction_names[k], point(c.a, c.b, {.normal = Vector3::Unit(k)}));
    std::vector<int> turns;
    for (int k = 0; k < 3; ++k)
      if (c.locked[k + 3]) turns.push_back(k);
    check(!rows.empty() || !turns.empty(), "a closure needs at least one direction");
    point(c.a, c.b, {});  // its checks
    for (const int k : turns) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;  // R_AB turned about k: a_j . b_i = sin
      AxesRow row{frame(c.a), frame(c.b), {}, 1};
      if (turns.size() == 3) {
        // sin(angle) times the axis of the rotation, component k
        row.terms = {{{0.5, j, i}, {-0.5, i, j}}};
        row.count = 2;
      } else if (turns.size() == 2) {
        // the hinge axis h of B stays along that of A: a . b_h = 0 for the other two axes
        const int hinge = 3 - turns[0] - turns[1];
        row.terms[0] = hinge == i ? AxesRow::Term{1, j, hinge} : AxesRow::Term{-1, i, hinge};
      } else {
        row.terms[0] = {1, j, i};
      }
      rows.emplace_back(direction_names[k + 3], row);
    }
    return rows;
  }
  Rows rows(const Distance& c) const {
    return {{"", point(c.a, c.b, {.kind = PointField::Kind::sphere, .offset = c.length})}};
  }
  Rows rows(const OnPlane& c) const {
    return {{"", point(c.on, c.frame, {.origin = c.point, .normal = c.normal.normalized()})}};
  }
  Rows rows(const OnSphere& c) const {
    check(c.radius > 0, fmt::format("radius must be greater than 0, got {}", c.radius));
    return {
        {"", point(c.on, c.frame,
                   {.kind = PointField::Kind::sphere, .origin = c.center, .offset = c.radius})}};
  }
  Rows rows(const OnLine& c) const {
    const Matrix3 R = rotation_with_z_along(c.direction.normalized());
    return {{"n1", point(c.on, c.frame, {.origin = c.point, .normal = R.col(0)})},
            {"n2", point(c.on, c.frame, {.origin = c.point, .normal = R.col(1)})}};
  }
  Rows rows(const OnCircle& c) const {
    check(c.radius > 0, fmt::format("radius must be greater than 0, got {}", c.radius));
    const Vector3 n = c.normal.normalized();
    return {{"normal", point(c.on, c.frame, {.origin = c.center, .normal = n})},
            {"radial", point(c.on, c.frame,
                             {.kind = PointField::Kind::cylinder,
                              .origin = c.center,
                              .normal = n,
                              .offset = c.radius})}};
  }
  Rows rows(const OnPolynomial& c) const {
    check(!c.coefficients.empty(), "a polynomial needs coefficients");
    for (const double x : c.coefficients) check(std::isfinite(x), "its numbers must be finite");
    return {{"y", point(c.on, c.frame,
                        {.kind = PointField::Kind::polynomial, .coefficients = c.coefficients})},
            {"z", point(c.on, c.frame, {})}};
  }
  Rows rows(const Relation& c) const {
    check(!c.joints.empty(), "a relation needs at least one joint");
    return {{"", RelationRow{terms(c.joints), c.value}}};
  }

  std::vector<RelationRow::Term> terms(const JointSum& joints) const {
    std::vector<RelationRow::Term> terms;
    const std::vector<int>& of_velocity = coordinates_.of_velocity;
    for (const auto& [name, coefficient] : joints) {
      const int q = coordinates_.find(name);
      check(q >= 0 && q < tree_.nq,
            fmt::format("'{}' is not a joint{}", name, did_you_mean(name, coordinates_.names)));
      const auto v = std::find(of_velocity.begin(), of_velocity.end(), q);
      check(v != of_velocity.end(),
            fmt::format("'{}' is part of a quaternion; here stand joints that turn "
                        "about or move along one axis",
                        name));
      check(std::isfinite(coefficient) && coefficient != 0,
            fmt::format("the coefficient of '{}' must be finite and not 0", name));
      terms.push_back({q, static_cast<int>(v - of_velocity.begin()), coefficient});
    }
    return terms;
  }

 private:
  const Tree& tree_;
  const Coordinates& coordinates_;
};

bool is_angle(const Coordinates& coordinates, const ConstraintRow& row) {
  if (std::holds_alternative<AxesRow>(row.rule)) return true;
  if (const auto* relation = std::get_if<RelationRow>(&row.rule))
    return coordinates.is_angle[relation->terms.front().q];
  return false;
}

// A path takes the place of the constant it was given with.
void follow(ConstraintRow& row) {
  if (auto* point = std::get_if<PointRow>(&row.rule)) point->field.offset = 0;
  if (auto* relation = std::get_if<RelationRow>(&row.rule)) relation->value = 0;
}

void check_name(const FrameFinder& finder, const std::string& name, std::set<std::string>& taken,
                const char* what) {
  finder.check(is_column_word(name), fmt::format("'{}' cannot be the name of a {}: {}",
                                                 in_one_line(name), what, column_word_rule));
  finder.check(taken.insert(name).second, fmt::format("the name '{}' is taken", name));
}

}  // namespace

std::vector<ConstraintRow> constraint_rows(const std::vector<Constraint>& given, const Tree& tree,
                                           const Coordinates& coordinates,
                                           const std::vector<Frame>& frames) {
  std::vector<ConstraintRow> all;
  std::set<std::string> taken;
  for (int i = 0; i < std::ssize(given); ++i) {
    const Constraint& constraint = given[i];
    const Compiler compiler(tree, coordinates, frames, constraint);
    check_name(compiler, constraint.name, taken, "constraint");
    if (const auto* rod = std::get_if<Distance>(&constraint.rule))
      compiler.check(
          constraint.path || rod->length > 0,
          fmt::format("length must be greater than 0, got {}; a closure of x, y, z holds "
                      "two points together",
                      rod->length));
    const auto rows =
        std::visit([&](const auto& rule) { return compiler.rows(rule); }, constraint.rule);
    compiler.check(!constraint.path || constraint.path->size() == std::ssize(rows),
                   fmt::format("its path has {} value{}, but it has {} row{}",
                               constraint.path ? constraint.path->size() : 0,
                               constraint.path && constraint.path->size() == 1 ? "" : "s",
                               rows.size(), rows.size() == 1 ? "" : "s"));
    for (int k = 0; k < std::ssize(rows); ++k) {
      const auto& [part, rule] = rows[k];
      ConstraintRow row{part.empty() ? constraint.name : constraint.name + "." + part, i, rule,
                        constraint.path, k};
      row.is_angle = is_angle(coordinates, row);
      if (const auto* rope = std::get_if<Distance>(&constraint.rule))
        row.taken_up = compiler.terms(rope->joints);
      if (row.path) follow(row);
      compiler.check(!row.path || !std::holds_alternative<AxesRow>(row.rule),
                     "a path may move positions, distances and joints, but not rotations; give the "
                     "base joints that turn it");
      all.push_back(std::move(row));
    }
  }
  return all;
}

std::vector<FrameSpringLayout> frame_spring_layouts(const std::vector<FrameSpring>& given,
                                                    const std::vector<Frame>& frames) {
  std::vector<FrameSpringLayout> all;
  std::set<std::string> taken;
  for (const FrameSpring& spring : given) {
    const FrameFinder finder(
        frames, spring.where.empty() ? fmt::format("spring '{}'", spring.name) : spring.where);
    check_name(finder, spring.name, taken, "spring");
    for (const double number : {spring.stiffness, spring.damping, spring.length})
      finder.check(std::isfinite(number) && number >= 0,
                   "stiffness, damping and length must be finite and not negative");
    all.push_back({spring.name,
                   finder.point(spring.a, spring.b, {.kind = PointField::Kind::sphere}),
                   spring.stiffness, spring.damping, spring.length});
  }
  return all;
}

}  // namespace tauflex

#include "tauflex/model/constraint_file.hpp"

#include <fmt/format.h>

#include <tuple>

#include "tauflex/base/text.hpp"
#include "tauflex/model/directions.hpp"
#include "tauflex/model/geometry_file.hpp"
#include "tauflex/trajectory/path_file.hpp"

namespace tauflex {

namespace {

std::pair<std::string, std::string> read_frame_pair(const Node& node) {
  const Node frames = node.at("frames");
  if (!frames.is_list() || frames.size() != 2) frames.fail("expected two frames: [a, b]");
  return {frames[0].text(), frames[1].text()};
}

// {upper: 1, fore: -1}
JointSum read_joint_sum(const Node& node, const char* unit) {
  JointSum sum;
  const Node joints = node.at("joints");
  if (!joints.is_map()) joints.fail("expected joints and their coefficients: {upper: 1, fore: 1}");
  for (const std::string& joint : joints.keys())
    sum.emplace_back(joint, joints.at(joint).in(unit).number());
  return sum;
}

// The rule of a constraint, and the names of its rows for its path.
using Rule = std::pair<ConstraintRule, std::vector<std::string>>;

template <class T>
void read_on(const Node& node, T& rule) {
  rule.frame = node.at("frame").text();
  if (const auto on = node.find("on")) rule.on = on->text();
}

// The constant that a path would replace.
double constant(const Node& node, const char* key, const char* unit, bool has_path, double unused) {
  if (!has_path) return node.at(key).in(unit).number();
  if (node.has(key)) node.at(key).fail("cannot be given together with a path, which replaces it");
  return unused;
}

Rule read_closure(const Node& node, const std::string&, bool) {
  node.allow({"frames", "locked"});
  Closure rule;
  std::tie(rule.a, rule.b) = read_frame_pair(node);
  if (const auto locked = node.find("locked")) rule.locked = read_directions(*locked);
  std::vector<std::string> rows;
  for (size_t k = 0; k < 6; ++k)
    if (rule.locked[k]) rows.push_back(direction_names[k]);
  return {rule, rows};
}

Rule read_distance(const Node& node, const std::string& name, bool has_path) {
  node.allow({"frames", "length", "joints"});
  Distance rule;
  std::tie(rule.a, rule.b) = read_frame_pair(node);
  rule.length = constant(node, "length", "m", has_path, 0);
  // m per rad of a drum, or of a block that moves
  if (node.has("joints")) rule.joints = read_joint_sum(node, "m");
  return {rule, {name}};
}

Rule read_plane(const Node& node, const std::string& name, bool) {
  node.allow({"frame", "on", "point", "normal"});
  OnPlane rule;
  read_on(node, rule);
  if (const auto point = node.find("point")) rule.point = point->in("m").numbers(3);
  rule.normal = read_axis(node.at("normal"));
  return {rule, {name}};
}

Rule read_sphere(const Node& node, const std::string& name, bool has_path) {
  node.allow({"frame", "on", "center", "radius"});
  OnSphere rule;
  read_on(node, rule);
  if (const auto center = node.find("center")) rule.center = center->in("m").numbers(3);
  rule.radius = constant(node, "radius", "m", has_path, 1);
  return {rule, {name}};
}

Rule read_line(const Node& node, const std::string&, bool) {
  node.allow({"frame", "on", "point", "direction"});
  OnLine rule;
  read_on(node, rule);
  if (const auto point = node.find("point")) rule.point = point->in("m").numbers(3);
  rule.direction = read_axis(node.at("direction"));
  return {rule, {"n1", "n2"}};
}

Rule read_circle(const Node& node, const std::string&, bool has_path) {
  node.allow({"frame", "on", "center", "normal", "radius"});
  OnCircle rule;
  read_on(node, rule);
  if (const auto center = node.find("center")) rule.center = center->in("m").numbers(3);
  rule.normal = read_axis(node.at("normal"));
  rule.radius = constant(node, "radius", "m", has_path, 1);
  return {rule, {"normal", "radial"}};
}

Rule read_polynomial(const Node& node, const std::string&, bool) {
  node.allow({"frame", "on", "coefficients"});
  OnPolynomial rule;
  read_on(node, rule);
  for (const double c : node.at("coefficients").numbers()) rule.coefficients.push_back(c);
  return {rule, {"y", "z"}};
}

Rule read_relation(const Node& node, const std::string& name, bool has_path) {
  node.allow({"joints", "value"});
  Relation rule;
  rule.joints = read_joint_sum(node, "");
  rule.value = constant(node, "value", "rad|m", has_path, 0);
  return {rule, {name}};
}

using Reader = Rule (*)(const Node& node, const std::string& name, bool has_path);
constexpr std::pair<const char*, Reader> readers[] = {
    {"closure", read_closure},       {"distance", read_distance}, {"plane", read_plane},
    {"sphere", read_sphere},         {"line", read_line},         {"circle", read_circle},
    {"polynomial", read_polynomial}, {"relation", read_relation}};

}  // namespace

Constraint read_constraint(const Node& node) {
  node.allow({"name", "path", "closure", "distance", "plane", "sphere", "line", "circle",
              "polynomial", "relation"});
  Constraint constraint;
  constraint.where = node.where() + ": " + node.path();
  constraint.name = node.at("name").text();
  std::vector<std::string> kinds, given;
  Reader read = nullptr;
  for (const auto& [kind, reader] : readers) {
    kinds.push_back(kind);
    if (!node.has(kind)) continue;
    given.push_back(kind);
    read = reader;
  }
  if (given.size() != 1)
    node.fail(fmt::format("expected exactly one of {}, got {}", join(kinds),
                          given.empty() ? "none" : join(given)));
  std::vector<std::string> rows;
  std::tie(constraint.rule, rows) = read(node.at(given[0]), constraint.name, node.has("path"));
  if (const auto path = node.find("path")) constraint.path = read_path(*path, rows);
  return constraint;
}

FrameSpring read_frame_spring(const Node& node) {
  node.allow({"name", "frames", "stiffness", "damping", "length"});
  FrameSpring spring;
  spring.where = node.where() + ": " + node.path();
  spring.name = node.at("name").text();
  std::tie(spring.a, spring.b) = read_frame_pair(node);
  if (const auto stiffness = node.find("stiffness"))
    spring.stiffness = stiffness->in("N/m").not_negative();
  if (const auto damping = node.find("damping"))
    spring.damping = damping->in("N s/m").not_negative();
  if (const auto length = node.find("length")) spring.length = length->in("m").not_negative();
  return spring;
}

JointSpring read_joint_spring(const Node& node) {
  node.allow({"name", "links", "joints", "stiffness", "damping", "rest"});
  JointSpring spring;
  spring.where = node.where() + ": " + node.path();
  spring.name = node.at("name").text();
  if (node.has("joints") && node.has("links")) node.fail("has links and joints; give one of them");
  if (node.has("joints")) {
    spring.joints = read_joint_sum(node, "");
  } else {
    const Node links = node.at("links");
    if (!links.is_list() || links.size() != 2) links.fail("expected two links: [a, b]");
    spring.a = links[0].text();
    spring.b = links[1].text();
  }
  if (const auto stiffness = node.find("stiffness"))
    spring.stiffness = stiffness->in("N m/rad|N/m").not_negative();
  if (const auto damping = node.find("damping"))
    spring.damping = damping->in("N m s/rad|N s/m").not_negative();
  if (const auto rest = node.find("rest")) spring.rest = rest->in("rad|m").number();
  return spring;
}

}  // namespace tauflex

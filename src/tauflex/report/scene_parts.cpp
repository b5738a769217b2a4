#include "tauflex/report/scene_parts.hpp"

namespace tauflex {

namespace {

const Frame world{"world", -1, {}};

const Frame& named_frame(const Robot& robot, const std::string& name) {
  const int found = robot.find_frame(name);
  return found < 0 ? world : robot.frames()[found];
}

// The link that carries the first of the bodies of a link.
int parent_of(const Tree& tree, int link) {
  int body = tree.body_of_link[link];
  while (body >= 0 && tree.bodies[body].link == link) body = tree.bodies[body].parent;
  return body < 0 ? -1 : tree.bodies[body].link;
}

LinkPoint placed(const Robot& robot, const std::string& on, const Vector3& point,
                 const Vector3& normal) {
  LinkPoint at = link_point(robot, named_frame(robot, on));
  at.X_LP = at.X_LP * Pose{rotation_with_z_along(normal.normalized()), point};
  return at;
}

}  // namespace

LinkPoint link_point(const Robot& robot, const Frame& frame) {
  if (frame.body < 0) return {-1, frame.X_BF};
  // Beyond a beam: as if it were straight.
  const Body& body = robot.tree().bodies[frame.body];
  return {body.link, Pose{body.R_LB, body.p_LB} * frame.X_BF};
}

std::vector<SceneLink> scene_links(const Robot& robot, double size) {
  std::vector<std::vector<Shape>> shapes = link_shapes(robot, size);
  std::vector<SceneLink> links;
  for (int i = 0; i < std::ssize(robot.tree().link_names); ++i)
    links.push_back({robot.tree().link_names[i], parent_of(robot.tree(), i), std::move(shapes[i])});
  return links;
}

std::vector<SceneConnection> scene_connections(const Robot& robot) {
  std::vector<SceneConnection> all;
  const auto connect = [&](const char* kind, const std::string& name, const std::string& a,
                           const std::string& b) {
    all.push_back({kind, name, link_point(robot, named_frame(robot, a)),
                   link_point(robot, named_frame(robot, b))});
  };
  for (const Constraint& constraint : robot.description().constraints) {
    if (const auto* loop = std::get_if<Closure>(&constraint.rule))
      connect("loop", constraint.name, loop->a, loop->b);
    if (const auto* rod = std::get_if<Distance>(&constraint.rule))
      connect("rod", constraint.name, rod->a, rod->b);
  }
  for (const FrameSpring& spring : robot.description().frame_springs)
    connect("spring", spring.name, spring.a, spring.b);
  return all;
}

std::vector<SceneSurface> scene_surfaces(const Robot& robot) {
  std::vector<SceneSurface> all;
  for (const Constraint& constraint : robot.description().constraints) {
    const std::string& name = constraint.name;
    if (const auto* plane = std::get_if<OnPlane>(&constraint.rule))
      all.push_back({"plane", name, placed(robot, plane->on, plane->point, plane->normal)});
    if (const auto* ball = std::get_if<OnSphere>(&constraint.rule))
      all.push_back(
          {"sphere", name, placed(robot, ball->on, ball->center, Vector3::UnitZ()), ball->radius});
    if (const auto* line = std::get_if<OnLine>(&constraint.rule))
      all.push_back({"line", name, placed(robot, line->on, line->point, line->direction)});
    if (const auto* ring = std::get_if<OnCircle>(&constraint.rule))
      all.push_back(
          {"circle", name, placed(robot, ring->on, ring->center, ring->normal), ring->radius});
  }
  return all;
}

int scene_tool(const Robot& robot, const Outputs& outputs) {
  for (const OutputGroup& group : outputs.groups)
    if (const PositionOutput* position = group.position()) return position->frame;
  if (const int tool = robot.find_frame("tool"); tool >= 0) return tool;
  const auto named = std::ssize(robot.description().frames);
  return static_cast<int>(named > 0 ? named - 1 : std::ssize(robot.frames()) - 1);
}

}  // namespace tauflex

#include "tauflex/report/scene_parts.hpp"

#include "tauflex/mechanics/beam_motion.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {

namespace {

const Frame world{"world", -1, {}};

constexpr int most_stations = 16;  // of the centre line, on each segment

const Frame& named_frame(const Robot& robot, const std::string& name) {
  const int found = robot.find_frame(name);
  return found < 0 ? world : robot.frames()[found];
}

// Per body: the index of what carries it in the scene.
std::vector<int> scene_places(const Tree& tree) {
  std::vector<int> places;
  int place = -1, link = -1;
  for (const Body& body : tree.bodies) {
    if (body.link != link || body.beam >= 0) ++place;
    link = body.link;
    places.push_back(place);
  }
  return places;
}

// Axes of the link at the far end of a segment.
Pose segment_end(const Body& body) { return {body.R_LB.transpose(), Vector3::Zero()}; }

LinkPoint placed(const Robot& robot, const std::string& on, const Vector3& point,
                 const Vector3& normal) {
  LinkPoint at = link_point(robot, named_frame(robot, on));
  at.X_LP = at.X_LP * Pose{rotation_with_z_along(normal.normalized()), point};
  return at;
}

}  // namespace

LinkPoint link_point(const Robot& robot, const Frame& frame) {
  if (frame.body < 0) return {-1, frame.X_BF};
  const Body& body = robot.tree().bodies[frame.body];
  const int place = scene_places(robot.tree())[frame.body];
  if (body.beam >= 0) return {place, segment_end(body).inverse() * frame.X_BF};
  return {place, Pose{body.R_LB, body.p_LB} * frame.X_BF};
}

std::vector<SceneLink> scene_links(const Robot& robot, double size) {
  const Tree& tree = robot.tree();
  std::vector<std::vector<Shape>> shapes = link_shapes(robot, size);
  const std::vector<int> places = scene_places(tree);
  const auto count = std::ssize(tree.link_names);
  std::vector<SceneLink> links;
  for (int i = 0; i < std::ssize(tree.bodies); ++i) {
    const Body& body = tree.bodies[i];
    const std::string& name = tree.link_names[body.link];
    const int parent = body.parent < 0 ? -1 : places[body.parent];
    if (body.beam >= 0)
      links.push_back({name + ", end of its beam", parent, {}, {name, i, segment_end(body)}});
    else if (places[i] == std::ssize(links))
      links.push_back({name, parent, std::move(shapes[body.link]),
                       robot.frames()[robot.frames().size() - count + body.link]});
  }
  return links;
}

std::vector<SceneBeam> scene_beams(const Robot& robot) {
  const Tree& tree = robot.tree();
  const std::vector<int> places = scene_places(tree);
  std::vector<SceneBeam> all;
  for (int link = 0; link < std::ssize(tree.link_names); ++link) {
    const int first = tree.body_of_link[link], last = tree.end_of_link[link];
    if (first == last) continue;
    SceneBeam beam{places[first], places[last], {}, {}};
    const Body& start = tree.bodies[first + 1];
    std::vector<Vector3> line = {start.p_LB - tree.beams[start.beam].length * start.R_LB.col(0)};
    for (int i = first + 1; i <= last; ++i) {
      const Body& body = tree.bodies[i];
      const BeamLayout& layout = tree.beams[body.beam];
      double reached = 0;
      // points are in the order of the elements; masses that were added come behind those of theirs
      for (int k = 0; k < std::ssize(layout.points); ++k) {
        const Vector3& at = layout.points[k].at;
        if (at[1] != 0 || at[2] != 0 || at[0] < reached + layout.length / most_stations) continue;
        if (at[0] > (1 - 0.5 / most_stations) * layout.length) break;
        reached = at[0];
        line.push_back(body.p_LB + (reached - layout.length) * body.R_LB.col(0));
        beam.stations.push_back({i, k});
      }
      line.push_back(body.p_LB);
      beam.stations.push_back({i, -1});
    }
    beam.straight.resize(3, std::ssize(line));
    for (Eigen::Index k = 0; k < beam.straight.cols(); ++k) beam.straight.col(k) = line[k];
    all.push_back(std::move(beam));
  }
  return all;
}

Matrix beam_line(const Robot& robot, const MechanicsData& data, const SceneBeam& beam) {
  const Tree& tree = robot.tree();
  const int link = tree.bodies[beam.stations[0].body].link;
  const Frame& frame =
      robot.frames()[robot.frames().size() - tree.link_names.size() + static_cast<size_t>(link)];
  const Matrix3 R = frame_rotation<double>(data, frame);
  const Vector3 p = frame_position<double>(data, frame);
  Matrix line(3, beam.straight.cols());
  line.col(0) = beam.straight.col(0);
  for (size_t k = 0; k < beam.stations.size(); ++k) {
    const auto [i, point] = beam.stations[k];
    const int segment = tree.bodies[i].beam;
    const Vector3 at =
        point < 0 ? data.p[i] : beam_point(tree.beams[segment].points[point], data.beam[segment]);
    line.col(static_cast<Eigen::Index>(k) + 1) = R.transpose() * (at - p);
  }
  return line;
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

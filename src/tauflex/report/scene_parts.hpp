// What stands in a scene besides motions: links, loops, surfaces, the tool.
#pragma once

#include <string>
#include <vector>

#include "tauflex/mechanics/mechanics_data.hpp"
#include "tauflex/problem/output.hpp"
#include "tauflex/report/link_shapes.hpp"

namespace tauflex {

// A point or a frame that moves with a link; -1: the world.
struct LinkPoint {
  int link = -1;
  Pose X_LP = {};
};

// A link, or the far end of a segment of its beam, which follows its link: at that end, with the
// axes of the link where the beam is straight.
struct SceneLink {
  std::string name;
  // Stands before it; -1: the world.
  int parent = -1;
  std::vector<Shape> shapes;
  Frame frame;
};

// The centre line of a beam: the shapes of its link bend with it.
struct SceneBeam {
  // Indices of the link that carries it and of its far end, among the SceneLinks.
  int link = -1, end = -1;
  // 3 x points, without load, in axes of the link; from the near end to the far one.
  Matrix straight;
  // Where they are: the body of a segment, and one of its points; -1: its end.
  struct Station {
    int body, point;
  };
  // Of all points but the first, which is at the start of the first segment.
  std::vector<Station> stations;
};

// Two points that a loop keeps together, or a rod or spring between them.
struct SceneConnection {
  std::string kind, name;
  LinkPoint a, b;
};

struct SceneSurface {
  // "plane", "sphere", "line", "circle"
  std::string kind, name;
  // Its origin; z is the normal or the direction.
  LinkPoint at;
  double radius = 0;  // m
};

std::vector<SceneLink> scene_links(const Robot& robot, double size);
std::vector<SceneBeam> scene_beams(const Robot& robot);
std::vector<SceneConnection> scene_connections(const Robot& robot);
std::vector<SceneSurface> scene_surfaces(const Robot& robot);

// Index of the frame that the scene follows: the first position among the outputs, else a frame
// called tool, else the last named one, else the last link.
int scene_tool(const Robot& robot, const Outputs& outputs);

// A frame as a point of its link, or of the end of a beam that carries it.
LinkPoint link_point(const Robot& robot, const Frame& frame);

// After kinematics(): the centre line as it is bent, 3 x points, in axes of its link.
Matrix beam_line(const Robot& robot, const MechanicsData& data, const SceneBeam& beam);

}  // namespace tauflex

// What stands in a scene besides motions: links, loops, surfaces, the tool.
#pragma once

#include <string>
#include <vector>

#include "tauflex/problem/output.hpp"
#include "tauflex/report/link_shapes.hpp"

namespace tauflex {

// A point or a frame that moves with a link; -1: the world.
struct LinkPoint {
  int link = -1;
  Pose X_LP = {};
};

struct SceneLink {
  std::string name;
  // -1: the world
  int parent = -1;
  std::vector<Shape> shapes;
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
std::vector<SceneConnection> scene_connections(const Robot& robot);
std::vector<SceneSurface> scene_surfaces(const Robot& robot);

// Index of the frame that the scene follows: the first position among the outputs, else a frame
// called tool, else the last named one, else the last link.
int scene_tool(const Robot& robot, const Outputs& outputs);

// A frame as a point of its link.
LinkPoint link_point(const Robot& robot, const Frame& frame);

}  // namespace tauflex

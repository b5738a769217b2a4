// What stands in a scene besides motions: links, loops, surfaces, the tool.
#pragma once

#include "tauflex/problem/output.hpp"
#include "tauflex/report/scene.hpp"

namespace tauflex {

std::vector<SceneLink> scene_links(const Robot& robot, double size);
std::vector<SceneConnection> scene_connections(const Robot& robot);
std::vector<SceneSurface> scene_surfaces(const Robot& robot);

// Index of the frame that the scene follows: the first position among the outputs, else a frame
// called tool, else the last named one, else the last link.
int scene_tool(const Robot& robot, const Outputs& outputs);

// A frame as a point of its link.
LinkPoint link_point(const Robot& robot, const Frame& frame);

}  // namespace tauflex

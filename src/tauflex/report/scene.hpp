// A run as a drawing that moves: links with their shapes, where they are over time, paths of the
// tool, loops, surfaces and forces. docs/scene.md says how it is written to scene.json.
#pragma once

#include <string>
#include <vector>

#include "tauflex/report/scene_parts.hpp"
#include "tauflex/results/free_run.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {

// Where every link is at every time of the scene: 7 rows per link, its origin and its quaternion
// (w, x, y, z); one column per time.
struct SceneMotion {
  std::string name;
  Matrix frames;
};

// What a constraint puts on the robot: 6 rows, point and force (N) in world axes.
struct SceneForce {
  std::string name;
  Matrix arrow;
};

struct Scene {
  double size = 1;  // m, of the longest link
  Vector3 up = Vector3::UnitZ();
  std::vector<SceneLink> links;
  Vector t;
  // "reached" first, then "undeformed" and "rigid" where there are such.
  std::vector<SceneMotion> motions;
  std::string tool_name;
  LinkPoint tool;
  // 3 rows: where the tool shall be, and how far from there it is; empty without a task.
  Matrix wanted, error, rigid_error;
  std::vector<SceneConnection> connections;
  std::vector<SceneSurface> surfaces;
  std::vector<SceneForce> forces;
};

// Of the proof where there is one, else as computed; where there is neither, at rest along the path
// as far as that is known.
Scene scene(const Record& record);
Scene scene(const FreeRun& run);

}  // namespace tauflex

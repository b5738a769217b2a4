// A run as a drawing that moves: links with their shapes, where they are over time, paths of the
// tool, loops, surfaces and forces. docs/scene.md says how it is written to scene.json.
#pragma once

#include <string>
#include <vector>

#include "tauflex/analysis/natural_modes.hpp"
#include "tauflex/report/scene_parts.hpp"
#include "tauflex/results/free_run.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {

// Where everything is at every time of the scene, one column per time.
struct SceneMotion {
  std::string name;
  // 7 rows per link: its origin and its quaternion (w, x, y, z).
  Matrix frames;
  // 3 rows per point of the centre lines of all beams, in axes of the links that carry them.
  Matrix lines;
};

// A natural mode, through one period at a size that can be seen.
struct SceneMode {
  double frequency = 0;  // Hz
  double damping = 0;    // part of critical damping
  std::string words;     // which parts deform
  SceneMotion motion;
};

// Natural modes with the motors locked, and where the robot rests between.
struct SceneModes {
  SceneMotion rest;
  std::vector<SceneMode> modes;
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
  std::vector<SceneBeam> beams;
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
  SceneModes modes;
};

// Of the proof where there is one, else as computed; where there is neither, at rest along the path
// as far as that is known.
Scene scene(const Record& record);
Scene scene(const FreeRun& run);
// A robot that stands still at q, and how it swings about it.
Scene scene(const Robot& robot, const Vector& q, const NaturalModes& modes);

}  // namespace tauflex

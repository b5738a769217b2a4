#include "tauflex/export/mjcf_replay.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/base/sizes.hpp"
#include "tauflex/export/mjcf.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {

namespace {

constexpr const char* script = R"(#!/usr/bin/env python3
"""Repeats the motion of {0} in MuJoCo under the torques of tauflex and prints how far its frames get from where they should be.
Needs the packages mujoco and numpy."""
import pathlib

import mujoco
import numpy as np

here = pathlib.Path(__file__).parent
model = mujoco.MjModel.from_xml_path(str(here / "{0}.xml"))
data = mujoco.MjData(model)
mujoco.mj_resetDataKeyframe(model, data, 0)  # the start of the motion
names = (here / "{0}_torques.csv").open().readline().strip().split(",")
rows = np.loadtxt(here / "{0}_torques.csv", delimiter=",", skiprows=1)
torques = [i for i, name in enumerate(names) if name.startswith("u.")]
frames = {{name[2:-2]: i for i, name in enumerate(names) if name.startswith("p.") and name.endswith(".x")}}
worst = dict.fromkeys(frames, 0.0)
for row in rows:
    mujoco.mj_kinematics(model, data)
    for frame, i in frames.items():
        worst[frame] = max(worst[frame], np.linalg.norm(data.site(frame).xpos - row[i:i + 3]))
    data.ctrl[:] = row[torques]  # in the order of the model's motors, N m or N at the motors
    mujoco.mj_step(model, data)
for frame, error in worst.items():
    print(f"{{frame}}: at most {{error:.3e}} m from where it should be")
)";

}  // namespace

Table replay_table(const ExportedMotion& motion, double step) {
  const Robot& robot = motion.robot;
  const Vector times = motion.table.values.col(motion.table.find("t"));
  const double begin = times[0], end = times[times.size() - 1];
  const double count = std::floor((end - begin) / step + 1e-9);
  const std::vector<std::string> frames = mjcf_frames(robot);
  Table table{{"t"}, {}};
  for (const std::string& drive : robot.actuation().names) table.columns.push_back("u." + drive);
  for (const std::string& frame : frames)
    for (const char* axis : {".x", ".y", ".z"}) table.columns.push_back("p." + frame + axis);
  require_room(fmt::format("steps of {:.3g} s over {:.6g} s", step, end - begin), count,
               static_cast<double>(table.columns.size()));

  const auto n = static_cast<Eigen::Index>(count) + 1;
  Vector t(n);
  for (Eigen::Index i = 0; i < n; ++i) t[i] = begin + static_cast<double>(i) * step;
  const Table at_begin = at_times(motion.table, t),
              at_middle = at_times(motion.table, t.array() + 0.5 * step);
  const Matrix u = motion.rows(at_middle, "u.", robot.actuation().names),
               q = motion.rows(at_begin, "q.", robot.coordinates().names);
  table.values.resize(n, std::ssize(table.columns));
  MechanicsData data(robot);
  for (Eigen::Index i = 0; i < n; ++i) {
    table.values(i, 0) = t[i];
    table.values.row(i).segment(1, u.rows()) = u.col(i).transpose();
    kinematics<double>(robot, data, q.col(i));
    for (int k = 0; k < std::ssize(frames); ++k)
      table.values.row(i).segment<3>(1 + u.rows() + 3 * k) =
          frame_position<double>(data, robot.frames()[robot.find_frame(frames[k])]).transpose();
  }
  return table;
}

ExportedMotion with_probe(ExportedMotion motion) {
  RobotDescription robot = motion.robot.description();
  if (!robot.frames.empty() || robot.links.empty()) return motion;
  const std::string link = robot.links.back().name;
  robot.frames.push_back({link + "_probe", link, Pose{Matrix3::Identity(), Vector3::Ones()}, {}});
  motion.robot = Robot(robot);
  return motion;
}

std::map<std::string, std::string> mjcf_files(const ExportedMotion& given) {
  const ExportedMotion motion = with_probe(given);
  const MjcfModel model = mjcf_model(motion);
  return {{motion.name + ".xml", model.xml},
          {motion.name + "_torques.csv", format_table(replay_table(motion, model.step))},
          {"replay.py", fmt::format(script, motion.name)}};
}

}  // namespace tauflex

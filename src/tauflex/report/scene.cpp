#include "tauflex/report/scene.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "tauflex/mechanics/drive_train.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/row_geometry.hpp"
#include "tauflex/problem/find_outputs.hpp"
#include "tauflex/report/course.hpp"
#include "tauflex/report/scene_parts.hpp"

namespace tauflex {

namespace {

// Numbers in all frames of one motion; a page with three motions stays below 3 MB.
constexpr Eigen::Index most_numbers = 60'000;
constexpr Eigen::Index fewest_times = 30, most_times = 600;

std::vector<Eigen::Index> shown_columns(Eigen::Index columns, Eigen::Index links) {
  const Eigen::Index most =
      std::clamp(most_numbers / (7 * std::max<Eigen::Index>(links, 1)), fewest_times, most_times);
  std::vector<Eigen::Index> shown;
  if (columns <= most) {
    for (Eigen::Index i = 0; i < columns; ++i) shown.push_back(i);
  } else {
    for (Eigen::Index i = 0; i < most; ++i) shown.push_back(i * (columns - 1) / (most - 1));
  }
  return shown;
}

// The column of t that is closest to each of the shown times.
Matrix at_times(const Vector& shown, const Vector& t, const Matrix& all) {
  Matrix kept(all.rows(), shown.size());
  Eigen::Index i = 0;
  for (Eigen::Index k = 0; k < shown.size(); ++k) {
    while (i + 1 < t.size() && std::abs(t[i + 1] - shown[k]) <= std::abs(t[i] - shown[k])) ++i;
    kept.col(k) = all.col(std::min(i, all.cols() - 1));
  }
  return kept;
}

class Stage {
 public:
  Stage(const Robot& robot, const Outputs& outputs, Scene& scene)
      : robot_(robot), data_(robot), drives_(robot), scene_(scene) {
    tool_ = scene_tool(robot, outputs);
    scene.size = link_size(robot);
    if (robot.gravity().norm() > 0) scene.up = -robot.gravity().normalized();
    scene.links = scene_links(robot, scene.size);
    scene.connections = scene_connections(robot);
    scene.surfaces = scene_surfaces(robot);
    if (robot.frames().empty()) return;
    scene.tool_name = robot.frames()[tool_].name;
    scene.tool = link_point(robot, robot.frames()[tool_]);
  }

  void add_motion(const std::string& name, const Matrix& q) {
    const size_t links = scene_.links.size();
    SceneMotion motion{name, Matrix(7 * static_cast<Eigen::Index>(links), q.cols())};
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      kinematics<double>(robot_, data_, q.col(i));
      for (size_t l = 0; l < links; ++l) {
        const Frame& frame = robot_.frames()[robot_.frames().size() - links + l];
        const Eigen::Quaterniond turn(frame_rotation<double>(data_, frame));
        motion.frames.col(i).segment<7>(7 * static_cast<Eigen::Index>(l))
            << frame_position<double>(data_, frame),
            turn.w(), turn.x(), turn.y(), turn.z();
      }
    }
    scene_.motions.push_back(std::move(motion));
  }

  // With every spring at rest: joints where their motors are, passive springs without force.
  void add_undeformed(const Matrix& q) {
    std::vector<int> sprung;
    for (const SpringEntry& entry : robot_.springs().joint)
      if (entry.row == entry.column && entry.stiffness > 0) sprung.push_back(entry.row);
    for (const HardeningEntry& entry : robot_.springs().joint_hardening)
      sprung.push_back(entry.row);
    if (sprung.empty() && drives_.size() == 0) return;
    Matrix straight = q;
    Vector stretch(drives_.size()), step(robot_.tree_nv());
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      step.setZero();
      drives_.stretch(q.col(i), stretch);
      drives_.set_loads(stretch, step);
      for (const int v : sprung)
        if (const int k = robot_.coordinates().of_velocity[v]; k >= 0)
          step[v] = robot_.springs().rest[v] - q(k, i);
      move(robot_, step, straight.col(i));
    }
    add_motion("undeformed", straight);
  }

  Matrix tool_path(const Matrix& q) {
    Matrix path(3, q.cols());
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      kinematics<double>(robot_, data_, q.col(i));
      path.col(i) = frame_position<double>(data_, robot_.frames()[tool_]);
    }
    return path;
  }

  // What rows of g between frames put on their second frame.
  void add_forces(const Matrix& q, const Matrix& lambda) {
    const auto& rows = robot_.constraints();
    if (lambda.rows() != std::ssize(rows)) return;
    for (size_t c = 0; c < robot_.description().constraints.size(); ++c) {
      SceneForce force{robot_.description().constraints[c].name, Matrix::Zero(6, q.cols())};
      bool acts = false;
      for (Eigen::Index i = 0; i < q.cols(); ++i) {
        kinematics<double>(robot_, data_, q.col(i));
        for (size_t r = 0; r < rows.size(); ++r) {
          const auto* point = std::get_if<PointRow>(&rows[r].rule);
          if (!point || rows[r].constraint != static_cast<int>(c)) continue;
          const RowGeometry<double> geometry(robot_, data_, *point);
          force.arrow.col(i).head<3>() = frame_position<double>(data_, geometry.b());
          force.arrow.col(i).tail<3>() +=
              lambda(static_cast<Eigen::Index>(r), i) * geometry.wrench().f;
          acts = true;
        }
      }
      if (acts) scene_.forces.push_back(std::move(force));
    }
  }

 private:
  const Robot& robot_;
  MechanicsData data_;
  DriveTrain drives_;
  Scene& scene_;
  int tool_ = 0;
};

// Where the tool shall be: as computed, and in the components that the path gives as the path says.
Matrix wanted_path(const Record& record, const Outputs& outputs, const Vector& t,
                   const Matrix& computed, const Matrix& y) {
  Matrix path = computed;
  const Matrix y_d = wanted(record, t);
  for (const OutputGroup& group : outputs.groups) {
    const PositionOutput* position = group.position();
    if (!position || position->reference.body >= 0) continue;
    for (size_t k = 0; k < group.rows.size(); ++k)
      for (Eigen::Index i = 0; i < t.size(); ++i)
        path.col(i) += position->reference.X_BF.R.col(position->axes[k]) *
                       (y_d(group.rows[k], i) - y(group.rows[k], i));
    break;
  }
  return path;
}

// A question without an answer: the robot at rest along its path, as far as it can be.
Scene standing(const Record& record) {
  Scene scene;
  const auto n = std::max<Eigen::Index>(1, std::ssize(record.at_rest));
  scene.t = Vector::Zero(n);
  Matrix q = record.robot.coordinates().neutral.replicate(1, n);
  for (Eigen::Index i = 0; i < std::ssize(record.at_rest); ++i) {
    scene.t[i] = record.at_rest[i].t;
    if (record.at_rest[i].state.q.size() == q.rows()) q.col(i) = record.at_rest[i].state.q;
  }
  for (const auto& [name, value] : record.job.task.near)
    if (const int k = record.robot.coordinates().find(name); k >= 0 && record.at_rest.empty())
      q.row(k).setConstant(value);
  Outputs outputs;
  try {
    outputs = find_outputs(record.robot, record.job.task);
  } catch (const Error&) {  // that may be what is wrong with it
  }
  Stage stage(record.robot, outputs, scene);
  stage.add_motion("reached", q);
  if (outputs.count() == 0 || !record.job.task.path) return scene;
  // The whole path, from where the tool is at its start.
  const Vector t = Vector::LinSpaced(200, 0, record.job.task.path->duration());
  const Matrix first = wanted(record, t.head(1));
  scene.wanted = wanted_path(record, outputs, t, stage.tool_path(q.leftCols(1)).replicate(1, 200),
                             first.replicate(1, 200));
  return scene;
}

}  // namespace

Scene scene(const Record& record) {
  if (!record.has_motion()) return standing(record);
  Scene scene;
  const Outputs outputs = find_outputs(record.robot, record.job.task);
  Stage stage(record.robot, outputs, scene);
  const Course run = course(record);
  const Solution& solution = record.solution;
  const auto columns = shown_columns(run.t.size(), std::ssize(scene.links));
  scene.t = run.t(columns);
  const Matrix q = run.q(Eigen::all, columns);
  stage.add_motion("reached", q);
  stage.add_undeformed(q);
  // A table without a motion has no columns of q.
  const bool computed = solution.q.cols() == solution.t.size() && solution.q.rows() == q.rows();
  const Matrix q_solved = computed ? at_times(scene.t, solution.t, solution.q) : q;
  const Matrix y_solved =
      computed ? at_times(scene.t, solution.t, solution.y) : Matrix(run.y(Eigen::all, columns));
  scene.wanted = wanted_path(record, outputs, scene.t, stage.tool_path(q_solved), y_solved);
  scene.error = stage.tool_path(q) - scene.wanted;
  if (record.rigid && record.rigid->run) {
    const Matrix q_rigid = at_times(scene.t, record.rigid->run->t, record.rigid->run->q);
    stage.add_motion("rigid", q_rigid);
    scene.rigid_error = stage.tool_path(q_rigid) - scene.wanted;
  }
  const Matrix& lambda = record.verification ? record.verification->lambda : solution.lambda;
  stage.add_forces(q, lambda(Eigen::all, columns));
  return scene;
}

Scene scene(const FreeRun& run) {
  Scene scene;
  const Simulation& s = run.simulation;
  Stage stage(run.plant, run.outputs, scene);
  const auto columns = shown_columns(s.t.size(), std::ssize(scene.links));
  scene.t = s.t(columns);
  const Matrix q = s.q(Eigen::all, columns);
  stage.add_motion("reached", q);
  stage.add_undeformed(q);
  stage.add_forces(q, s.lambda(Eigen::all, columns));
  return scene;
}

}  // namespace tauflex

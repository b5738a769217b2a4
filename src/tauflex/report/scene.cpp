#include "tauflex/report/scene.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

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
constexpr size_t most_modes = 8;
constexpr Eigen::Index phases = 24;  // of a period

// Numbers that one time of a motion takes.
Eigen::Index numbers_at_a_time(const Scene& scene) {
  Eigen::Index numbers = 7 * std::ssize(scene.links);
  for (const SceneBeam& beam : scene.beams) numbers += beam.straight.size();
  return std::max<Eigen::Index>(numbers, 1);
}

std::vector<Eigen::Index> shown_columns(Eigen::Index columns, const Scene& scene) {
  const Eigen::Index most =
      std::clamp(most_numbers / numbers_at_a_time(scene), fewest_times, most_times);
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
    scene.beams = scene_beams(robot);
    scene.connections = scene_connections(robot);
    scene.surfaces = scene_surfaces(robot);
    if (robot.frames().empty()) return;
    scene.tool_name = robot.frames()[tool_].name;
    scene.tool = link_point(robot, robot.frames()[tool_]);
  }

  SceneMotion motion(const std::string& name, const Matrix& q) {
    const Eigen::Index links = 7 * std::ssize(scene_.links);
    SceneMotion motion{name, Matrix(links, q.cols()),
                       Matrix(numbers_at_a_time(scene_) - links, q.cols())};
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      kinematics<double>(robot_, data_, q.col(i));
      for (Eigen::Index l = 0; l < std::ssize(scene_.links); ++l) {
        const Frame& frame = scene_.links[l].frame;
        const Eigen::Quaterniond turn(frame_rotation<double>(data_, frame));
        motion.frames.col(i).segment<7>(7 * l) << frame_position<double>(data_, frame), turn.w(),
            turn.x(), turn.y(), turn.z();
      }
      Eigen::Index row = 0;
      for (const SceneBeam& beam : scene_.beams) {
        motion.lines.col(i).segment(row, beam.straight.size()) =
            beam_line(robot_, data_, beam).reshaped();
        row += beam.straight.size();
      }
    }
    return motion;
  }
  void add_motion(const std::string& name, const Matrix& q) {
    scene_.motions.push_back(motion(name, q));
  }

  // With every spring at rest: joints where their motors are, passive springs without force, beams
  // straight.
  void add_undeformed(const Matrix& q) {
    std::vector<int> sprung;
    for (const SpringEntry& entry : robot_.springs().joint)
      if (entry.row == entry.column && entry.stiffness > 0) sprung.push_back(entry.row);
    for (const HardeningEntry& entry : robot_.springs().joint_hardening)
      sprung.push_back(entry.row);
    if (sprung.empty() && drives_.size() == 0 && scene_.beams.empty()) return;
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
    for (const Body& body : robot_.tree().bodies)
      if (body.beam >= 0) straight.middleRows(body.q_begin, body.v_count).setZero();
    add_motion("undeformed", straight);
  }

  // The slowest of them, each through one period.
  void add_modes(const Vector& q, const NaturalModes& found) {
    if (found.modes.empty()) return;
    scene_.modes.rest = motion("rest", q);
    for (const NaturalMode& mode : found.modes) {
      if (scene_.modes.modes.size() == most_modes) break;
      const double size = visible_size(q, mode.shape);
      Matrix period = q.replicate(1, phases + 1);
      for (Eigen::Index i = 0; i <= phases; ++i) {
        const auto turn = std::polar(size, 2 * std::numbers::pi * static_cast<double>(i) / phases);
        move(robot_, Vector((turn * mode.shape).real()), period.col(i));
      }
      scene_.modes.modes.push_back({mode.frequency, mode.damping, mode.words, motion("", period)});
    }
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
  // Factor of a mode's shape with which no link goes farther than a part of its size, or turns
  // farther than a part of a radian, by how far a small motion goes.
  double visible_size(const Vector& q, const Eigen::VectorXcd& shape) {
    constexpr double small = 1e-4, far = 0.1, turned = 0.3;
    Matrix moved = q.replicate(1, 3);
    move(robot_, Vector(small * shape.real()), moved.col(1));
    move(robot_, Vector(small * shape.imag()), moved.col(2));
    const SceneMotion at = motion("", moved);
    const Matrix tool = tool_path(moved);
    double goes = 0;
    for (const Eigen::Index i : {1, 2}) {
      goes = std::max(goes, (tool.col(i) - tool.col(0)).norm() / (far * scene_.size));
      for (Eigen::Index l = 0; l < std::ssize(scene_.links); ++l) {
        const auto a = at.frames.col(0).segment<7>(7 * l), b = at.frames.col(i).segment<7>(7 * l);
        const double turn = 2 * std::min((b - a).tail<4>().norm(), (b + a).tail<4>().norm());
        goes = std::max({goes, (b - a).head<3>().norm() / (far * scene_.size), turn / turned});
      }
      if (at.lines.size() > 0)
        goes = std::max(
            goes, (at.lines.col(i) - at.lines.col(0)).cwiseAbs().maxCoeff() / (far * scene_.size));
    }
    return goes > 0 ? small / goes : 0;
  }

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

// Modes at the start of the path. Beyond some coordinates they would take longer than a look at
// them is worth.
void add_start_modes(const Record& record, Stage& stage) {
  constexpr int most_coordinates = 80;
  if (record.at_rest.empty() || record.robot.is_linearized()) return;
  const RestState& rest = record.at_rest.front().state;
  if (record.robot.nv() > most_coordinates || rest.q.size() != record.robot.nq()) return;
  stage.add_modes(rest.q, natural_modes(record.robot, rest.q, rest.lambda, true));
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
  const auto columns = shown_columns(run.t.size(), scene);
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
  add_start_modes(record, stage);
  return scene;
}

Scene scene(const FreeRun& run) {
  Scene scene;
  const Simulation& s = run.simulation;
  Stage stage(run.plant, run.outputs, scene);
  const auto columns = shown_columns(s.t.size(), scene);
  scene.t = s.t(columns);
  const Matrix q = s.q(Eigen::all, columns);
  stage.add_motion("reached", q);
  stage.add_undeformed(q);
  stage.add_forces(q, s.lambda(Eigen::all, columns));
  return scene;
}

Scene scene(const Robot& robot, const Vector& q, const NaturalModes& modes) {
  constexpr double shown_for = 4;  // s, time to look at four periods
  Scene scene;
  Stage stage(robot, {}, scene);
  scene.t = Eigen::Vector2d(0, shown_for);
  stage.add_motion("reached", q.replicate(1, 2));
  stage.add_modes(q, modes);
  return scene;
}

}  // namespace tauflex

#include "tauflex/problem/find_outputs.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/mechanics/frame_motion.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/trajectory/output_name.hpp"

namespace tauflex {

namespace {

// The frame in which an output is meant: its own, else that of the task.
Frame reference_of(const Robot& robot, const Task& task, const OutputName& name) {
  const std::string& wanted = name.frame.empty() ? task.frame : name.frame;
  if (wanted.empty() || wanted == "world") return world_frame;
  const int found = robot.find_frame(wanted);
  if (found >= 0) return robot.frames()[found];
  std::vector<std::string> names;
  for (const Frame& frame : robot.frames()) names.push_back(frame.name);
  throw InputError(fmt::format("{}: frame '{}' does not exist{}", task.where, wanted,
                               did_you_mean(wanted, names)));
}

// X, which is given in a frame, on the body of that frame.
Frame placed_in(Frame frame, const Pose& X) {
  frame.X_BF.p += frame.X_BF.R * X.p;
  frame.X_BF.R *= X.R;
  return frame;
}

// 0 along, 1 across, 2 above; -1 for others.
int guide_part(const std::string& component) {
  const char* parts[] = {"along", "across", "above"};
  const auto found = std::find(std::begin(parts), std::end(parts), component);
  return found == std::end(parts) ? -1 : static_cast<int>(found - std::begin(parts));
}

[[noreturn]] void fail_unknown(const Robot& robot, const Task& task, const std::string& name) {
  const auto& [of, component, in] = split_output_name(name);
  for (const OutputParts& parts : outputs_with_parts())
    for (const char* part : parts.rows)
      if (robot.find_frame(of) >= 0 && component == part)
        throw InputError(fmt::format("{}: '{}' alone is not an {}; take {}.{}", task.where, name,
                                     parts.whole, of, parts.whole));
  if (robot.find_frame(of) >= 0 && guide_part(component) >= 0)
    throw InputError(
        fmt::format("{}: '{}' is measured from a guide; give task.guide, a line or a circle",
                    task.where, name));
  for (const std::string& row : robot.redundant_constraints())
    if (row + ".force" == name)
      throw InputError(
          fmt::format("{}: '{}' is not determined: other constraints hold the robot in "
                      "the same direction",
                      task.where, name));
  std::vector<std::string> known = robot.coordinates().names;
  for (const Frame& frame : robot.frames())
    for (const char* part : {".x", ".y", ".z", ".orientation", ".axis", ".yaw", ".along", ".across",
                             ".above", ".absolute"})
      known.push_back(frame.name + part);
  for (const ConstraintRow& row : robot.constraints()) known.push_back(row.name + ".force");
  throw InputError(fmt::format(
      "{}: '{}' is neither a position (frame.x, .y, .z) nor an angle (frame.yaw, link.absolute) "
      "nor a joint nor a rotor nor the force of a constraint{}",
      task.where, name, did_you_mean(name, known)));
}

std::optional<CoordinateOutput> find_coordinate(const Robot& robot, const Task& task,
                                                const std::string& name) {
  const int q = robot.coordinates().find(name);
  if (q < 0) return std::nullopt;
  for (int v = 0; v < robot.nv(); ++v)
    if (robot.coordinates().of_velocity[v] == q) return CoordinateOutput{q, v};
  throw InputError(
      fmt::format("{}: '{}' is part of a quaternion and cannot be an output", task.where, name));
}

std::optional<ForceOutput> find_force(const Robot& robot, const OutputName& name) {
  for (int row = 0; row < robot.constraint_count(); ++row)
    if (name.component == "force" && robot.constraints()[row].name == name.of)
      return ForceOutput{row};
  return std::nullopt;
}

// One component of a position, or of a place along a line.
std::optional<PositionOutput> find_position(const Robot& robot, const Task& task,
                                            const OutputName& name) {
  const int frame = robot.find_frame(name.of), part = guide_part(name.component);
  const auto axis = std::string("xyz").find(name.component);
  if (frame < 0) return std::nullopt;
  if (name.component.size() == 1 && axis != std::string::npos)
    return PositionOutput{frame, reference_of(robot, task, name), {static_cast<int>(axis)}};
  if (part < 0 || !task.guide || task.guide->radius) return std::nullopt;
  return PositionOutput{frame, placed_in(reference_of(robot, task, name), task.guide->X), {part}};
}

// One component of a place along a circle.
std::optional<ArcOutput> find_arc(const Robot& robot, const Task& task, const OutputName& name) {
  const int frame = robot.find_frame(name.of), part = guide_part(name.component);
  if (frame < 0 || part < 0 || !task.guide || !task.guide->radius) return std::nullopt;
  return ArcOutput{frame,
                   placed_in(reference_of(robot, task, name), task.guide->X),
                   *task.guide->radius,
                   {part}};
}

// The frame of the link that a coordinate moves first.
int frame_moved_by(const Robot& robot, int v) {
  int first = -1;
  for (int i = 0; i < static_cast<int>(robot.frames().size()); ++i) {
    const int body = robot.frames()[i].body;
    if (body >= 0 && moves(robot, v, body) && (first < 0 || body <= robot.frames()[first].body))
      first = i;
  }
  return first;
}

// Of a joint in axes of the reference, with all joints at zero; zero where it does not turn.
Vector3 axis_of_joint(const Robot& robot, const MechanicsData& at_zero, const Frame& reference,
                      int v) {
  const int frame = frame_moved_by(robot, v);
  if (frame < 0) return Vector3::Zero();
  return frame_rotation(at_zero, reference).transpose() *
         motion_of<double>(robot, at_zero, robot.frames()[frame], v).w;
}

// About an axis of the frame it is meant in: yaw about z; or about the axis of the link's own
// joint, 0 with all joints at zero.
std::optional<AngleOutput> find_angle(const Robot& robot, const Task& task,
                                      const OutputName& name) {
  const std::string& part = name.component;
  const bool is_absolute = part == "absolute";
  if (!is_absolute && part != "yaw" && !(part.starts_with("angle_") && part.size() == 7))
    return std::nullopt;
  const auto about = std::string("xyz").find(part == "yaw" ? 'z' : part.back());
  if (!is_absolute && about == std::string::npos) return std::nullopt;
  MechanicsData data(robot);
  kinematics<double>(robot, data, robot.coordinates().neutral);
  int frame = robot.find_frame(name.of);
  const Frame reference = reference_of(robot, task, name);
  Matrix3 axes;  // z is turned about, x is where the angle is 0
  Vector3 pointer;
  if (is_absolute) {
    const int v = robot.coordinates().find_velocity(name.of);
    const Vector3 n = v < 0 ? Vector3(0, 0, 0) : axis_of_joint(robot, data, reference, v);
    if (n.norm() < 0.5)
      throw InputError(
          fmt::format("{}: '{}' is not a joint that turns; take {}.angle_x, .angle_y or .angle_z",
                      task.where, name.of, name.of));
    if (frame < 0) frame = frame_moved_by(robot, v);
    axes << n.unitOrthogonal(), n.cross(n.unitOrthogonal()), n;
    pointer = frame_rotation(data, robot.frames()[frame]).transpose() *
              (frame_rotation(data, reference) * axes.col(0));
  } else {
    if (frame < 0) return std::nullopt;
    const int n = static_cast<int>(about);
    axes << Matrix3::Identity().col((n + 1) % 3), Matrix3::Identity().col((n + 2) % 3),
        Matrix3::Identity().col(n);
    pointer = axes.col(0);
  }
  AngleOutput output{frame, placed_in(reference, {axes, Vector3::Zero()}), pointer};
  const Vector3 h = frame_rotation(data, output.reference).transpose() *
                    (frame_rotation(data, robot.frames()[frame]) * pointer);
  output.at_zero = std::atan2(h[1], h[0]);
  return output;
}

// An orientation or an axis, whose first row this is.
std::optional<OutputRule> find_parts(const Robot& robot, const Task& task, const std::string& row) {
  const auto R_0 = task.orientations.find(row);
  if (R_0 == task.orientations.end()) return std::nullopt;
  const OutputName name = split_output_name(row);
  const int frame = robot.find_frame(name.of);
  if (frame < 0) throw InputError(fmt::format("{}: there is no frame for '{}'", task.where, row));
  const Frame reference =
      placed_in(reference_of(robot, task, name), {R_0->second, Vector3::Zero()});
  if (name.component == "tilt_x") return AxisOutput{frame, reference};
  return OrientationOutput{frame, reference};
}

// The rule of the output whose first row this is; no rows yet.
OutputGroup find_group(const Robot& robot, const Task& task, const std::string& row) {
  const OutputName name = split_output_name(row);
  if (auto parts = find_parts(robot, task, row)) return {std::move(*parts), Quantity::angle, {}};
  if (const auto coordinate = find_coordinate(robot, task, row))
    return {*coordinate,
            robot.coordinates().is_angle[coordinate->q] ? Quantity::angle : Quantity::length,
            {}};
  if (const auto force = find_force(robot, name)) return {*force, Quantity::force, {}};
  if (const auto position = find_position(robot, task, name))
    return {*position, Quantity::length, {}};
  if (const auto arc = find_arc(robot, task, name)) return {*arc, Quantity::length, {}};
  if (const auto angle = find_angle(robot, task, name)) return {*angle, Quantity::angle, {}};
  fail_unknown(robot, task, row);
}

bool same_frame(const Frame& a, const Frame& b) {
  return a.body == b.body && a.X_BF.R == b.X_BF.R && a.X_BF.p == b.X_BF.p;
}

// Adds a further component of the same position, if it is one.
struct AddComponent {
  bool operator()(PositionOutput& known, const PositionOutput& more) const {
    if (known.frame != more.frame || !same_frame(known.reference, more.reference)) return false;
    known.axes.push_back(more.axes.front());
    return true;
  }
  bool operator()(ArcOutput& known, const ArcOutput& more) const {
    if (known.frame != more.frame || !same_frame(known.reference, more.reference)) return false;
    known.parts.push_back(more.parts.front());
    return true;
  }
  bool operator()(auto&, const auto&) const { return false; }
};

}  // namespace

Outputs find_outputs(const Robot& robot, const Task& task) {
  Outputs outputs;
  while (outputs.rows.size() < task.outputs.size()) {
    OutputGroup found = find_group(robot, task, task.outputs[outputs.rows.size()]);
    const auto known = std::find_if(
        outputs.groups.begin(), outputs.groups.end(),
        [&](OutputGroup& group) { return std::visit(AddComponent(), group.rule, found.rule); });
    OutputGroup& group =
        known != outputs.groups.end() ? *known : outputs.groups.emplace_back(std::move(found));
    const OutputParts* parts = parts_from(task.outputs, outputs.rows.size());
    const bool has_parts = parts && task.orientations.contains(task.outputs[outputs.rows.size()]);
    for (size_t k = 0; k < (has_parts ? parts->rows.size() : 1); ++k) {
      const int row = outputs.count();
      outputs.rows.push_back({task.outputs[row], group.quantity});
      group.rows.push_back(row);
      if (const auto* force = std::get_if<ForceOutput>(&group.rule))
        outputs.forces.push_back({row, force->constraint});
      else
        outputs.motions.push_back(row);
    }
  }
  return outputs;
}

}  // namespace tauflex

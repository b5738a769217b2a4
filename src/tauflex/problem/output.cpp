#include "tauflex/problem/output.hpp"

#include <fmt/format.h>

#include <optional>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/math/rotation_vector.hpp"
#include "tauflex/mechanics/frame_motion.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/scalars.hpp"
#include "tauflex/problem/task.hpp"

namespace tauflex {

namespace {

size_t at(Eigen::Index index) { return static_cast<size_t>(index); }

const Frame& frame_of(const Robot& robot, const Output& output) {
  return robot.frames()[at(output.frame)];
}

// What is fixed to the body that carries the task's frame, in world axes.
template <class S>
Matrix3Of<S> base_rotation(const MotionData<S>& data, const Output& output, const Matrix3& R) {
  const Matrix3Of<S> own = R.cast<S>();
  return output.base < 0 ? own : Matrix3Of<S>(data.R[at(output.base)] * own);
}
template <class S>
Vector3Of<S> base_direction(const MotionData<S>& data, const Output& output) {
  const Vector3Of<S> n = output.direction.cast<S>();
  return output.base < 0 ? n : Vector3Of<S>(data.R[at(output.base)] * n);
}
template <class S>
Vector3Of<S> base_origin(const MotionData<S>& data, const Output& output) {
  const Vector3Of<S> o = output.origin.cast<S>();
  return output.base < 0 ? o : Vector3Of<S>(data.p[at(output.base)] + data.R[at(output.base)] * o);
}

// R_d of the orientation whose first component is output i.
template <class S>
Matrix3Of<S> wanted_rotation(const MotionData<S>& data, const Output& output,
                             const VectorRefOf<S>& y, Eigen::Index i) {
  const Vector3Of<S> phi = y.template segment<3>(i);
  return base_rotation(data, output, output.reference) * rotation_from_vector<S>(phi);
}

// Velocity and acceleration (for vdot = 0) of a body, or of the world.
struct BodyMotion {
  BodyMotion(const MechanicsData& data, int body) {
    if (body < 0) return;
    V = data.velocity[at(body)];
    A = data.acceleration[at(body)];
  }
  // of its point at p
  Vector3 velocity(const Vector3& p) const { return V.v + V.w.cross(p); }
  Vector3 acceleration(const Vector3& p) const {
    return A.v + A.w.cross(p) + V.w.cross(velocity(p));
  }
  Motion<double> V = {Vector3::Zero(), Vector3::Zero()}, A = {Vector3::Zero(), Vector3::Zero()};
};

bool starts_orientation(const Output& output) { return output.turns && output.component == 0; }

}  // namespace

namespace {

// An orientation, as the three components that "<frame>.orientation" stands for.
std::optional<Output> find_orientation(const Robot& robot, const std::string& name, const Pose& X) {
  const auto point = name.rfind('.');
  if (point == std::string::npos) return std::nullopt;
  const auto component = std::string("xyz").find(name.back());
  Output output{.name = name, .frame = robot.find_frame(name.substr(0, point))};
  if (output.frame < 0 || component == std::string::npos) return std::nullopt;
  output.component = static_cast<int>(component);
  output.turns = output.is_angle = true;
  output.reference = X.R;
  return output;
}

// A joint, a rotor, a force or a position; X is the frame in which positions are meant.
Output find_output(const Robot& robot, const std::string& name, const std::string& where,
                   const Pose& X) {
  Output output{.name = name};
  output.coordinate = robot.find_coordinate(name);
  if (output.coordinate >= 0) {
    output.is_angle = robot.is_angle(output.coordinate);
    for (int k = 0; k < robot.nv(); ++k)
      if (robot.coordinate_of(k) == output.coordinate) output.velocity = k;
    if (output.velocity < 0)
      throw InputError(
          fmt::format("{}: '{}' is part of a quaternion and cannot be an output", where, name));
    return output;
  }
  const auto point = name.rfind('.');
  if (point != std::string::npos) {
    const std::string component = name.substr(point + 1);
    if (component == "force")
      for (int row = 0; row < robot.constraint_count(); ++row)
        if (robot.constraints()[at(row)].name == name.substr(0, point)) {
          output.constraint = row;
          return output;
        }
    output.frame = robot.find_frame(name.substr(0, point));
    const auto found = std::string("xyz").find(component);
    if (output.frame >= 0 && component.size() == 1 && found != std::string::npos) {
      output.component = static_cast<int>(found);
      output.direction = X.R.col(output.component);
      output.origin = X.p;
      return output;
    }
    if (output.frame >= 0 && (component == "rx" || component == "ry" || component == "rz"))
      throw InputError(fmt::format("{}: '{}' alone is not an orientation; take {}.orientation",
                                   where, name, name.substr(0, point)));
  }
  std::vector<std::string> known = robot.coordinate_names();
  for (const Frame& frame : robot.frames())
    for (const char* component : {".x", ".y", ".z", ".orientation"})
      known.push_back(frame.name + component);
  for (const ConstraintRow& row : robot.constraints()) known.push_back(row.name + ".force");
  for (const std::string& row : robot.redundant_constraints())
    if (row + ".force" == name)
      throw InputError(
          fmt::format("{}: '{}' is not determined: other constraints hold the robot in "
                      "the same direction",
                      where, name));
  throw InputError(fmt::format(
      "{}: '{}' is neither a position (frame.x, .y, .z) nor a joint nor a rotor nor the "
      "force of a constraint{}",
      where, name, did_you_mean(name, known)));
}

// The frame in which a task is meant.
Frame task_frame(const Robot& robot, const Task& task) {
  if (task.frame.empty() || task.frame == "world") return {"world", -1, {}};
  const int found = robot.find_frame(task.frame);
  if (found < 0) {
    std::vector<std::string> names;
    for (const Frame& frame : robot.frames()) names.push_back(frame.name);
    throw InputError(fmt::format("{}: frame '{}' does not exist{}", task.where, task.frame,
                                 did_you_mean(task.frame, names)));
  }
  return robot.frames()[at(found)];
}

}  // namespace

std::vector<Output> find_outputs(const Robot& robot, const Task& task) {
  const auto [name, base, X] = task_frame(robot, task);
  std::vector<Output> outputs;
  for (size_t i = 0; i < task.outputs.size();) {
    const auto orientation = task.orientations.find(task.outputs[i]);
    if (orientation == task.orientations.end()) {
      outputs.push_back(find_output(robot, task.outputs[i++], task.where, X));
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      const auto output = find_orientation(robot, task.outputs[i], X);
      if (!output)
        throw InputError(
            fmt::format("{}: there is no frame for '{}'", task.where, task.outputs[i]));
      outputs.push_back(*output);
      outputs.back().reference = X.R * orientation->second;
      ++i;
    }
  }
  for (Output& output : outputs)
    if (output.frame >= 0) output.base = base;
  return outputs;
}

void output_values(const Robot& robot, const MechanicsData& data, const VectorRef& q,
                   const VectorRef& lambda, const std::vector<Output>& outputs, VectorOut c) {
  for (Eigen::Index i = 0; i < std::ssize(outputs); ++i) {
    const Output& output = outputs[at(i)];
    if (output.constraint >= 0)
      c[i] = lambda[output.constraint];
    else if (output.frame < 0)
      c[i] = q[output.coordinate];
    else if (!output.turns)
      c[i] = base_direction(data, output)
                 .dot(frame_position(data, frame_of(robot, output)) - base_origin(data, output));
    else if (output.component == 0)
      c.segment<3>(i) = rotation_vector(base_rotation(data, output, output.reference).transpose() *
                                        frame_rotation(data, frame_of(robot, output)));
  }
}

template <class S>
void output_errors(const Robot& robot, const MotionData<S>& data, const VectorRefOf<S>& q,
                   const VectorRefOf<S>& lambda, const std::vector<Output>& outputs,
                   const VectorRefOf<S>& y_d, VectorOutOf<S> error) {
  for (Eigen::Index i = 0; i < std::ssize(outputs); ++i) {
    const Output& output = outputs[at(i)];
    if (output.constraint >= 0) {
      error[i] = lambda[output.constraint] - y_d[i];
    } else if (output.frame < 0) {
      error[i] = q[output.coordinate] - y_d[i];
    } else if (!output.turns) {
      const Vector3Of<S> p = frame_position(data, frame_of(robot, output));
      error[i] = base_direction(data, output).dot(p - base_origin(data, output)) - y_d[i];
    } else if (output.component == 0) {
      const Matrix3Of<S> R_d = wanted_rotation<S>(data, output, y_d, i);
      error.template segment<3>(i) = turn_between<S>(
          Matrix3Of<S>(R_d.transpose() * frame_rotation(data, frame_of(robot, output))));
    }
  }
}

void output_jacobian(const Robot& robot, const MechanicsData& data,
                     const std::vector<Output>& outputs, const VectorRef& y_d, MatrixOut J) {
  J.setZero();
  for (Eigen::Index i = 0; i < std::ssize(outputs); ++i) {
    const Output& output = outputs[at(i)];
    if (output.constraint >= 0) continue;
    if (output.frame < 0) {
      J(i, output.velocity) = 1;
      continue;
    }
    const Frame& frame = frame_of(robot, output);
    // axes that move the frame, less those that move the task's frame
    const auto each_axis = [&](const auto& f) {
      for (int k = last_dof(robot, frame.body); k >= 0; k = robot.dof_parent()[at(k)])
        f(k, 1, data.axis[at(k)]);
      for (int k = last_dof(robot, output.base); k >= 0; k = robot.dof_parent()[at(k)])
        f(k, -1, data.axis[at(k)]);
    };
    if (!output.turns) {
      const Vector3 p = frame_position(data, frame), n = base_direction(data, output);
      each_axis([&](int k, double sign, const Motion<double>& axis) {
        J(i, k) += sign * n.dot(axis.v + axis.w.cross(p));
      });
    } else if (output.component == 0) {
      const Matrix3 R_d = wanted_rotation<double>(data, output, y_d, i);
      const Matrix3 E = R_d.transpose() * frame_rotation(data, frame);
      const Matrix3 turn = 0.5 * (E.trace() * Matrix3::Identity() - E) * R_d.transpose();
      each_axis([&](int k, double sign, const Motion<double>& axis) {
        J.block<3, 1>(i, k) += sign * (turn * axis.w);
      });
    }
  }
}

// [w] = R' R^T and [alpha] = R'' R^T + R' R'^T of R_d(t), in the axes of R_d.
void output_rates(const std::vector<Output>& outputs, const MatrixRef& y, VectorOut rate,
                  VectorOut acceleration) {
  for (Eigen::Index i = 0; i < std::ssize(outputs); ++i) {
    const Output& output = outputs[at(i)];
    if (!output.turns) {
      rate[i] = y(i, 1);
      acceleration[i] = y(i, 2);
    } else if (starts_orientation(output)) {
      Vector3Of<Jet> phi;
      for (int k = 0; k < 3; ++k) {
        phi[k] = Jet::zero(2);
        phi[k][0] = y(i + k, 0);
        phi[k][1] = y(i + k, 1);
        phi[k][2] = y(i + k, 2) / 2;
      }
      const Matrix3Of<Jet> R = rotation_from_vector<Jet>(phi);
      Matrix3 R0, R1, R2;
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          R0(a, b) = R(a, b).coefficient(0);
          R1(a, b) = R(a, b).coefficient(1);
          R2(a, b) = 2 * R(a, b).coefficient(2);
        }
      const Matrix3 w = R1 * R0.transpose(), alpha = R2 * R0.transpose() + R1 * R1.transpose();
      rate.segment<3>(i) = R0.transpose() * turn_between<double>(w);
      acceleration.segment<3>(i) = R0.transpose() * turn_between<double>(alpha);
    }
  }
}

void output_bias(const Robot& robot, const MechanicsData& data, const std::vector<Output>& outputs,
                 const VectorRef& y_d, VectorOut bias) {
  bias.setZero();
  for (Eigen::Index i = 0; i < std::ssize(outputs); ++i) {
    const Output& output = outputs[at(i)];
    if (output.constraint >= 0 || output.frame < 0) continue;
    const Frame& frame = frame_of(robot, output);
    const BodyMotion body(data, frame.body), base(data, output.base);
    // as seen from the base: less its own motion and what its turning adds (Coriolis)
    if (!output.turns) {
      const Vector3 p = frame_position(data, frame);
      bias[i] = base_direction(data, output)
                    .dot(body.acceleration(p) - base.acceleration(p) -
                         2 * base.V.w.cross(body.velocity(p) - base.velocity(p)));
    } else if (output.component == 0) {
      bias.segment<3>(i) = wanted_rotation<double>(data, output, y_d, i).transpose() *
                           (body.A.w - base.A.w - base.V.w.cross(body.V.w));
    }
  }
}

#define TAUFLEX_INSTANTIATE(S)                                                              \
  template void output_errors<S>(const Robot&, const MotionData<S>&, const VectorRefOf<S>&, \
                                 const VectorRefOf<S>&, const std::vector<Output>&,         \
                                 const VectorRefOf<S>&, VectorOutOf<S>);
TAUFLEX_FOR_EACH_POSE_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex

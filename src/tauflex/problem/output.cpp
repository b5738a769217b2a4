#include "tauflex/problem/output.hpp"

#include <fmt/format.h>

#include <optional>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/math/rotation_vector.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/scalars.hpp"
#include "tauflex/problem/task.hpp"

namespace tauflex {

namespace {

size_t at(Eigen::Index index) { return static_cast<size_t>(index); }

const Frame& frame_of(const Robot& robot, const Output& output) {
  return robot.frames()[at(output.frame)];
}

template <class S>
Matrix3Of<S> frame_rotation(const MechanicsData<S>& data, const Frame& frame) {
  const Matrix3Of<S> R = frame.X_BF.R.template cast<S>();
  return frame.body < 0 ? R : Matrix3Of<S>(data.R[at(frame.body)] * R);
}

// R_d of the orientation whose first component is output i.
template <class S>
Matrix3Of<S> wanted_rotation(const Output& output, const VectorRefOf<S>& y, Eigen::Index i) {
  const Vector3Of<S> phi = y.template segment<3>(i);
  return output.reference.template cast<S>() * rotation_from_vector<S>(phi);
}

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
Pose task_frame(const Robot& robot, const Task& task) {
  if (task.frame.empty() || task.frame == "world") return {};
  const int found = robot.find_frame(task.frame);
  if (found < 0) {
    std::vector<std::string> names;
    for (const Frame& frame : robot.frames()) names.push_back(frame.name);
    throw InputError(fmt::format("{}: frame '{}' does not exist{}", task.where, task.frame,
                                 did_you_mean(task.frame, names)));
  }
  if (robot.frames()[at(found)].body >= 0)
    throw InputError(
        fmt::format("{}: frame '{}' moves; a task is meant in a frame that is fixed to "
                    "the world",
                    task.where, task.frame));
  return robot.frames()[at(found)].X_BF;
}

}  // namespace

std::vector<Output> find_outputs(const Robot& robot, const Task& task) {
  const Pose X = task_frame(robot, task);
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
  return outputs;
}

void output_values(const Robot& robot, const MechanicsData<double>& data, const VectorRef& q,
                   const VectorRef& lambda, const std::vector<Output>& outputs, VectorOut c) {
  for (Eigen::Index i = 0; i < std::ssize(outputs); ++i) {
    const Output& output = outputs[at(i)];
    if (output.constraint >= 0)
      c[i] = lambda[output.constraint];
    else if (output.frame < 0)
      c[i] = q[output.coordinate];
    else if (!output.turns)
      c[i] = output.direction.dot(frame_position(data, frame_of(robot, output)) - output.origin);
    else if (output.component == 0)
      c.segment<3>(i) = rotation_vector(output.reference.transpose() *
                                        frame_rotation(data, frame_of(robot, output)));
  }
}

template <class S>
void output_errors(const Robot& robot, const MechanicsData<S>& data, const VectorRefOf<S>& q,
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
      error[i] =
          output.direction.template cast<S>().dot(p - output.origin.template cast<S>()) - y_d[i];
    } else if (output.component == 0) {
      const Matrix3Of<S> R_d = wanted_rotation<S>(output, y_d, i);
      error.template segment<3>(i) = turn_between<S>(
          Matrix3Of<S>(R_d.transpose() * frame_rotation(data, frame_of(robot, output))));
    }
  }
}

void output_jacobian(const Robot& robot, const MechanicsData<double>& data,
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
    const auto each_axis = [&](const auto& f) {
      for (int k = last_dof(robot, frame.body); k >= 0; k = robot.dof_parent()[at(k)])
        f(k, data.axis[at(k)]);
    };
    if (!output.turns) {
      const Vector3 p = frame_position(data, frame);
      each_axis([&](int k, const Motion<double>& axis) {
        J(i, k) = output.direction.dot(axis.v + axis.w.cross(p));
      });
    } else if (output.component == 0) {
      const Matrix3 R_d = wanted_rotation<double>(output, y_d, i);
      const Matrix3 E = R_d.transpose() * frame_rotation(data, frame);
      const Matrix3 turn = 0.5 * (E.trace() * Matrix3::Identity() - E) * R_d.transpose();
      each_axis([&](int k, const Motion<double>& axis) { J.block<3, 1>(i, k) = turn * axis.w; });
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

void output_bias(const Robot& robot, const MechanicsData<double>& data,
                 const std::vector<Output>& outputs, const VectorRef& y_d, VectorOut bias) {
  bias.setZero();
  for (Eigen::Index i = 0; i < std::ssize(outputs); ++i) {
    const Output& output = outputs[at(i)];
    if (output.constraint >= 0 || output.frame < 0) continue;
    const Frame& frame = frame_of(robot, output);
    if (frame.body < 0) continue;
    const Motion<double>& V = data.velocity[at(frame.body)];
    const Motion<double>& A = data.acceleration[at(frame.body)];
    if (!output.turns) {
      const Vector3 p = frame_position(data, frame);
      bias[i] = output.direction.dot(A.v + A.w.cross(p) + V.w.cross(V.v + V.w.cross(p)));
    } else if (output.component == 0) {
      bias.segment<3>(i) = wanted_rotation<double>(output, y_d, i).transpose() * A.w;
    }
  }
}

#define TAUFLEX_INSTANTIATE(S)                                                                 \
  template void output_errors<S>(const Robot&, const MechanicsData<S>&, const VectorRefOf<S>&, \
                                 const VectorRefOf<S>&, const std::vector<Output>&,            \
                                 const VectorRefOf<S>&, VectorOutOf<S>);
TAUFLEX_FOR_EACH_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex

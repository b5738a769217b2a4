#include "tauflex/problem/output.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/scalars.hpp"

namespace tauflex {

Output find_output(const Robot& robot, const std::string& name, const std::string& where) {
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
        if (robot.constraints()[static_cast<size_t>(row)].name == name.substr(0, point)) {
          output.constraint = row;
          return output;
        }
    output.frame = robot.find_frame(name.substr(0, point));
    const auto found = std::string("xyz").find(component);
    if (output.frame >= 0 && component.size() == 1 && found != std::string::npos) {
      output.component = static_cast<int>(found);
      return output;
    }
  }
  std::vector<std::string> known = robot.coordinate_names();
  for (const Frame& frame : robot.frames())
    for (const char* component : {".x", ".y", ".z"}) known.push_back(frame.name + component);
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

template <class S>
void output_values(const Robot& robot, const MechanicsData<S>& data, const VectorRefOf<S>& q,
                   const VectorRefOf<S>& lambda, const std::vector<Output>& outputs,
                   VectorOutOf<S> c) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Output& output = outputs[i];
    c[static_cast<Eigen::Index>(i)] =
        output.constraint >= 0 ? lambda[output.constraint]
        : output.frame >= 0
            ? frame_position(data,
                             robot.frames()[static_cast<size_t>(output.frame)])[output.component]
            : q[output.coordinate];
  }
}

template <class S>
void output_jacobian(const Robot& robot, const MechanicsData<S>& data,
                     const std::vector<Output>& outputs, MatrixOutOf<S> J) {
  J.setZero();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Output& output = outputs[i];
    const int row = static_cast<int>(i);
    if (output.constraint >= 0) continue;
    if (output.frame < 0)
      J(row, output.velocity) = S(1);
    else
      add_frame_jacobian_row<S>(robot, data, robot.frames()[static_cast<size_t>(output.frame)],
                                output.component, J, row);
  }
}

void output_bias(const Robot& robot, const MechanicsData<double>& data, const VectorRef& v,
                 const std::vector<Output>& outputs, Matrix& work, VectorOut bias) {
  bias.setZero();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Output& output = outputs[i];
    if (output.constraint >= 0 || output.frame < 0) continue;
    frame_jacobian_derivative<double>(robot, data,
                                      robot.frames()[static_cast<size_t>(output.frame)], v, work);
    bias[static_cast<Eigen::Index>(i)] = work.row(output.component).dot(v.head(work.cols()));
  }
}

#define TAUFLEX_INSTANTIATE(S)                                                                 \
  template void output_values<S>(const Robot&, const MechanicsData<S>&, const VectorRefOf<S>&, \
                                 const VectorRefOf<S>&, const std::vector<Output>&,            \
                                 VectorOutOf<S>);                                              \
  template void output_jacobian<S>(const Robot&, const MechanicsData<S>&,                      \
                                   const std::vector<Output>&, MatrixOutOf<S>);
TAUFLEX_FOR_EACH_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex

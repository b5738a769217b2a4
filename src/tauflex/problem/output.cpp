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
    return output;
  }
  const auto point = name.rfind('.');
  if (point != std::string::npos) {
    const std::string component = name.substr(point + 1);
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
  throw InputError(
      fmt::format("{}: '{}' is neither a position (frame.x, .y, .z) nor a joint nor a rotor{}",
                  where, name, did_you_mean(name, known)));
}

template <class S>
void output_values(const Robot& robot, const MechanicsData<S>& data, const VectorRefOf<S>& q,
                   const std::vector<Output>& outputs, VectorOutOf<S> c) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Output& output = outputs[i];
    c[static_cast<Eigen::Index>(i)] =
        output.frame >= 0
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
    if (output.frame < 0)
      J(row, output.coordinate) = S(1);
    else
      add_frame_jacobian_row<S>(robot, data, robot.frames()[static_cast<size_t>(output.frame)],
                                output.component, J, row);
  }
}

#define TAUFLEX_INSTANTIATE(S)                                                                 \
  template void output_values<S>(const Robot&, const MechanicsData<S>&, const VectorRefOf<S>&, \
                                 const std::vector<Output>&, VectorOutOf<S>);                  \
  template void output_jacobian<S>(const Robot&, const MechanicsData<S>&,                      \
                                   const std::vector<Output>&, MatrixOutOf<S>);
TAUFLEX_FOR_EACH_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex

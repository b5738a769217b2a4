// What the robot shall do is said in outputs: a component of a frame's position ("tool.x"), a joint
// ("fore") or a rotor ("fore.rotor"). Each is one row of c(q) in (D.4).
#pragma once

#include <string>
#include <vector>

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

struct Output {
  std::string name;
  int frame = -1;       // index into robot.frames(), or -1
  int component = 0;    // x, y, z of the frame's origin in world axes
  int coordinate = -1;  // index into q, or -1
  bool is_angle = false;
};

// Throws InputError that starts with `where` and names what there is.
Output find_output(const Robot& robot, const std::string& name, const std::string& where);

// c(q), after kinematics() of the same q; q of the whole robot.
template <class S>
void output_values(const Robot& robot, const MechanicsData<S>& data, const VectorRefOf<S>& q,
                   const std::vector<Output>& outputs, VectorOutOf<S> c);

// dc/dq, outputs x nq, after kinematics().
template <class S>
void output_jacobian(const Robot& robot, const MechanicsData<S>& data,
                     const std::vector<Output>& outputs, MatrixOutOf<S> J);

}  // namespace tauflex

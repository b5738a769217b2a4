// What the robot shall do is said in outputs: a component of a frame's position ("tool.x"), a joint
// ("fore") or a rotor ("fore.rotor"), each one row of c(q) in (D.4); or the force that a constraint
// carries ("contact.force"), one row of (D.5).
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
  int velocity = -1;    // and into v
  int constraint = -1;  // row of g whose multiplier it is, or -1
  bool is_angle = false;
};

// Throws InputError that starts with `where` and names what there is.
Output find_output(const Robot& robot, const std::string& name, const std::string& where);

// c(q) and lambda, after kinematics() of the same q; q of the whole robot.
template <class S>
void output_values(const Robot& robot, const MechanicsData<S>& data, const VectorRefOf<S>& q,
                   const VectorRefOf<S>& lambda, const std::vector<Output>& outputs,
                   VectorOutOf<S> c);

// dc/dq in the directions of v, outputs x nv, after kinematics(); rows of forces are zero.
template <class S>
void output_jacobian(const Robot& robot, const MechanicsData<S>& data,
                     const std::vector<Output>& outputs, MatrixOutOf<S> J);

// cddot = J vdot + bias; after kinematics(). `work` is 3 x tree_nv.
void output_bias(const Robot& robot, const MechanicsData<double>& data, const VectorRef& v,
                 const std::vector<Output>& outputs, Matrix& work, VectorOut bias);

}  // namespace tauflex

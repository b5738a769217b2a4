// What the robot shall do is said in outputs: a component of a frame's position ("tool.x"), its
// orientation ("tool.rx", "tool.ry", "tool.rz" together), a joint ("fore") or a rotor
// ("fore.rotor"), each one row of (D.4); or the force that a constraint carries ("contact.force"),
// one row of (D.5).
//   positions      n . (p - o) - y_d
//   orientations   half the skew part of R_d^T R,  R_d = R_0 exp(phi_d)                theory (P.8)
// R_0 is where the path starts and phi_d its value, a rotation vector from there. Positions and
// orientations may be meant in a frame, of the world or of a body that moves.
#pragma once

#include <string>
#include <vector>

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

struct Output {
  std::string name;
  int frame = -1;       // index into robot.frames(), or -1
  int component = 0;    // x, y, z of the frame's origin, or of its orientation
  bool turns = false;   // orientation: the next two outputs are its other components
  int coordinate = -1;  // index into q, or -1
  int velocity = -1;    // and into v
  int constraint = -1;  // row of g whose multiplier it is, or -1
  bool is_angle = false;
  // Body that carries the frame in which it is meant, -1: the world. In the axes of this body:
  int base = -1;
  Vector3 direction = Vector3::Zero();      // of a position
  Vector3 origin = Vector3::Zero();         // where it is measured from
  Matrix3 reference = Matrix3::Identity();  // R_0 of an orientation
};

struct Task;

// The outputs of a task. Throws InputError that names what there is.
std::vector<Output> find_outputs(const Robot& robot, const Task& task);

// What the outputs are: c(q), lambda, and rotation vectors from R_0. After kinematics() of the same
// q.
void output_values(const Robot& robot, const MechanicsData& data, const VectorRef& q,
                   const VectorRef& lambda, const std::vector<Output>& outputs, VectorOut c);

// How far they are from y_d; zero on the path. After kinematics(); q of the whole robot.
template <class S>
void output_errors(const Robot& robot, const MotionData<S>& data, const VectorRefOf<S>& q,
                   const VectorRefOf<S>& lambda, const std::vector<Output>& outputs,
                   const VectorRefOf<S>& y_d, VectorOutOf<S> error);

// Derivative of the errors by q in the directions of v, outputs x nv, after kinematics(); rows of
// forces are zero.
void output_jacobian(const Robot& robot, const MechanicsData& data,
                     const std::vector<Output>& outputs, const VectorRef& y_d, MatrixOut J);

// On the path: J v = rate and J vdot = acceleration - bias. From y_d and its first two derivatives
// (outputs x 3); an orientation needs angular velocities instead of rates of rotation vectors.
void output_rates(const std::vector<Output>& outputs, const MatrixRef& y, VectorOut rate,
                  VectorOut acceleration);

// After constraint_bias(), which leaves the accelerations of bodies for vdot = 0.
void output_bias(const Robot& robot, const MechanicsData& data, const std::vector<Output>& outputs,
                 const VectorRef& y_d, VectorOut bias);

}  // namespace tauflex

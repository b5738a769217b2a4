// What the robot shall do is said in outputs: a component of a frame's position ("tool.x"), its
// orientation ("tool.rx", "tool.ry", "tool.rz" together), the direction of its z axis
// ("tool.tilt_x", "tool.tilt_y" together), an angle about one axis ("tool.yaw", "fore.absolute"),
// the distance along, across and above a guide ("tool.along"), a joint ("fore") or a rotor
// ("fore.rotor"), each one row of (D.4); or the force that a constraint carries ("contact.force"),
// one row of (D.5).
//   positions      n . (p - o) - y_d
//   orientations   half the skew part of R_d^T R,  R_d = R_0 exp(phi_d)                theory (P.8)
//   directions     z x R_d^T d,  d the axis of the tool                               theory (P.21)
//   angles         sin(psi - y_d)                                                     theory (P.22)
//   along a circle r sin(phi - y_d / r)                                               theory (P.23)
// R_0 is where the path starts and phi_d its value, a rotation vector from there. All but joints,
// rotors and forces may be meant in a frame, of the world or of a body that moves.
//
// A group is rows that one rule computes and whose error is one number: the components of a
// position are one distance, those of an orientation one angle. A new kind of output is a new rule
// in output_kinds.hpp and a file <kind>_rule.hpp with its equations, which output.cpp includes;
// everybody else loops over groups or over rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauflex/base/quantity.hpp"
#include "tauflex/mechanics/mechanics_data.hpp"
#include "tauflex/problem/output_kinds.hpp"

namespace tauflex {

struct OutputGroup {
  OutputRule rule;
  // Of its rows and of the size of its error.
  Quantity quantity;
  std::vector<int> rows;  // of y

  // The position whose components these are, or nullptr.
  const PositionOutput* position() const { return std::get_if<PositionOutput>(&rule); }
  // Index of the frame whose place is meant, or none.
  std::optional<int> frame() const;
};

// One row of y.
struct Output {
  std::string name;
  Quantity quantity;
};

// Row `output` of y is the multiplier of row `constraint` of g.
struct ForceRow {
  int output, constraint;
};

// All outputs of a task.
struct Outputs {
  Outputs();
  // Defaulted in the .cpp file, so that they are compiled once.
  Outputs(const Outputs&);
  Outputs(Outputs&&) noexcept;
  Outputs& operator=(const Outputs&);
  Outputs& operator=(Outputs&&) noexcept;
  ~Outputs();

  int count() const { return static_cast<int>(rows.size()); }
  bool has(Quantity quantity) const;
  // Whether a row is this coordinate itself.
  bool follows_coordinate(int q) const;

  std::vector<Output> rows;
  std::vector<OutputGroup> groups;
  // Rows that are motions, and those that are forces; together all of them.
  std::vector<int> motions;
  std::vector<ForceRow> forces;
};

// What the outputs are: c(q), lambda, and rotation vectors from R_0. After kinematics() of the same
// q.
void output_values(const Robot& robot, const MechanicsData& data, const VectorRef& q,
                   const VectorRef& lambda, const Outputs& outputs, VectorOut c);

// How far they are from y_d; zero on the path. After kinematics(); q of the whole robot.
template <class S>
void output_errors(const Robot& robot, const MotionData<S>& data, const VectorRefOf<S>& q,
                   const VectorRefOf<S>& lambda, const Outputs& outputs, const VectorRefOf<S>& y_d,
                   VectorOutOf<S> error);

// Derivative of the errors by q in the directions of v, outputs x nv, after kinematics(); rows of
// forces are zero.
template <class S>
void output_jacobian(const Robot& robot, const MotionData<S>& data, const Outputs& outputs,
                     const VectorRefOf<S>& y_d, MatrixOutOf<S> J);
inline void output_jacobian(const Robot& robot, const MechanicsData& data, const Outputs& outputs,
                            const VectorRef& y_d, MatrixOut J) {
  output_jacobian<double>(robot, data, outputs, y_d, J);
}

// On the path: J v = rate and J vdot = acceleration - bias. From y_d and its first two derivatives
// (outputs x 3); an orientation needs angular velocities instead of rates of rotation vectors.
void output_rates(const Outputs& outputs, const MatrixRef& y, VectorOut rate,
                  VectorOut acceleration);

// After constraint_bias(), which leaves the accelerations of bodies for vdot = 0.
void output_bias(const Robot& robot, const MechanicsData& data, const Outputs& outputs,
                 const VectorRef& y_d, VectorOut bias);

// How far a group is from its path, from output_values() and y_d: the distance of a position, the
// angle between two orientations; m, rad or N.
double error_size(const OutputGroup& group, const VectorRef& y, const VectorRef& y_d);

// The largest of them among the groups of one quantity; none where there is no such group.
std::optional<double> largest_error(const Outputs& outputs, Quantity quantity, const VectorRef& y,
                                    const VectorRef& y_d);

}  // namespace tauflex

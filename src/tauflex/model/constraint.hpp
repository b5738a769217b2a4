// Rows of g(q, t) = 0: what the robot cannot leave, and springs between two of its frames.
// A person says a Constraint (a loop, a rod, a surface, a relation of joints); Robot compiles it
// into rows, each one number that shall be zero:
//   field of the point B seen from frame A:  phi(R_A^T (p_B - p_A)) - s(t)
//   axes of A and B:                         sum of c a . b
//   joints:                                  sum of c q - s(t)                      theory (C.1)
// Rows between frames are normalised: their multipliers are forces (N) or moments (N m) on frame B,
// the opposite on frame A; positive along the gradient of the row. Those of a relation act on its
// joints, times its coefficients.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tauflex/math/rotations.hpp"
#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

// As said. Frames by name: a named frame, a link (its own frame) or "world".

// Frame b does not leave frame a in the locked directions, in the axes of frame a. Locked
// rotations: all three, two (the third is a hinge axis: the axes stay parallel), or one (a
// universal joint whose pins are the other two).
struct Closure {
  std::string a, b;
  // x y z rx ry rz
  std::array<bool, 6> locked = {true, true, true, true, true, true};
};

// Coordinates and their coefficients.
using JointSum = std::vector<std::pair<std::string, double>>;

// The distance of two points, plus what joints take up, such as the drum of a winch, is the length.
struct Distance {
  std::string a, b;
  double length = 0;  // m
  JointSum joints = {};
};

struct OnPlane {
  std::string frame, on = "world";
  // In the axes of `on`
  Vector3 point = Vector3::Zero();
  Vector3 normal = Vector3::UnitZ();
};

struct OnSphere {
  std::string frame, on = "world";
  Vector3 center = Vector3::Zero();
  double radius = 0;  // m
};

struct OnLine {
  std::string frame, on = "world";
  Vector3 point = Vector3::Zero();
  Vector3 direction = Vector3::UnitX();
};

struct OnCircle {
  std::string frame, on = "world";
  Vector3 center = Vector3::Zero();
  Vector3 normal = Vector3::UnitZ();
  double radius = 0;  // m
};

// y = c0 + c1 x + c2 x^2 + ... in the plane z = 0 of `on`.
struct OnPolynomial {
  std::string frame, on = "world";
  std::vector<double> coefficients;
};

struct Relation {
  JointSum joints;
  double value = 0;
};

using ConstraintRule =
    std::variant<Closure, Distance, OnPlane, OnSphere, OnLine, OnCircle, OnPolynomial, Relation>;

struct Constraint {
  std::string name;
  ConstraintRule rule;
  // One value per row, instead of length, value or 0.
  std::shared_ptr<const OutputPath> path = {};
  std::string where = {};
};

// A spring and damper along the line between two frames: it pulls with K (l - length) + D l'.
struct FrameSpring {
  std::string name;
  std::string a, b;
  double stiffness = 0;  // N/m
  double damping = 0;    // N s/m
  // m, without force
  double length = 0;
  std::string where = {};
};

// A spring and damper on a sum of coordinates s: its torque K (s - rest) + D s' acts on each, times
// its coefficient. Between two links it is a torsion spring, s the angle of b against a: the sum of
// the joints between them, which turn about parallel axes.
struct JointSpring {
  std::string name;
  // Either of these.
  JointSum joints;
  std::string a, b;
  double stiffness = 0;  // N m/rad
  double damping = 0;    // N m s/rad
  double rest = 0;       // rad
  std::string where = {};
};

// As computed with.

// phi(x) of a point x: plane n.(x - o) - c, sphere |x - o| - c, cylinder |n x (x - o)| - c,
// polynomial (y - p(x)) / sqrt(1 + p'(x)^2).
struct PointField {
  enum class Kind { plane, sphere, cylinder, polynomial };
  Kind kind = Kind::plane;
  Vector3 origin = Vector3::Zero();
  Vector3 normal = Vector3::UnitZ();
  double offset = 0;
  std::vector<double> coefficients = {};
};

struct PointRow {
  // Frames; -1 for the world.
  int a, b;
  PointField field;
};

struct AxesRow {
  int a, b;
  struct Term {
    double c;
    // 0 1 2 for x y z
    int axis_a, axis_b;
  };
  std::array<Term, 2> terms;
  int count;
};

struct RelationRow {
  struct Term {
    int q, v;
    double c;
  };
  std::vector<Term> terms;
  double value;
};

struct ConstraintRow {
  // "contact", "loop.rx"
  std::string name;
  // Index into the description.
  int constraint;
  std::variant<PointRow, AxesRow, RelationRow> rule;
  std::shared_ptr<const OutputPath> path;
  int component = 0;  // of the path
  // Its multiplier is a moment.
  bool is_angle = false;
  // Added to a row between frames.
  std::vector<RelationRow::Term> taken_up = {};
};

struct FrameSpringLayout {
  std::string name;
  // Its value is the length.
  PointRow line;
  double stiffness, damping, length;
};

}  // namespace tauflex

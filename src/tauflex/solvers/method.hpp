// How to solve: one plain struct per method, the same from the job file, the command line and C++.
// What each field may be, its unit and its meaning are said once, by fields(), in method.cpp.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tauflex {

class Node;
struct Field;
struct NewtonCriteria;

struct NewtonOptions {
  // on the error left in q, relative to 1 + |q|; u amplifies it by h^-3
  double tolerance = 1e-15;
  int max_iterations = 12;

  std::vector<Field> fields();
  NewtonCriteria criteria() const;
};

enum class BdfForm {
  // Blockwise where the problem is block triangular.
  automatic,
  // Joints, then rotors, then torques.
  blockwise,
  // Newton on all positions and velocities at once: the high index as it is
  monolithic,
  // The index reduced by dummy derivatives, as few unknowns as possible.
  reduced,
  // The same with the dummy rates kept among the unknowns.
  extended,
  // Of the constraints in place of the first.
  second_derivatives,
  // Of the constraints in place of the rates of all their variables.
  both_derivatives,
};

// Of equations and unknowns in Newton's matrix.
enum class Scaling {
  // Both, so that rows and columns are of one size.
  automatic,
  none,
  // Equations without rates times (1/h)^p, as in [Moberg2009, section 7.4]
  power,
};

// Above it the formulas are unstable.
constexpr int highest_bdf_order = 6;

// Backward differentiation formula with a fixed step.
struct BdfOptions {
  int order = 4;
  // s, made a little smaller where it does not divide the time window
  double step = 1e-3;
  BdfForm form = BdfForm::automatic;
  // Of the reduced and extended forms.
  int index = 1;
  // Variables whose derivatives are replaced first, such as q.upper; the others are chosen by
  // pivoting.
  std::vector<std::string> dummies = {};
  Scaling scaling = Scaling::automatic;
  int scaling_power = 0;
  NewtonOptions newton = {};

  const char* name() const { return "bdf"; }  // in a job file
  std::vector<Field> fields();
  // Throws InputError naming the field, the rule and the value.
  void check() const;
};

// Where outputs and constraints determine every joint and all drives are rigid: positions by
// Newton, velocities and accelerations by one linear solve each, torques explicitly. No
// integration, no differencing; the step is only the distance of the samples.
struct ExactOptions {
  double step = 1e-3;  // s
  NewtonOptions newton = {};

  const char* name() const { return "exact"; }
  std::vector<Field> fields();
  void check() const;
};

// On the derivative array, nothing differentiated by hand, ranks instead of structure.
enum class ArrayClosure {
  // The array, and backward differences in the differential equations.
  kunkel_mehrmann,
  // The array, and backward differences of the differential variables only.
  decoupled,
};
struct ArrayOptions {
  ArrayClosure closure = ArrayClosure::kunkel_mehrmann;
  // Of the backward differences.
  int order = 4;
  double step = 1e-3;  // s
  NewtonOptions newton = {};

  const char* name() const {
    return closure == ArrayClosure::decoupled ? "decoupled" : "kunkel_mehrmann";
  }
  std::vector<Field> fields();
  void check() const;
};

// Variable step and order (SUNDIALS IDA) on the form of index 1, algebraic unknowns left out of
// the error test.
struct VariableStepOptions {
  // Relative, and absolute in rad, m and per second.
  double tolerance = 1e-8;
  // s, distance of the samples
  double step = 1e-3;
  long max_steps = 200'000;
  std::vector<std::string> dummies = {};

  const char* name() const { return "variable_step"; }
  std::vector<Field> fields();
  void check() const;
};

// The method of jets: no differences at all; see solvers/jets.hpp.
struct JetOptions {
  // Of the torques, relative to their peak.
  double tolerance = 1e-8;
  // s, distance of the samples
  double step = 1e-3;
  // Of the internal dynamics, over the whole window; 0: from their rates.
  int first_steps = 0;
  // 0: by the length of the window.
  int most_steps = 0;
  // That many, for a window of so many seconds.
  int steps_at_most(double window) const;

  const char* name() const { return "jets"; }
  std::vector<Field> fields();
  void check() const;
};

// The bounded solution, which begins before the path and ends after it.
struct StableInversionOptions {
  // Of the torques, relative to their peak.
  double tolerance = 1e-8;
  // s, distance of the samples
  double step = 1e-3;
  // s before and after the path; none: from the zeros
  std::optional<double> pre = {};
  std::optional<double> post = {};
  // s that are solved after the reported time and then discarded; none: from the zeros
  std::optional<double> tail = {};
  // Of the first mesh; 0: from the zeros.
  int points = 0;

  const char* name() const { return "stable_inversion"; }
  std::vector<Field> fields();
  void check() const;
};

// How the motion of joints without a drive is found from step to step.
enum class RevisionStep {
  // Newton to equilibrium at the end of each step.
  newton,
  // One linear solve per step, as printed: [Isobe2008, eq. (12)]. Chains in a plane, first joint
  // driven.
  literal,
  // The same without revision of the trajectory: links lengthen. For comparison only.
  unrevised,
};

// The parallel solution scheme: finite elements in absolute coordinates, Newmark's method where
// joints without a drive or beams move by themselves, torques recovered from nodal forces.
//                                                                 [Isobe2008], solvers/parallel.hpp
struct ParallelOptions {
  double step = 1e-3;  // s
  // Of Newmark's formula.
  double delta = 0.5;
  // none: the least that is stable, (delta + 1/2)^2 / 4
  std::optional<double> beta = {};
  double newmark_beta() const;
  RevisionStep revision = RevisionStep::newton;
  // Else beams follow as if they were rigid.
  bool deformation = true;
  // Two linear Timoshenko elements, a node at the centre of gravity, in place of Bernoulli-Euler's.
  bool timoshenko = false;
  // Of each beam; 0: as many as the robot says.
  int elements = 0;
  // N, of rods in the literal step.
  double axial_stiffness = 1e7;
  // Of the recovery.
  int threads = 1;

  const char* name() const { return "parallel"; }
  std::vector<Field> fields();
  void check() const;
};

using Method = std::variant<BdfOptions, ExactOptions, ArrayOptions, VariableStepOptions, JetOptions,
                            StableInversionOptions, ParallelOptions>;

// All methods with their defaults, each with what it does.
struct KnownMethod {
  Method method;
  const char* help;
};
const std::vector<KnownMethod>& all_methods();

const char* name(const Method& method);
std::vector<Field> fields(Method& method);

Method read_method(const Node& node);

}  // namespace tauflex

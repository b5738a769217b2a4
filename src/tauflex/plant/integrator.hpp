// One run of SUNDIALS' ARKODE on a forward problem: a one-step integrator with error control,
// implicit of order 5 where springs make the plant stiff, explicit where there are none, where they
// are slow against the samples and close to singular positions. After every step the state is put
// back on the constraints.
//
// Where the constraints lose rank, accelerations are quotients of two small numbers, and no stage
// of a step may be close to it. advance() predicts such a time and takes a step that has it halfway
// between two stages, so that all of them lie where the motion is well determined: theory (C.9).
#pragma once

#include <sundials/sundials_linearsolver.h>

#include <array>
#include <string>

#include "tauflex/math/sundials_vector.hpp"
#include "tauflex/plant/forward_problem.hpp"
#include "tauflex/plant/rounding_noise.hpp"
#include "tauflex/plant/simulation_options.hpp"

namespace tauflex {

class Integrator {
 public:
  // `sample`: s, about as far apart as the times to which it will be asked to advance.
  Integrator(ForwardProblem& problem, double t0, const Vector& x0, double sample,
             const SimulationOptions& options);
  ~Integrator();
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;

  // To `end`; the right-hand side has a corner at `corner` or none before it. Returns false when
  // it cannot: failure() says why.
  bool advance(double end, double corner);
  // Tells the integrator that the right-hand side jumps here.
  void restart();

  // s, of the last step that was taken
  double t() const { return t_; }
  Eigen::Map<const Vector> x() const {
    return view(plant_.problem.plant().constraint_count() ? sample_ : x_);
  }
  const std::string& failure() const { return failure_; }
  const char* name() const { return name_; }
  long steps() const;

 private:
  // What SUNDIALS hands to the functions that it calls.
  struct Plant {
    ForwardProblem& problem;
    Projection projection;
  };
  static int rate(realtype t, N_Vector x, N_Vector xdot, void* plant);
  static int rate_on_constraints(realtype t, N_Vector x, N_Vector xdot, void* plant);
  static int jacobian(realtype t, N_Vector x, N_Vector, SUNMatrix J, void* plant, N_Vector,
                      N_Vector, N_Vector);
  static int project(realtype t, N_Vector x, void* plant);

  void make_method();
  void set_up_implicit();
  void choose_method(double ahead);
  bool springs_are_slow(const Vector& x0, double sample);
  bool advance_explicitly(double end);
  bool gets_on(long taken, double share);
  bool evolve(double end, int how_far);
  bool take_step(double end, double corner);
  double end_of_step(double end, double corner);
  void interpolate(double t);
  bool keeps_kinetic_energy();
  bool makes_headway();
  void begin_again(double step);
  double last_step() const;
  void loosen(double distance);
  void allow_noise();
  void set_tolerances(double factor);
  bool fail(std::string why);

  Plant plant_;
  const SimulationOptions& options_;
  // The plant is stiff and wants the implicit method; the implicit method is in use.
  bool stiff_, implicit_;
  // Of the explicit method.
  int explicit_order_ = 8;
  // The springs were slow at the start and may become fast. Steps are counted over some calls of
  // advance(): the steps before these calls, and how many calls there were.
  bool watched_ = false;
  long watched_steps_ = 0, watched_stops_ = 0;
  SUNContext context_ = nullptr;
  // The state after the last step; at the end of the last advance().
  N_Vector x_ = nullptr, sample_ = nullptr, tolerance_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  // The method in use, and the other one of the two (implicit, explicit) once it was needed.
  void *memory_ = nullptr, *other_ = nullptr;
  const char* name_ = "";
  double t_;
  Vector x_before_;
  // How independent the rows of G are: the largest value so far, and the present one over it.
  double most_independent_ = 0, distance_ = 1;
  // Of g, rad or m: 1e-16 of 1 m, more where coordinates are larger.
  double rounding_ = 1e-16;
  double largest_step_ = 0;  // s
  int tiny_steps_ = 0;
  RoundingNoise noise_;
  // The noise that rounding leaves in each part of the state, for steps of step_of_noise_ s.
  Vector least_;
  double step_of_noise_ = 0;
  std::array<double, 10> last_steps_ = {};  // s
  // Factor on the tolerances of the options.
  double loosened_ = 1;
  // J, the largest kinetic energy so far
  double kinetic_ = 0;
  std::string failure_;
};

}  // namespace tauflex

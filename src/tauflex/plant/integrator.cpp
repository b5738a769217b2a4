#include "tauflex/plant/integrator.hpp"

#include <arkode/arkode_arkstep.h>
#include <fmt/format.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "tauflex/mechanics/motion.hpp"

namespace tauflex {

namespace {

void must_succeed(int flag, const char* what) {
  if (flag < 0) throw std::runtime_error(fmt::format("{} failed with {}", what, flag));
}

// The constraints are as independent as usual at distance 1, dependent at 0. Steps across the loss
// of rank begin here: they are far wider than what rounding blurs, and short for the motion.
constexpr double begin_crossing = 0.02;

// Steps below this share of the largest are tiny; after so many in a row the run is given up.
constexpr double tiny = 1e-6;
constexpr int most_tiny_steps = 300;

// Why ARKODE could not go on.
const char* reason_of(int flag) {
  switch (flag) {
    case ARK_TOO_MUCH_WORK:
      return "too many steps are needed; the motion may be too stiff or unstable";
    case ARK_TOO_MUCH_ACC:
      return "the tolerances ask for more digits than numbers have";
    case ARK_ERR_FAILURE:
      return "the error of a step is above the tolerance, however small the step";
    case ARK_CONV_FAILURE:
      return "Newton's method does not converge in a step, however small the step";
    case ARK_LSETUP_FAIL:
    case ARK_LSOLVE_FAIL:
      return "the linear equations of a step are singular";
    case ARK_FIRST_RHSFUNC_ERR:
      return "the accelerations are not finite at the start";
    case ARK_RHSFUNC_FAIL:
    case ARK_REPTD_RHSFUNC_ERR:
    case ARK_UNREC_RHSFUNC_ERR:
      return "the accelerations are not finite, however small the step";
    case ARK_POSTPROCESS_STEP_FAIL:
      return "the state cannot be put back on the constraints";
    case ARK_TOO_CLOSE:
      return "two times are too close to each other";
    case ARK_MEM_FAIL:
      return "there is not enough memory";
    default:
      return "the integrator cannot go on";
  }
}

}  // namespace

int Integrator::rate(realtype t, N_Vector x, N_Vector xdot, void* plant) {
  view_out(xdot).setZero();
  static_cast<Plant*>(plant)->problem.rate(t, view(x), view_out(xdot));
  return view(xdot).allFinite() ? 0 : 1;  // 1: try a smaller step
}

int Integrator::rate_on_constraints(realtype t, N_Vector x, N_Vector xdot, void* plant) {
  view_out(xdot).setZero();
  static_cast<Plant*>(plant)->problem.rate_on_constraints(t, view(x), view_out(xdot));
  return view(xdot).allFinite() ? 0 : 1;
}

int Integrator::jacobian(realtype t, N_Vector x, N_Vector, SUNMatrix J, void* plant, N_Vector,
                         N_Vector, N_Vector) {
  const auto n = NV_LENGTH_S(x);
  Eigen::Map<Matrix> out(SM_DATA_D(J), n, n);
  static_cast<Plant*>(plant)->problem.jacobian(t, view(x), out);
  return out.allFinite() ? 0 : 1;
}

// After each step: back on the constraints.
int Integrator::project(realtype t, N_Vector x, void* plant) {
  auto& [problem, projection] = *static_cast<Plant*>(plant);
  projection = problem.project(t, view_out(x));
  return view(x).allFinite() ? 0 : -1;
}

Integrator::Integrator(ForwardProblem& problem, double t0, const Vector& x0, double sample,
                       const SimulationOptions& options)
    : plant_{problem, {}},
      options_(options),
      stiff_(may_be_stiff(problem.plant())),
      implicit_(stiff_),
      t_(t0),
      noise_(problem, t0, x0, options.least_size) {
  if (stiff_ && springs_are_slow(x0, sample)) {
    stiff_ = implicit_ = false;
    watched_ = true;
  }
  must_succeed(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
  x_ = N_VNew_Serial(x0.size(), context_);
  view_out(x_) = x0;
  sample_ = N_VClone(x_);
  view_out(sample_) = x0;
  tolerance_ = N_VNew_Serial(x0.size(), context_);
  least_ = noise_.of_steps(0);
  make_method();
  most_independent_ = problem.usual_independence(x0);
}

// An implicit step costs as much as several explicit ones, and between two samples there is at
// least one of either. Loops are left to the implicit method: explicit stages lie on constraints.
bool Integrator::springs_are_slow(const Vector& x0, double sample) {
  constexpr double few_steps = 12, one_step = 0.2;  // rad per sample
  if (plant_.problem.plant().constraint_count() > 0) return false;
  const double radians = sample * plant_.problem.largest_rate(t_, x0);
  if (radians < one_step) explicit_order_ = 5;
  return radians < few_steps;
}

// The one that is wanted, from the state as it is.
void Integrator::make_method() {
  const Robot& plant = plant_.problem.plant();
  memory_ = ARKStepCreate(implicit_ ? nullptr : rate_on_constraints, implicit_ ? rate : nullptr, t_,
                          x_, context_);
  must_succeed(ARKStepSetUserData(memory_, &plant_), "ARKStepSetUserData");
  must_succeed(ARKStepSetOrder(memory_, implicit_ ? 5 : explicit_order_), "ARKStepSetOrder");
  name_ = implicit_              ? "SUNDIALS ARKODE, ARK5(4)8L[2]SA DIRK"
          : explicit_order_ == 5 ? "SUNDIALS ARKODE, Cash-Karp 6-4-5"
                                 : "SUNDIALS ARKODE, Fehlberg 13-7-8";
  set_tolerances(loosened_);
  if (implicit_) set_up_implicit();
  if (plant.constraint_count() > 0 || plant.nq() != plant.nv())
    must_succeed(ARKStepSetPostprocessStepFn(memory_, project), "ARKStepSetPostprocessStepFn");
  must_succeed(ARKStepSetMaxNumSteps(memory_, options_.max_steps), "ARKStepSetMaxNumSteps");
  must_succeed(ARKStepSetErrHandlerFn(
                   memory_, [](int, const char*, const char*, char*, void*) {}, nullptr),
               "ARKStepSetErrHandlerFn");
}

// Springs ask for the implicit method, singular positions for the explicit one, whose stages lie on
// the constraints. It is taken where springs are slow against the time that is left until then.
void Integrator::choose_method(double ahead) {
  constexpr double begin = 0.1, end = 0.2, most_radians = 1000;
  if (!stiff_ || (implicit_ ? distance_ > begin : distance_ < end)) return;
  const auto radians = [&] {  // of the fastest spring, from `begin` to the singular position
    return begin * ahead / distance_ * plant_.problem.fastest_rate(t_, view(x_));
  };
  if (implicit_ && !(radians() < most_radians)) return;
  implicit_ = !implicit_;
  const double step = last_step();
  std::swap(memory_, other_);
  if (!memory_) make_method();
  set_tolerances(loosened_);
  begin_again(step);
}

void Integrator::set_up_implicit() {
  const auto n = NV_LENGTH_S(x_);
  matrix_ = SUNDenseMatrix(n, n, context_);
  linear_ = SUNLinSol_Dense(x_, matrix_, context_);
  must_succeed(ARKStepSetLinearSolver(memory_, linear_, matrix_), "ARKStepSetLinearSolver");
  must_succeed(ARKStepSetJacFn(memory_, jacobian), "ARKStepSetJacFn");
  // Rates of stages from their equations, k = (z - z_0) / (h gamma), not from f(z): f multiplies
  // the error that Newton's iteration leaves in z by D / (inertia of a rotor), 1e9 1/s and more.
  // But h f makes errors of slow motions smaller, and h k does not: so the iteration goes on to
  // 1e-4.
  must_succeed(ARKStepSetDeduceImplicitRhs(memory_, 1), "ARKStepSetDeduceImplicitRhs");
  must_succeed(ARKStepSetNonlinConvCoef(memory_, 1e-4), "ARKStepSetNonlinConvCoef");
  // Newton's matrix anew whenever the step changes: with a matrix for another step, which ARKODE
  // keeps up to 20 %, iterations ended too early and vibrations lost or gained energy.
  must_succeed(ARKStepSetDeltaGammaMax(memory_, 1e-9), "ARKStepSetDeltaGammaMax");
}

Integrator::~Integrator() {
  ARKStepFree(&memory_);
  if (other_) ARKStepFree(&other_);
  if (linear_) SUNLinSolFree(linear_);
  if (matrix_) SUNMatDestroy(matrix_);
  N_VDestroy(tolerance_);
  N_VDestroy(sample_);
  N_VDestroy(x_);
  SUNContext_Free(&context_);
}

bool Integrator::fail(std::string why) {
  failure_ = std::move(why);
  if (distance_ < begin_crossing)
    failure_ +=
        "; this is close to a singular position, where the constraints are linearly dependent";
  return false;
}

long Integrator::steps() const {
  long count = 0, others = 0;
  ARKStepGetNumSteps(memory_, &count);
  if (other_) ARKStepGetNumSteps(other_, &others);
  return count + others;
}

void Integrator::restart() { begin_again(last_step()); }

bool Integrator::evolve(double end, int how_far) {
  must_succeed(ARKStepSetStopTime(memory_, end), "ARKStepSetStopTime");
  realtype reached = 0;
  const int flag = ARKStepEvolve(memory_, end, x_, &reached, how_far);
  if (flag < 0) return fail(reason_of(flag));
  t_ = reached;
  return true;
}

bool Integrator::advance(double end, double corner) {
  const bool free = plant_.problem.plant().constraint_count() == 0;
  if (free && !implicit_) return advance_explicitly(end);
  const double begin = t_;
  const long before = steps();
  while (t_ < end) {
    if (implicit_) allow_noise();
    if (!(free ? evolve(end, ARK_ONE_STEP) : take_step(end, corner))) return false;
    if (!gets_on(steps() - before, (t_ - begin) / (end - begin))) return false;
  }
  if (free) return true;
  if (t_ > end)
    interpolate(end);
  else
    view_out(sample_) = view(x_);
  return true;
}

// On the way to one stop, as is_getting_on() in simulate.cpp between stops: a tenth of the steps
// that are allowed, and not a hundredth of the way.
bool Integrator::gets_on(long taken, double share) {
  constexpr long start = 1000;
  if (taken <= options_.max_steps &&
      (taken < std::max(start, options_.max_steps / 10) || share > 0.01))
    return true;
  return fail(
      fmt::format("{} steps covered {:.2g} of the way to the next sample; {} steps are "
                  "allowed (max_steps); the motion may be too stiff or unstable",
                  taken, share, options_.max_steps));
}

// Springs that become fast on the way, by another pose or by hardening, make steps short.
bool Integrator::advance_explicitly(double end) {
  constexpr long stops = 32, most_steps = 24;
  if (!evolve(end, ARK_NORMAL)) return false;
  if (!watched_ || ++watched_stops_ < stops) return true;
  if (steps() - watched_steps_ > most_steps * stops) {
    stiff_ = implicit_ = true;
    watched_ = false;
    std::swap(memory_, other_);
    make_method();
  }
  watched_stops_ = 0;
  watched_steps_ = steps();
  return true;
}

// Within the last step, which went beyond t.
void Integrator::interpolate(double t) {
  must_succeed(ARKStepGetDky(memory_, t, 0, sample_), "ARKStepGetDky");
  plant_.problem.project(t, view_out(sample_));
}

// Where the next step shall end at the latest, so that none of its stages is close to a time at
// which the constraints lose rank; here, when there is no such step.
double Integrator::end_of_step(double end, double corner) {
  constexpr double most_growth = 20;  // of one step over the last
  const auto [independence, ahead] = plant_.problem.rank_forecast(
      t_, view(x_), std::max(end - t_, last_step()), most_independent_);
  most_independent_ = std::max(most_independent_, independence);
  const double distance = distance_ = independence / most_independent_;
  constexpr double most_rounding = 1e-13;  // 1 km from the origin; more is no rounding
  rounding_ = std::max(rounding_, std::min(distance * plant_.projection.noise, most_rounding));
  choose_method(ahead);
  loosen(distance);
  if (distance > begin_crossing) return std::min(end, t_ + 0.75 * ahead);
  if (implicit_ && (std::isfinite(ahead) || loosened_ > 1)) return t_;
  if (!(ahead < corner - t_)) return end;
  if (ahead > most_growth * last_step()) return std::min(end, t_ + 0.75 * ahead);
  // Halfway between two stages that are far apart, 1/2 and 2/3 of the step.
  constexpr double between_stages = 7.0 / 12;
  const bool crosses = ahead <= between_stages * (corner - t_);
  const double step = crosses ? ahead / between_stages : ahead / 2;
  begin_again(step);
  if (crosses) loosen(distance / between_stages / 12);
  return t_ + step;
}

// Rounding of g moves a state by (rounding) / distance off the constraints and the direction of its
// velocity by (rounding) / distance^2: no step can be more accurate than that.
void Integrator::loosen(double distance) {
  const double noise = std::min(10 * rounding_ / (distance * distance), 1e-6);
  const double factor = std::max(1.0, noise / options_.relative_tolerance);
  if (factor == loosened_) return;
  set_tolerances(factor);
  loosened_ = factor;
}

// A step damps the vibrations that it does not follow; after ten they are gone.
void Integrator::allow_noise() {
  last_steps_[static_cast<size_t>(steps()) % last_steps_.size()] = last_step();
  const double step = *std::min_element(last_steps_.begin(), last_steps_.end());
  if (noise_.same(step, step_of_noise_)) return;
  least_ = noise_.of_steps(step);
  step_of_noise_ = step;
  set_tolerances(loosened_);
}

// Those that were asked for, times a factor.
void Integrator::set_tolerances(double factor) {
  auto absolute = view_out(tolerance_);
  absolute = least_.cwiseMax(factor * options_.absolute_tolerance);
  // The balances follow from q and v; they may be as large as the energy and need their own scale.
  // What Newton's iteration leaves of them stays in their rates.
  absolute.tail(2).setConstant(options_.energy_tolerance);
  must_succeed(ARKStepSVtolerances(memory_, factor * options_.relative_tolerance, tolerance_),
               "ARKStepSVtolerances");
}

void Integrator::begin_again(double step) {
  must_succeed(ARKStepReset(memory_, t_, x_), "ARKStepReset");
  must_succeed(ARKStepSetInitStep(memory_, step), "ARKStepSetInitStep");
}

double Integrator::last_step() const {
  realtype last = 0;
  ARKStepGetLastStep(memory_, &last);
  return last;
}

// A step on which the projection on the constraints takes out energy has gone wrong, and is taken
// again with other stages.
bool Integrator::take_step(double end, double corner) {
  x_before_ = view(x_);
  const double begin = t_;
  for (int attempt = 0; attempt < 6; ++attempt) {
    const double stop = end_of_step(end, corner);
    if (!(stop > t_)) return fail("springs vibrate too fast to cross this position in one step");
    if (!evolve(stop, ARK_ONE_STEP)) return false;
    if (keeps_kinetic_energy()) return makes_headway();
    view_out(x_) = x_before_;
    t_ = begin;
    begin_again(0.3 * last_step());
  }
  return fail("the velocities cannot be kept on the constraints without a loss of energy");
}

bool Integrator::makes_headway() {
  largest_step_ = std::max(largest_step_, last_step());
  const double floor = distance_ < begin_crossing ? tiny : tiny * tiny;
  tiny_steps_ = last_step() < floor * largest_step_ ? tiny_steps_ + 1 : 0;
  if (tiny_steps_ < most_tiny_steps) return true;
  return fail(fmt::format("the steps have shrunk to {:.1g} s and stay there", last_step()));
}

// An error dv of the velocities changes it by v^T M dv + dv^T M dv / 2.
bool Integrator::keeps_kinetic_energy() {
  const Projection& p = plant_.projection;
  kinetic_ = std::max(kinetic_, p.kinetic);
  const double absolute = std::sqrt(p.mass) * options_.absolute_tolerance;
  const double allowed =
      options_.relative_tolerance * kinetic_ + absolute * (std::sqrt(2 * kinetic_) + absolute);
  return std::abs(p.kinetic_change) <= 1e3 * loosened_ * allowed;
}

}  // namespace tauflex

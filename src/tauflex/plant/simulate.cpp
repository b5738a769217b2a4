#include "tauflex/plant/simulate.hpp"

#include <arkode/arkode_arkstep.h>
#include <fmt/format.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <cstdlib>
#include <memory>

#include "tauflex/base/fields.hpp"
#include "tauflex/math/sundials_vector.hpp"
#include "tauflex/mechanics/motion.hpp"

namespace tauflex {

std::vector<Field> SimulationOptions::fields() {
  using namespace describe;
  return {
      number("relative_tolerance", relative_tolerance, above(0), "", "of positions and velocities"),
      number("absolute_tolerance", absolute_tolerance, above(0), "", "rad, m, and per second"),
      integer("max_steps", max_steps, at_least(1),
              "of the whole run, besides one for each sample")};
}

void SimulationOptions::check() const {
  check_fields("simulation", SimulationOptions(*this).fields());
}

namespace {

int rate(realtype t, N_Vector x, N_Vector xdot, void* problem) {
  view_out(xdot).setZero();
  static_cast<ForwardProblem*>(problem)->rate(t, view(x), view_out(xdot));
  return view(xdot).allFinite() ? 0 : 1;  // 1: try a smaller step
}

int rate_on_constraints(realtype t, N_Vector x, N_Vector xdot, void* problem) {
  view_out(xdot).setZero();
  static_cast<ForwardProblem*>(problem)->rate_on_constraints(t, view(x), view_out(xdot));
  return view(xdot).allFinite() ? 0 : 1;
}

int jacobian(realtype t, N_Vector x, N_Vector, SUNMatrix J, void* problem, N_Vector, N_Vector,
             N_Vector) {
  const auto n = NV_LENGTH_S(x);
  Eigen::Map<Matrix> out(SM_DATA_D(J), n, n);
  static_cast<ForwardProblem*>(problem)->jacobian(t, view(x), out);
  return out.allFinite() ? 0 : 1;
}

// After each step: back on the constraints.
int project(realtype t, N_Vector x, void* problem) {
  static_cast<ForwardProblem*>(problem)->project(t, view_out(x));
  return view(x).allFinite() ? 0 : -1;
}

std::string flag_name(int flag) {
  const std::unique_ptr<char, decltype(&std::free)> text(ARKStepGetReturnFlagName(flag),
                                                         &std::free);
  return text.get();
}

// Owns the SUNDIALS objects of one run.
class Integrator {
 public:
  Integrator(ForwardProblem& problem, double t0, const Vector& x0,
             const SimulationOptions& options) {
    check(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
    x_ = N_VNew_Serial(x0.size(), context_);
    view_out(x_) = x0;
    matrix_ = SUNDenseMatrix(x0.size(), x0.size(), context_);
    linear_ = SUNLinSol_Dense(x_, matrix_, context_);
    const bool implicit = may_be_stiff(problem.plant());
    memory_ = ARKStepCreate(implicit ? nullptr : rate_on_constraints, implicit ? rate : nullptr, t0,
                            x_, context_);
    // The balances follow from q and v; they may be as large as the energy and need their own
    // scale.
    tolerance_ = N_VNew_Serial(x0.size(), context_);
    N_VConst(options.absolute_tolerance, tolerance_);
    view_out(tolerance_).tail(2).setConstant(1e-6);
    check(ARKStepSetUserData(memory_, &problem), "ARKStepSetUserData");
    check(ARKStepSetOrder(memory_, implicit ? 5 : 8), "ARKStepSetOrder");
    name_ = implicit ? "SUNDIALS ARKODE, ARK5(4)8L[2]SA DIRK" : "SUNDIALS ARKODE, Fehlberg 13-7-8";
    check(ARKStepSVtolerances(memory_, options.relative_tolerance, tolerance_),
          "ARKStepSVtolerances");
    if (implicit) {
      check(ARKStepSetLinearSolver(memory_, linear_, matrix_), "ARKStepSetLinearSolver");
      check(ARKStepSetJacFn(memory_, jacobian), "ARKStepSetJacFn");
      check(ARKStepSetNonlinConvCoef(memory_, 0.01), "ARKStepSetNonlinConvCoef");
    }
    if (problem.plant().constraint_count() > 0 || problem.plant().nq() != problem.plant().nv())
      check(ARKStepSetPostprocessStepFn(memory_, project), "ARKStepSetPostprocessStepFn");
    check(ARKStepSetMaxNumSteps(memory_, options.max_steps), "ARKStepSetMaxNumSteps");
    check(ARKStepSetErrHandlerFn(
              memory_, [](int, const char*, const char*, char*, void*) {}, nullptr),
          "ARKStepSetErrHandlerFn");
  }
  ~Integrator() {
    ARKStepFree(&memory_);
    SUNLinSolFree(linear_);
    SUNMatDestroy(matrix_);
    N_VDestroy(tolerance_);
    N_VDestroy(x_);
    SUNContext_Free(&context_);
  }
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;

  // Advances to exactly `end`; returns SUNDIALS' flag.
  int advance(double end) {
    check(ARKStepSetStopTime(memory_, end), "ARKStepSetStopTime");
    realtype reached = 0;
    return ARKStepEvolve(memory_, end, x_, &reached, ARK_NORMAL);
  }
  // Tells the integrator that the right-hand side jumps here.
  void restart(double t) {
    realtype last = 0;
    ARKStepGetLastStep(memory_, &last);
    check(ARKStepReset(memory_, t, x_), "ARKStepReset");
    check(ARKStepSetInitStep(memory_, last), "ARKStepSetInitStep");
  }
  Eigen::Map<const Vector> x() const { return view(x_); }
  const char* name() const { return name_; }
  long steps() const {
    long count = 0;
    ARKStepGetNumSteps(memory_, &count);
    return count;
  }

 private:
  static void check(int flag, const char* what) {
    if (flag < 0) throw std::runtime_error(fmt::format("{} failed with {}", what, flag));
  }
  SUNContext context_ = nullptr;
  N_Vector x_ = nullptr, tolerance_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  void* memory_ = nullptr;
  const char* name_ = "";
};

}  // namespace

namespace {

constexpr double fastest = 1e6;  // rad/s or m/s: nothing that a robot does

}  // namespace

namespace {

// A run in the making: the integrator goes from corner to corner, samples are kept.
class Run {
 public:
  Run(ForwardProblem& problem, const Vector& x0, const Vector& times,
      const SimulationOptions& options)
      : problem_(problem), options_(options), integrator_(problem, times[0], x0, options) {
    const int nq = problem.plant().nq(), nv = problem.plant().nv();
    const auto n = times.size();
    result_.integrator = integrator_.name();
    result_.t = times;
    result_.q = Matrix::Zero(nq, n);
    result_.v = result_.vdot = Matrix::Zero(nv, n);
    result_.u = Matrix::Zero(problem.drives(), n);
    result_.lambda = Matrix::Zero(problem.plant().constraint_count(), n);
    result_.work = result_.dissipated = Vector::Zero(n);
    now_ = times[0];
    store(0);
  }

  // To sample i. Returns false when the integrator fails; the status says so.
  bool advance(Eigen::Index i) {
    while (now_ < result_.t[i]) {
      const double corner = problem_.next_corner(now_);
      const double stop = std::min(corner, result_.t[i]);
      if (stop > now_ && !integrate(stop)) return false;
      now_ = stop;
      if (corner <= result_.t[i]) {
        problem_.enter(now_, integrator_.x());
        if (problem_.jumps()) integrator_.restart(now_);
      }
    }
    store(i);
    return true;
  }

  void interrupt() { fail(Status::interrupted, fmt::format("interrupted at t = {:.6g} s", now_)); }

  // With the first `samples` samples.
  Simulation result(Eigen::Index samples) {
    result_.steps = integrator_.steps();
    if (samples < result_.t.size()) {
      for (Matrix* m : {&result_.q, &result_.v, &result_.vdot, &result_.u, &result_.lambda})
        m->conservativeResize(Eigen::NoChange, samples);
      for (Vector* x : {&result_.t, &result_.work, &result_.dissipated})
        x->conservativeResize(samples);
    }
    return std::move(result_);
  }

 private:
  bool integrate(double stop) {
    const int flag = integrator_.advance(stop);
    ++stops_;
    if (flag < 0)
      return fail(
          Status::not_converged,
          fmt::format("t = {:.6g} s: the forward simulation failed ({})", now_, flag_name(flag)));
    const int nq = problem_.plant().nq(), nv = problem_.plant().nv();
    if (!(integrator_.x().segment(nq, nv).cwiseAbs().maxCoeff() < fastest))
      return fail(
          Status::not_converged,
          fmt::format("t = {:.6g} s: the motion runs away; is the controller stable?", stop));
    // each sample and each corner takes a step, however easy the motion is
    if (integrator_.steps() - stops_ > options_.max_steps)
      return fail(Status::not_converged,
                  fmt::format("t = {:.6g} s: {} steps were not enough; the motion may be too stiff "
                              "or unstable, or close to a singular position",
                              stop, options_.max_steps));
    return true;
  }

  bool fail(Status status, std::string message) {
    result_.status = status;
    result_.message = std::move(message);
    return false;
  }

  void store(Eigen::Index i) {
    const int nq = problem_.plant().nq(), nv = problem_.plant().nv();
    const auto& x = integrator_.x();
    result_.q.col(i) = x.head(nq);
    result_.v.col(i) = x.segment(nq, nv);
    problem_.torques(result_.t[i], x, result_.u.col(i));
    problem_.accelerations(result_.t[i], x, result_.vdot.col(i), result_.lambda.col(i));
    result_.work[i] = x[nq + nv];
    result_.dissipated[i] = x[nq + nv + 1];
  }

  ForwardProblem& problem_;
  const SimulationOptions& options_;
  Integrator integrator_;
  Simulation result_;
  double now_ = 0;
  // Samples and corners so far.
  long stops_ = 0;
};

}  // namespace

Simulation simulate(ForwardProblem& problem, const VectorRef& q0, const VectorRef& v0,
                    const Vector& times, const SimulationOptions& options,
                    const Progress& progress) {
  options.check();
  Vector x0 = problem.state(q0, v0);
  problem.project(times[0], x0);
  problem.start(times[0], x0);
  Run run(problem, x0, times, options);
  const auto n = times.size();
  for (Eigen::Index i = 1; i < n; ++i) {
    if (!run.advance(i)) return run.result(i);
    if (progress && i % 64 == 0 && !progress(static_cast<double>(i) / static_cast<double>(n))) {
      run.interrupt();
      return run.result(i);
    }
  }
  return run.result(n);
}

}  // namespace tauflex

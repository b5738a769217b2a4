#include "tauflex/solvers/variable_step.hpp"

#include <fmt/format.h>
#include <ida/ida.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <cmath>
#include <cstdlib>

#include "tauflex/math/sundials_vector.hpp"
#include "tauflex/solvers/array_methods.hpp"
#include "tauflex/solvers/formulation.hpp"

namespace tauflex {

namespace {

struct System {
  ImplicitSystem* equations;
  Matrix F_x, F_xdot;
};

int residual(realtype t, N_Vector x, N_Vector xdot, N_Vector r, void* data) {
  static_cast<System*>(data)->equations->residual(t, view(x), view(xdot), view_out(r));
  return view(r).allFinite() ? 0 : 1;  // 1: try a smaller step
}

int jacobian(realtype t, realtype cj, N_Vector x, N_Vector xdot, N_Vector, SUNMatrix J, void* data,
             N_Vector, N_Vector, N_Vector) {
  auto& system = *static_cast<System*>(data);
  system.equations->jacobians(t, view(x), view(xdot), system.F_x, system.F_xdot);
  const auto n = NV_LENGTH_S(x);
  Eigen::Map<Matrix> out(SM_DATA_D(J), n, n);
  out = system.F_x + cj * system.F_xdot;
  return out.allFinite() ? 0 : 1;
}

// Owns the SUNDIALS objects of one run.
class Ida {
 public:
  Ida(ImplicitSystem& equations, const std::vector<bool>& algebraic, double t0, const Vector& x0,
      const VariableStepOptions& options)
      : system_{&equations, Matrix::Zero(x0.size(), x0.size()),
                Matrix::Zero(x0.size(), x0.size())} {
    check(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
    x_ = N_VNew_Serial(x0.size(), context_);
    xdot_ = N_VNew_Serial(x0.size(), context_);
    id_ = N_VNew_Serial(x0.size(), context_);
    view_out(x_) = x0;
    N_VConst(0, xdot_);
    for (Eigen::Index i = 0; i < x0.size(); ++i) view_out(id_)[i] = algebraic[i] ? 0 : 1;
    matrix_ = SUNDenseMatrix(x0.size(), x0.size(), context_);
    linear_ = SUNLinSol_Dense(x_, matrix_, context_);
    memory_ = IDACreate(context_);
    check(IDAInit(memory_, residual, t0, x_, xdot_), "IDAInit");
    // Algebraic unknowns are only Newton's: forces and accelerations, larger than positions.
    tolerance_ = N_VNew_Serial(x0.size(), context_);
    for (Eigen::Index i = 0; i < x0.size(); ++i)
      view_out(tolerance_)[i] = options.tolerance * (algebraic[i] ? 1e3 : 1);
    check(IDASVtolerances(memory_, options.tolerance, tolerance_), "IDASVtolerances");
    check(IDASetUserData(memory_, &system_), "IDASetUserData");
    check(IDASetLinearSolver(memory_, linear_, matrix_), "IDASetLinearSolver");
    check(IDASetJacFn(memory_, jacobian), "IDASetJacFn");
    check(IDASetId(memory_, id_), "IDASetId");
    check(IDASetSuppressAlg(memory_, SUNTRUE), "IDASetSuppressAlg");
    check(IDASetMaxNumSteps(memory_, options.max_steps), "IDASetMaxNumSteps");
    check(IDASetNonlinConvCoef(memory_, 0.01), "IDASetNonlinConvCoef");
    check(IDASetErrHandlerFn(
              memory_, [](int, const char*, const char*, char*, void*) {}, nullptr),
          "IDASetErrHandlerFn");
  }
  ~Ida() {
    IDAFree(&memory_);
    SUNLinSolFree(linear_);
    SUNMatDestroy(matrix_);
    N_VDestroy(tolerance_);
    N_VDestroy(id_);
    N_VDestroy(xdot_);
    N_VDestroy(x_);
    SUNContext_Free(&context_);
  }
  Ida(const Ida&) = delete;
  Ida& operator=(const Ida&) = delete;

  int advance(double t) {
    realtype reached = 0;
    return IDASolve(memory_, t, &reached, x_, xdot_, IDA_NORMAL);
  }
  void stop_at(double t) { check(IDASetStopTime(memory_, t), "IDASetStopTime"); }
  Eigen::Map<const Vector> x() const { return view(x_); }
  Eigen::Map<const Vector> xdot() const { return view(xdot_); }
  double time() const {
    realtype t = 0;
    IDAGetCurrentTime(memory_, &t);
    return t;
  }
  long steps() const {
    long count = 0;
    IDAGetNumSteps(memory_, &count);
    return count;
  }
  long iterations() const {
    long count = 0;
    IDAGetNumNonlinSolvIters(memory_, &count);
    return count;
  }

 private:
  static void check(int flag, const char* what) {
    if (flag < 0) throw std::runtime_error(fmt::format("{} failed with {}", what, flag));
  }
  System system_;
  SUNContext context_ = nullptr;
  N_Vector x_ = nullptr, xdot_ = nullptr, id_ = nullptr, tolerance_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  void* memory_ = nullptr;
};

// The differential variables of the problem among those that IDA integrates with error control;
// between its steps only they can be trusted, the others follow from the array.
std::vector<int> integrated_variables(const std::vector<bool>& algebraic,
                                      const IndexAnalysis& analysis) {
  std::vector<int> integrated, others;
  const int n = static_cast<int>(analysis.A2.cols());
  for (int j = 0; j < n; ++j) (algebraic[j] ? others : integrated).push_back(j);
  if (std::isfinite(condition_of_algebraic(analysis, others))) return integrated;
  return analysis.differential;
}

std::string reason(int flag, double t, long steps) {
  const std::unique_ptr<char, decltype(&std::free)> name(IDAGetReturnFlagName(flag), &std::free);
  const char* what = flag == IDA_ERR_FAIL        ? "the error test fails however small the step"
                     : flag == IDA_CONV_FAIL     ? "Newton fails however small the step"
                     : flag == IDA_TOO_MUCH_WORK ? "too many steps"
                                                 : "it gave up";
  return fmt::format("IDA stopped at t = {:.6g} s after {} steps: {} ({})", t, steps, what,
                     name.get());
}

}  // namespace

std::optional<StepFailure> solve_variable_step(const InverseProblem& problem,
                                               const RestState& start,
                                               const VariableStepOptions& options,
                                               const TimeGrid& grid, const Progress& progress,
                                               Solution& solution) {
  Formulation formulation(problem, start, BdfForm::reduced, 1, options.dummies);
  InverseDae& dae = formulation.dae();
  const Vector z0 = formulation.start();
  std::vector<bool> algebraic(z0.size(), true);
  if (const ReducedDae* reduced = formulation.reduced()) {
    algebraic = reduced->algebraic();
  } else {
    Matrix F_x = Matrix::Zero(z0.size(), z0.size()), F_xdot = F_x;
    dae.jacobians(grid.begin, z0, Vector::Zero(z0.size()), F_x, F_xdot);
    for (Eigen::Index j = 0; j < z0.size(); ++j) algebraic[j] = F_xdot.col(j).isZero(0);
  }
  DerivativeArray array(dae);
  const IndexAnalysis analysis = analyze_index(array, grid.begin, z0.head(dae.size()));
  if (!analysis.found)
    return StepFailure{1, "", 0,
                       "the derivative array has no order with the ranks of Hypothesis 1"};
  const std::vector<int> kept = integrated_variables(algebraic, analysis);
  Ida ida(formulation.system(), algebraic, grid.begin, z0, options);
  ida.stop_at(problem.end());
  Matrix X = Matrix::Zero(dae.size(), analysis.differential_index + 2);
  Vector r(dae.size());
  const auto take = [&](int i, double t, Instant& now) -> std::optional<StepFailure> {
    if (const int flag = ida.advance(t); flag < 0)
      return StepFailure{i, "", 0, reason(flag, ida.time(), ida.steps())};
    X.col(0) = ida.x().head(dae.size());  // derivatives change little between samples
    if (!complete_series(array, analysis.scales, t, analysis.differential_index, X, kept))
      return StepFailure{i, "", 0,
                         "the derivatives of the motion could not be found from the array"};
    complete(dae, t, X.col(0), X.col(1), r, now);
    solution.newton_iterations = ida.iterations();
    solution.integrator_steps = ida.steps();
    return std::nullopt;
  };
  return take_steps(grid, 1, progress, take, solution);
}

}  // namespace tauflex

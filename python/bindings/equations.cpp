// Equations that were written in Python: the operations that the function did once, repeated in
// any scalar.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "bindings.hpp"
#include "tauflex/analysis/index.hpp"
#include "tauflex/analysis/index_reduction.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/equations/make_dae.hpp"
#include "tauflex/solvers/solve_dae.hpp"

namespace tauflex::python {

namespace {

enum class Operation {
  number,
  time,
  variable,
  rate,
  add,
  subtract,
  multiply,
  divide,
  negate,
  sin,
  cos,
  sqrt,
  exp,
  log,
  tanh
};

const std::vector<std::string> operation_names = {
    "number", "time", "variable", "rate", "add", "subtract", "multiply", "divide",
    "negate", "sin",  "cos",      "sqrt", "exp", "log",      "tanh"};

// A step of the computation: of earlier steps a and b, of variable or rate a, or a number.
struct Step {
  Operation operation;
  int a = 0, b = 0;
  double number = 0;
};

// r = F(t, x, x'): all steps, and which of them are the residuals.
struct Recording {
  std::vector<Step> steps;
  std::vector<int> residuals;

  template <class T, class In, class Out>
  void operator()(const T& t, const In& x, const In& xdot, Out& r) const {
    using S = std::decay_t<decltype(r[0])>;
    using std::cos, std::exp, std::log, std::sin, std::sqrt, std::tanh;
    std::vector<S> value;
    value.reserve(steps.size());
    for (const Step& step : steps) {
      const auto a = [&]() -> const S& { return value[step.a]; };
      const auto b = [&]() -> const S& { return value[step.b]; };
      switch (step.operation) {
        case Operation::number:
          value.push_back(S(step.number));
          break;
        case Operation::time:
          value.push_back(S(t));
          break;
        case Operation::variable:
          value.push_back(x[step.a]);
          break;
        case Operation::rate:
          value.push_back(xdot[step.a]);
          break;
        case Operation::add:
          value.push_back(a() + b());
          break;
        case Operation::subtract:
          value.push_back(a() - b());
          break;
        case Operation::multiply:
          value.push_back(a() * b());
          break;
        case Operation::divide:
          value.push_back(a() / b());
          break;
        case Operation::negate:
          value.push_back(-a());
          break;
        case Operation::sin:
          value.push_back(sin(a()));
          break;
        case Operation::cos:
          value.push_back(cos(a()));
          break;
        case Operation::sqrt:
          value.push_back(sqrt(a()));
          break;
        case Operation::exp:
          value.push_back(exp(a()));
          break;
        case Operation::log:
          value.push_back(log(a()));
          break;
        case Operation::tanh:
          value.push_back(tanh(a()));
          break;
      }
    }
    for (size_t i = 0; i < residuals.size(); ++i) r[i] = value[residuals[i]];
  }
};

Recording recording(const std::vector<std::tuple<std::string, int, int, double>>& steps,
                    const std::vector<int>& residuals) {
  Recording result{{}, residuals};
  for (const auto& [name, a, b, number] : steps) {
    const auto found = std::find(operation_names.begin(), operation_names.end(), name);
    if (found == operation_names.end()) throw InputError("unknown operation '" + name + "'");
    result.steps.push_back({static_cast<Operation>(found - operation_names.begin()), a, b, number});
  }
  return result;
}

std::vector<std::string> names_of(const Dae& dae, const std::vector<int>& variables) {
  std::vector<std::string> names;
  for (const int i : variables) names.push_back(dae.variable_name(i));
  return names;
}

Vector of_size(const Array& array, Eigen::Index size, const char* name) {
  const States states(array, size, size, name);
  if (!states.is_single()) throw InputError(fmt::format("{}: expected one state", name));
  return states[0];
}

py::dict index_of(Dae& dae, double t, const Array& x, const Array& xdot) {
  const int n = dae.size();
  Matrix X(n, 2);
  X << of_size(x, n, "x"), of_size(xdot, n, "xdot");
  DerivativeArray array(dae);
  const IndexAnalysis ranks = analyze_index(array, t, X);
  if (!ranks.found)
    throw ProblemError(
        "no order of the derivative array has the ranks of Hypothesis 1 at this point");
  const StructuredDae at = structure_of(dae, t, X.col(0), X.col(1));
  if (!at.structure.regular)
    throw ProblemError("some equations cannot be matched with an unknown each");
  py::dict result;
  result["differential_index"] = ranks.differential_index;
  result["strangeness_index"] = ranks.strangeness_index;
  result["algebraic"] = names_of(dae, ranks.algebraic);
  result["differential"] = names_of(dae, ranks.differential);
  result["gap"] = ranks.gap;
  result["structural_index"] = at.structure.index;
  py::dict differentiated;
  for (int i = 0; i < n; ++i)
    differentiated[py::str(dae.equation_name(i))] = at.structure.equation_offsets[i];
  result["differentiated"] = differentiated;
  return result;
}

// Times, x and x' with a row per time, how it ended, stated errors, index and steps.
py::tuple solve_equations(Dae& dae, const Array& times, const Array& x, const std::string& given,
                          const py::object& callback) {
  const auto options = options_of<DaeOptions>(given, "solve");
  const States t(times, 2, 1 << 28, "times");
  if (!t.is_single()) throw InputError("times: expected one row");
  const Vector start = of_size(x, dae.size(), "x"), at = t[0];
  const StageProgress stages = python_progress(callback);
  const DaeSolution s = [&] {
    const py::gil_scoped_release unlocked;
    return solve_dae(dae, at, start, options, of_stage(stages, "solving"));
  }();
  return py::make_tuple(copied(s.t), copied(Matrix(s.x.transpose())),
                        copied(Matrix(s.xdot.transpose())), std::string(name(s.status)), s.message,
                        copied(s.error), s.differential_index, s.steps);
}

}  // namespace

void bind_equations(py::module_& module) {
  py::class_<Dae, std::shared_ptr<Dae>>(module, "Dae")
      .def(py::init([](const std::vector<std::string>& variables,
                       const std::vector<std::tuple<std::string, int, int, double>>& steps,
                       const std::vector<int>& residuals,
                       const std::vector<std::string>& equations) {
        return std::shared_ptr<Dae>(make_dae(variables, recording(steps, residuals), equations));
      }))
      .def("residual",
           [](Dae& dae, double t, const Array& x, const Array& xdot) {
             Vector r(dae.size());
             dae.residual(t, of_size(x, dae.size(), "x"), of_size(xdot, dae.size(), "xdot"), r);
             return copied(r);
           })
      .def("jacobians",
           [](Dae& dae, double t, const Array& x, const Array& xdot) {
             Matrix F_x(dae.size(), dae.size()), F_xdot(dae.size(), dae.size());
             dae.jacobians(t, of_size(x, dae.size(), "x"), of_size(xdot, dae.size(), "xdot"), F_x,
                           F_xdot);
             return py::make_tuple(copied(F_x), copied(F_xdot));
           })
      .def("index", &index_of)
      .def("solve", &solve_equations);
}

}  // namespace tauflex::python

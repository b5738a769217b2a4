#include "bindings.hpp"
#include "tauflex/base/failures.hpp"
#include "tauflex/base/version.hpp"

// The compiled part of the Python module; python/tauflex/__init__.py is what users see.
PYBIND11_MODULE(_tauflex, module) {
  using namespace tauflex::python;
  module.attr("__version__") = std::string(tauflex::version());
  static py::exception<tauflex::Error> error(module, "Error", PyExc_ValueError);
  static py::exception<tauflex::InputError> input(module, "InputError", error);
  static py::exception<tauflex::ProblemError> problem(module, "ProblemError", error);
  static py::exception<tauflex::UsageError> usage(module, "UsageError", error);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const tauflex::InputError& e) {
      input(e.what());
    } catch (const tauflex::ProblemError& e) {
      problem(tauflex::with_code(e.code(), e.what()).c_str());
    } catch (const tauflex::UsageError& e) {
      usage(e.what());
    } catch (const tauflex::Error& e) {
      error(e.what());
    }
  });
  bind_robot(module);
  bind_jobs(module);
  bind_studies(module);
  bind_equations(module);
}

#include <atomic>
#include <thread>

#include "bindings.hpp"
#include "tauflex/report/sweep_json.hpp"
#include "tauflex/report/sweep_text.hpp"
#include "tauflex/studies/sweep.hpp"
#include "tauflex/studies/thread_engine.hpp"

namespace tauflex::python {

namespace {

// Python is called by the thread that it waits in alone; what it throws there stops all runs and is
// thrown again when they have ended.
struct HeardByOneThread {
  StageProgress progress;
  std::thread::id own = std::this_thread::get_id();
  std::atomic<bool> stopped = false;
  std::exception_ptr fault = {};

  bool operator()(double fraction) {
    if (stopped) return false;
    if (std::this_thread::get_id() != own) return true;
    try {
      if (!progress("study", fraction)) stopped = true;
    } catch (...) {
      fault = std::current_exception();
      stopped = true;
    }
    return !stopped;
  }
};

py::object run_sweep(const Study& study, const std::string& folder, int jobs, bool resume,
                     const py::object& callback) {
  HeardByOneThread heard{.progress = python_progress(callback)};
  std::string json, text;
  {
    const py::gil_scoped_release release;
    if (!study.sampling) throw InputError(study.name + ": this study only asks for a design");
    const SweepFolder own{folder, resume};
    own.require_usable(study.text);
    const VariedJob job =
        job_of(study, [&](const char*, double fraction) { return heard(0 * fraction); });
    ThreadEngine engine(jobs);
    const Sweep result =
        sweep(study, job, own, engine, [&](double fraction) { return heard(fraction); });
    if (result.summary) {
      json = sweep_json(study, job, result);
      text = sweep_text(study, job, result);
    }
  }
  if (heard.fault) std::rethrow_exception(heard.fault);
  if (json.empty()) return py::none();
  return py::make_tuple(json, text);
}

}  // namespace

void bind_studies(py::module_& module) {
  module.def("sweep_file",
             [](const std::string& path, const std::vector<std::string>& overrides,
                const std::string& folder, int jobs, bool resume, const py::object& progress) {
               return run_sweep(read_study(path, overrides), folder, jobs, resume, progress);
             });
  module.def("sweep_text",
             [](const std::string& text, const std::string& file, const std::string& name,
                const std::vector<std::string>& overrides, const std::string& folder, int jobs,
                bool resume, const py::object& progress) {
               return run_sweep(read_study(Node::read_text(text, file), name, overrides), folder,
                                jobs, resume, progress);
             });
}

}  // namespace tauflex::python

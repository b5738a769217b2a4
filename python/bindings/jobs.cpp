#include <fmt/format.h>

#include <memory>

#include "bindings.hpp"
#include "tauflex/export/binary_tables.hpp"
#include "tauflex/export/export_files.hpp"
#include "tauflex/jobs/job.hpp"
#include "tauflex/planning/plan.hpp"
#include "tauflex/report/comparison_table.hpp"
#include "tauflex/report/html_report.hpp"
#include "tauflex/report/solvability_text.hpp"
#include "tauflex/report/study_json.hpp"
#include "tauflex/report/summary.hpp"
#include "tauflex/results/analyze.hpp"
#include "tauflex/results/free_run.hpp"
#include "tauflex/results/record_json.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/results/trajectory_tables.hpp"
#include "tauflex/studies/compare.hpp"
#include "tauflex/studies/fit.hpp"

namespace tauflex::python {

namespace {

// A job and the file nodes that `fit` stretches.
struct PythonJob {
  Node node;
  std::string name;
  Job job;
};

PythonJob job_of(Node node, const std::string& name) {
  Job job = read_job(node.copy(), name);
  return {std::move(node), name, std::move(job)};
}

PythonJob job_from_file(const std::string& path, const std::vector<std::string>& overrides) {
  return job_of(read_job_node(path, overrides), job_name(path));
}

PythonJob job_from_text(const std::string& text, const std::string& file, const std::string& name,
                        const std::vector<std::string>& overrides) {
  Node node = Node::read_text(text, file);
  for (const std::string& assignment : overrides) node.set(assignment);
  return job_of(std::move(node), name);
}

// A path that Python computes: f(t, order) gives a row per derivative.
class PythonPath : public OutputPath {
 public:
  PythonPath(py::object function, int size, double duration, std::vector<Corner> corners)
      : function_(std::move(function)),
        size_(size),
        duration_(duration),
        corners_(std::move(corners)) {}
  ~PythonPath() override {
    const py::gil_scoped_acquire lock;
    function_ = py::object();
  }

  int size() const override { return size_; }
  double duration() const override { return duration_; }
  std::vector<Corner> corners() const override { return corners_; }
  void derivatives(double t, MatrixOut y) const override {
    const py::gil_scoped_acquire lock;
    const auto order = static_cast<int>(y.cols()) - 1;
    const double within = std::clamp(t, 0.0, duration_);
    const Array rows = function_(within, order).cast<Array>();
    if (rows.ndim() != 2 || rows.shape(0) != order + 1 || rows.shape(1) != size_)
      throw InputError(
          fmt::format("path: expected an array of {} x {} from path({:.6g}, {}): y and "
                      "its derivatives, one row each",
                      order + 1, size_, within, order));
    const auto values = rows.unchecked<2>();
    for (int k = 0; k <= order; ++k)
      for (int i = 0; i < size_; ++i) {
        // It holds its ends before and after.
        y(i, k) = k > 0 && within != t ? 0 : values(k, i);
        if (!std::isfinite(y(i, k)))
          throw InputError(fmt::format("path: derivative {} of output {} is {} at t = {:.6g}", k, i,
                                       y(i, k), within));
      }
  }

 private:
  py::object function_;
  int size_;
  double duration_;
  std::vector<Corner> corners_;
};

// `smoothness`: the highest derivative that is continuous at both ends, where the path holds still.
PythonJob with_path(const PythonJob& job, const py::object& function, double duration,
                    int smoothness) {
  if (!(duration > 0))
    throw InputError(fmt::format("duration: expected a positive number, got {}", duration));
  if (smoothness < 0) throw InputError("smoothness: expected 0 or more");
  PythonJob changed = job;
  const auto size = static_cast<int>(changed.job.task.outputs.size());
  std::vector<Corner> corners;
  for (const double time : {0.0, duration})
    for (int i = 0; i < size; ++i) corners.push_back({time, smoothness + 1, i});
  changed.job.task.path_as_smooth_as = nullptr;  // this path is as smooth as it is
  changed.job.task.path =
      std::make_shared<PythonPath>(function, size, duration, std::move(corners));
  return changed;
}

py::dict columns_of(const Table& table) {
  py::dict columns;
  for (size_t i = 0; i < table.columns.size(); ++i)
    columns[py::str(table.columns[i])] =
        copied(Vector(table.values.col(static_cast<Eigen::Index>(i))));
  return columns;
}

// Positions, velocities, torques, multipliers and outputs at other times than the solver's own.
py::dict solution_at(const Record& record, const Array& times) {
  const Solution& s = record.solution;
  if (!record.has_motion()) throw ProblemError(s.message);
  Array flat = Array::ensure(times);
  const States t(flat.reshape({-1}), 0, 1 << 28, "t");
  const Vector at = t[0];
  Matrix out;
  {
    const py::gil_scoped_release unlocked;
    out = motion_at(s, Matrix(0, s.t.size()), at);
  }
  py::dict result;
  Eigen::Index row = 0;
  const auto add = [&](const char* name, Eigen::Index rows) {
    const Matrix part = out.middleRows(row, rows).transpose();
    result[name] = times.ndim() == 0 ? copied(Vector(part.row(0))) : copied(part);
    row += rows;
  };
  add("q", s.q.rows());
  add("v", s.v.rows());
  add("u", s.u.rows());
  add("lambda_", s.lambda.rows());
  add("y", s.y.rows());
  return result;
}

template <class F>
auto unlocked(const F& f) {
  const py::gil_scoped_release release;
  return f();
}

std::string status_text(Status status) { return std::string(name(status)); }

py::dict exported_files(const Record& record, const std::string& options) {
  const auto files = unlocked([&] {
    return export_files(exported_motion(record), options_of<ExportOptions>(options, "export"));
  });
  py::dict result;
  for (const auto& [name, content] : files) result[py::str(name)] = py::bytes(content);
  return result;
}

void bind_record(py::module_& module) {
  const auto of_time = [](Matrix Solution::*member) {
    return [member](const py::object& self) {
      const Solution& s = self.cast<const Record&>().solution;
      return by_time(s.*member, s.t.size(), self);
    };
  };
  py::class_<Record, std::shared_ptr<Record>>(module, "Record")
      .def_property_readonly(
          "t",
          [](const py::object& self) { return view(self.cast<const Record&>().solution.t, self); })
      .def_property_readonly("q", of_time(&Solution::q))
      .def_property_readonly("v", of_time(&Solution::v))
      .def_property_readonly("a", of_time(&Solution::vdot))
      .def_property_readonly("u", of_time(&Solution::u))
      .def_property_readonly("lambda_", of_time(&Solution::lambda))
      .def_property_readonly("y", of_time(&Solution::y))
      .def_property_readonly("drives", [](const Record& r) { return r.robot.actuation().names; })
      .def_property_readonly("coordinates",
                             [](const Record& r) { return r.robot.coordinates().names; })
      .def_property_readonly("outputs", [](const Record& r) { return r.job.task.outputs; })
      .def_property_readonly("name", [](const Record& r) { return r.job.name; })
      .def_property_readonly("status",
                             [](const Record& r) { return status_text(r.solution.status); })
      .def_property_readonly("exit_code",
                             [](const Record& r) { return static_cast<int>(r.exit_code()); })
      .def_property_readonly("message",
                             [](const Record& r) {
                               return !r.solution.message.empty() || !r.verification
                                          ? r.solution.message
                                          : r.verification->message;
                             })
      .def_property_readonly("warnings", [](const Record& r) { return r.warnings; })
      .def("at", &solution_at)
      .def("json", [](const Record& r) { return record_json(r); })
      .def("summary", [](const Record& r) { return text_summary(r); })
      .def("html", [](const Record& r) { return html_report(r); })
      .def(
          "csv",
          [](const Record& r, std::optional<double> rate) {
            return format_table(trajectory_table(r, rate));
          },
          py::arg("rate") = py::none())
      .def(
          "columns",
          [](const Record& r, std::optional<double> rate) {
            return columns_of(trajectory_table(r, rate));
          },
          py::arg("rate") = py::none())
      .def(
          "npz",
          [](const Record& r, std::optional<double> rate) {
            return py::bytes(unlocked([&] { return npz(trajectory_table(r, rate)); }));
          },
          py::arg("rate") = py::none())
      .def(
          "mat",
          [](const Record& r, std::optional<double> rate) {
            return py::bytes(unlocked([&] { return mat(trajectory_table(r, rate)); }));
          },
          py::arg("rate") = py::none())
      .def("export", &exported_files)
      .def("simulated", [](const Record& r) -> py::object {
        if (!r.verification) return py::none();
        return columns_of(simulated_table(r));
      });
}

}  // namespace

void bind_jobs(py::module_& module) {
  bind_record(module);
  py::class_<PythonJob, std::shared_ptr<PythonJob>>(module, "Job")
      .def_readonly("name", &PythonJob::name)
      .def_property_readonly("has_task", [](const PythonJob& job) { return job.job.has_task(); })
      .def_property_readonly("outputs", [](const PythonJob& job) { return job.job.task.outputs; })
      .def_property_readonly("notes",
                             [](const PythonJob& job) {
                               std::vector<std::string> notes = job.job.robot.notes;
                               notes.insert(notes.end(), job.job.task.notes.begin(),
                                            job.job.task.notes.end());
                               return notes;
                             })
      .def("with_path", &with_path)
      .def("robot", [](const PythonJob& job) { return std::make_shared<Robot>(job.job.robot); });
  module.def("job_from_file", &job_from_file);
  module.def("job_from_text", &job_from_text);

  module.def("run", [](const PythonJob& job, bool verified, const py::object& progress) {
    const StageProgress stages = python_progress(progress);
    return unlocked([&] {
      return std::make_shared<Record>(
          run(job.job, verified ? Until::verified : Until::solved, stages));
    });
  });
  module.def("verify",
             [](const PythonJob& job, const std::string& table, const py::object& progress) {
               const StageProgress stages = python_progress(progress);
               return unlocked([&] {
                 const Posed posed = plan(job.job);
                 return std::make_shared<Record>(
                     verify_table(job.job, posed, read_trajectory(table, posed.problem), stages));
               });
             });
  module.def("analyze", [](const PythonJob& job) {
    const Solvability result = unlocked([&] { return analyze(job.job); });
    return py::make_tuple(solvability_json(job.job, result), solvability_text(job.name, result));
  });
  module.def("check", [](const PythonJob& job) {
    return unlocked([&] {
      if (!job.job.has_task()) return plant_json(job.job, pose_plant(job.job));
      const Posed posed = plan(job.job);
      posed.require_solvable();
      return diagnosis_json(job.job, posed.diagnosis);
    });
  });
  module.def("compare", [](const PythonJob& job, const std::string& given, bool linearised,
                           const py::object& progress) {
    const StageProgress stages = python_progress(progress);
    ComparisonOptions options = options_of<ComparisonOptions>(given, "compare");
    options.linearised = linearised;
    const auto rows = unlocked([&] { return compare(job.job, options, stages); });
    return py::make_tuple(comparison_json(rows), comparison_text(job.name, rows));
  });
  module.def("fit", [](const PythonJob& job, const std::string& given, const py::object& progress) {
    const StageProgress stages = python_progress(progress);
    const auto options = options_of<FitOptions>(given, "fit");
    const auto found = unlocked([&] { return fit(job.node, job.name, options, stages); });
    return py::make_tuple(std::make_shared<Record>(found.record), fit_json(job.name, found),
                          found.found.duration);
  });
  module.def("simulate", [](const PythonJob& job, const std::string& torques,
                            std::optional<double> duration, std::optional<double> rate,
                            const py::object& progress) {
    const StageProgress stages = python_progress(progress);
    const FreeRunOptions options{torques, duration, rate};
    const FreeRun result = unlocked([&] { return simulate_job(job.job, options, stages); });
    return py::make_tuple(free_run_json(job.job, result),
                          columns_of(free_run_table(job.job, result)),
                          status_text(result.simulation.status), result.simulation.message);
  });
}

}  // namespace tauflex::python

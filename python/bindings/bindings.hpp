// The Python module in parts, and arrays that both sides read.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "tauflex/base/linear_algebra.hpp"
#include "tauflex/base/progress.hpp"
#include "tauflex/base/read_fields.hpp"

namespace tauflex::python {

namespace py = pybind11;

// Numbers as NumPy lays them out; others are converted on the way in.
using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

// One state, or one per row.
struct States {
  States(const Array& array, Eigen::Index least, Eigen::Index most, const char* name);

  Eigen::Index count() const { return count_; }
  bool is_single() const { return array_.ndim() == 1; }
  Eigen::Map<const Vector> operator[](Eigen::Index i) const {
    return {array_.data() + (count_of_rows() == 1 ? 0 : i) * length_, length_};
  }

 private:
  Eigen::Index count_of_rows() const { return is_single() ? 1 : array_.shape(0); }

  Array array_;
  Eigen::Index length_, count_;
};

// Read-only views that keep `owner` alive: a row per time of a matrix with a column per time.
py::array view(const Vector& vector, const py::handle& owner);
py::array by_time(const Matrix& matrix, Eigen::Index times, const py::handle& owner);
// Copies.
Array copied(const Matrix& matrix);
Array copied(const Vector& vector);

// Hears Ctrl-C, and tells `callback` the stage and how much of it is done where there is one.
StageProgress python_progress(const py::object& callback);

// Options as a job file would have them: the same names, ranges and sentences.
template <class Options>
Options options_of(const std::string& text, const char* name) {
  Options options;
  try {
    read_fields(Node::read_text(text, name), options.fields());
  } catch (const InputError& error) {  // it has no lines
    std::string sentence = error.what();
    if (const std::string place = std::string(name) + ":1: "; sentence.starts_with(place))
      sentence.replace(0, place.size(), std::string(name) + ": ");
    throw InputError(sentence);
  }
  options.check();
  return options;
}

void bind_robot(py::module_& module);
void bind_jobs(py::module_& module);
void bind_studies(py::module_& module);
void bind_equations(py::module_& module);

}  // namespace tauflex::python

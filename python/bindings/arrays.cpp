#include <fmt/format.h>

#include <memory>

#include "bindings.hpp"
#include "tauflex/base/errors.hpp"

namespace tauflex::python {

States::States(const Array& array, Eigen::Index least, Eigen::Index most, const char* name)
    : array_(array) {
  if (array.ndim() != 1 && array.ndim() != 2)
    throw InputError(fmt::format("{}: expected one state or a row per state, got {} dimensions",
                                 name, array.ndim()));
  length_ = array.shape(array.ndim() - 1);
  count_ = is_single() ? 1 : array.shape(0);
  if (length_ < least || length_ > most)
    throw InputError(
        least == most
            ? fmt::format("{}: expected {} numbers, got {}", name, least, length_)
            : fmt::format("{}: expected {} to {} numbers, got {}", name, least, most, length_));
  const double* data = array.data();
  for (Eigen::Index i = 0; i < array.size(); ++i)
    if (!std::isfinite(data[i]))
      throw InputError(fmt::format("{}: number {} is {}", name, i, data[i]));
}

namespace {

py::array read_only(py::array array) {
  array.attr("flags").attr("writeable") = false;
  return array;
}

}  // namespace

py::array view(const Vector& vector, const py::handle& owner) {
  return read_only(
      py::array_t<double>(std::vector<py::ssize_t>{vector.size()}, vector.data(), owner));
}

py::array by_time(const Matrix& matrix, Eigen::Index times, const py::handle& owner) {
  const py::ssize_t size = sizeof(double);
  return read_only(py::array_t<double>({static_cast<py::ssize_t>(times), matrix.rows()},
                                       {matrix.rows() * size, size}, matrix.data(), owner));
}

Array copied(const Matrix& matrix) {
  Array array(std::vector<py::ssize_t>{matrix.rows(), matrix.cols()});
  auto values = array.mutable_unchecked<2>();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) values(i, j) = matrix(i, j);
  return array;
}

Array copied(const Vector& vector) {
  return Array(std::vector<py::ssize_t>{vector.size()}, vector.data());
}

StageProgress python_progress(const py::object& callback) {
  // Owned by the computation, which runs without Python's lock; given back under it.
  std::shared_ptr<py::object> call(new py::object(callback), [](py::object* object) {
    const py::gil_scoped_acquire lock;
    delete object;
  });
  return [call](const char* stage, double fraction) {
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (call->is_none()) return true;
    const py::object go_on = (*call)(stage, fraction);
    return go_on.is_none() || go_on.cast<bool>();
  };
}

}  // namespace tauflex::python

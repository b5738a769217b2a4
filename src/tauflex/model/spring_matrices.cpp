#include "tauflex/model/spring_matrices.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/base/errors.hpp"
#include "tauflex/math/decompositions.hpp"

namespace tauflex {

namespace {

// The stiffness of a spring, at rest; what it gives beyond that is put into `beyond`.
template <class S>
double put_law(const S& spring, int row, std::vector<HardeningEntry>& beyond) {
  if (!spring.table.empty()) {
    const SpringTable table(spring.table);
    beyond.push_back({row, table});
    return table.stiffness();
  }
  if (!spring.hardening.empty()) beyond.push_back({row, spring.hardening});
  return spring.stiffness;
}

bool has_table(const std::vector<HardeningEntry>& entries, int row) {
  return std::any_of(entries.begin(), entries.end(), [&](const HardeningEntry& e) {
    return e.row == row && std::holds_alternative<SpringTable>(e.law);
  });
}

// No eigenvalue of a symmetric matrix is negative beyond rounding.
bool is_positive_semidefinite(const Matrix& matrix) {
  const Vector values = eigenvalues(matrix).real();
  return values.size() == 0 || values.minCoeff() >= -1e-12 * values.cwiseAbs().maxCoeff();
}

// One matrix of a coupling of n springs.
void check_matrix(const Matrix& given, Eigen::Index n, const std::string& label, const char* what) {
  if (given.rows() != n || given.cols() != n)
    throw InputError(fmt::format("{}: {} must be a {} x {} matrix", label, what, n, n));
  if (!given.allFinite()) throw InputError(fmt::format("{}: {} must be finite", label, what));
  if ((given - given.transpose()).norm() > 1e-12 * given.norm())
    throw InputError(fmt::format("{}: {} must be symmetric", label, what));
  if (!is_positive_semidefinite(given))
    throw InputError(fmt::format("{}: {} must not have negative eigenvalues", label, what));
}

}  // namespace

SpringMatrices::SpringMatrices(int n) : stiffness(Matrix::Zero(n, n)), damping(stiffness) {}

void SpringMatrices::put(int row, const Spring& spring) {
  damping(row, row) = spring.damping;
  stiffness(row, row) = put_law(spring, row, hardening);
}

void SpringMatrices::put(int row, const Drive::Elasticity& spring) {
  damping(row, row) = spring.damping;
  stiffness(row, row) = put_law(spring, row, hardening);
}

void SpringMatrices::couple(const Coupling& coupling, const std::vector<int>& rows) {
  if (coupling.stiffness.size() > 0)
    for (size_t k = 0; k < rows.size(); ++k)
      if (has_table(hardening, rows[k]))
        throw InputError(
            fmt::format("{}: '{}' has a table; a stiffness matrix is for springs with a stiffness",
                        place(coupling), coupling.links[k]));
  const auto put_matrix = [&](const Matrix& given, const char* what, Matrix& into) {
    if (given.size() == 0) return;
    check_matrix(given, std::ssize(rows), place(coupling), what);
    into(rows, rows) = given;
  };
  put_matrix(coupling.stiffness, "stiffness", stiffness);
  put_matrix(coupling.damping, "damping", damping);
}

std::vector<SpringEntry> SpringMatrices::entries() const {
  std::vector<SpringEntry> list;
  for (int row = 0; row < stiffness.rows(); ++row)
    for (int column = 0; column < stiffness.cols(); ++column)
      if (stiffness(row, column) != 0 || damping(row, column) != 0)
        list.push_back({row, column, stiffness(row, column), damping(row, column)});
  return list;
}

}  // namespace tauflex

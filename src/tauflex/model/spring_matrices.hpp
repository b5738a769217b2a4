// Linear springs as entries of a stiffness and a damping matrix, and what springs give beyond that.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "tauflex/model/robot_description.hpp"

namespace tauflex {

// One entry of a stiffness and of a damping matrix.
struct SpringEntry {
  int row, column;
  double stiffness, damping;
};

// What a spring gives beyond stiffness times stretch; a table may also take away.
using HardeningLaw = std::variant<OddPolynomial, SpringTable>;

// Hardening of one spring: of a tree velocity, or of an elastic drive.
struct HardeningEntry {
  int row;
  HardeningLaw law;
};

// Stiffness and damping of n springs while they are laid out.
struct SpringMatrices {
  explicit SpringMatrices(int n);

  Matrix stiffness, damping;
  std::vector<HardeningEntry> hardening;

  void put(int row, const Spring& spring);
  void put(int row, const Drive::Elasticity& spring);

  // The full matrices of a coupling in place of what stands there; `rows` are those of its links.
  // Throws InputError for matrices that no springs have.
  void couple(const Coupling& coupling, const std::vector<int>& rows);

  // What is not zero, row by row.
  std::vector<SpringEntry> entries() const;
};

}  // namespace tauflex

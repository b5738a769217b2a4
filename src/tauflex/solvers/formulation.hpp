// The inverse problem in the form that a method asks for: as it is, or with its index reduced.
#pragma once

#include <memory>
#include <optional>

#include "tauflex/analysis/index_reduction.hpp"
#include "tauflex/equations/inverse_dae.hpp"
#include "tauflex/problem/dense_solution.hpp"
#include "tauflex/problem/rest_state.hpp"
#include "tauflex/solvers/method.hpp"

namespace tauflex {

class Formulation {
 public:
  // form: monolithic or one of those behind it. Throws ProblemError when it does not apply.
  Formulation(const InverseProblem& problem, const RestState& start, BdfForm form, int index,
              const std::vector<std::string>& dummies);

  ImplicitSystem& system() { return reduced_ ? static_cast<ImplicitSystem&>(*reduced_) : dae_; }
  InverseDae& dae() { return dae_; }
  const ReducedDae* reduced() const { return reduced_ ? &*reduced_ : nullptr; }
  std::string name() const { return name_; }
  // Unknowns at rest.
  Vector start() const;

  // Motion, torques and outputs from unknowns and their rates.
  void complete(double t, const VectorRef& z, const VectorRef& zdot, Instant& out);

 private:
  void reduce(BdfForm form, int index, const std::vector<std::string>& dummies);

  const InverseProblem& problem_;
  InverseDae dae_;
  std::optional<ReducedDae> reduced_;
  std::string name_;
  Vector start_, x_, xdot_, r_;
};

// The same from x = (q, v, lambda) and x' of the Dae. `r` is workspace, as long as x.
void complete(InverseDae& dae, double t, const VectorRef& x, const VectorRef& xdot, VectorOut r,
              Instant& out);

}  // namespace tauflex

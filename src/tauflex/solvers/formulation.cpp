#include "tauflex/solvers/formulation.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"

namespace tauflex {

namespace {

std::vector<int> find_variables(const Dae& dae, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (int j = 0; j < dae.size(); ++j) known.push_back(dae.variable_name(j));
  std::vector<int> found;
  for (const std::string& name : names) {
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end())
      throw InputError(
          fmt::format("dummies: there is no variable '{}'{}", name, did_you_mean(name, known)));
    found.push_back(static_cast<int>(at - known.begin()));
  }
  return found;
}

}  // namespace

Vector unknowns_at_rest(const InverseDae& dae, const RestState& state) {
  Vector x = Vector::Zero(dae.size());
  x.head(state.q.size()) = state.q;
  x.tail(state.lambda.size()) = state.lambda;
  return x;
}

Formulation::Formulation(const InverseProblem& problem, const RestState& start, BdfForm form,
                         int index, const std::vector<std::string>& dummies)
    : problem_(problem),
      dae_(problem),
      name_("monolithic"),
      start_(unknowns_at_rest(dae_, start)),
      x_(dae_.size()),
      xdot_(Vector::Zero(dae_.size())),
      r_(dae_.size()) {
  if (form == BdfForm::monolithic) return;
  const StructuredDae structured = structure_of(dae_, problem.begin(), start_, xdot_);
  ReductionOptions options{.prefer = find_variables(dae_, dummies)};
  options.stages = structured.structure.index - index;
  if (options.stages <= 0) return;  // the index is as low as that already
  Reduction reduction;
  switch (form) {
    case BdfForm::extended:
      name_ = fmt::format("index {} extended", index);
      options.keep_rates = true;
      reduction = reduce_index(dae_, structured, options);
      break;
    case BdfForm::second_derivatives:
      name_ = "second derivatives";
      reduction = with_second_derivatives(reduce_index(dae_, structured, options));
      break;
    case BdfForm::both_derivatives:
      name_ = "both derivatives";
      reduction = with_both_derivatives(dae_, structured);
      break;
    default:
      name_ = fmt::format("index {}", index);
      reduction = reduce_index(dae_, structured, options);
  }
  reduced_.emplace(dae_, structured.incidence, std::move(reduction));
}

Vector Formulation::start() const {
  Vector z = Vector::Zero(reduced_ ? reduced_->size() : dae_.size());
  z.head(start_.size()) = start_;
  return z;
}

void Formulation::store(double t, const VectorRef& z, const VectorRef& zdot, int i,
                        Solution& solution) {
  x_ = z.head(dae_.size());
  for (int j = 0; j < dae_.size(); ++j) xdot_[j] = reduced_ ? reduced_->rate(j, z, zdot) : zdot[j];
  store_motion(problem_, dae_, t, x_, xdot_, i, r_, solution);
}

void store_motion(const InverseProblem& problem, InverseDae& dae, double t, const VectorRef& x,
                  const VectorRef& xdot, int i, VectorOut r, Solution& solution) {
  const int nq = problem.robot().nq(), nv = problem.robot().nv(),
            ng = problem.robot().constraint_count(), ny = problem.output_count();
  solution.q.col(i) = x.head(nq);
  solution.v.col(i) = x.segment(nq, nv);
  solution.lambda.col(i) = x.tail(ng);
  solution.vdot.col(i) = xdot.segment(nq, nv);
  dae.torques(solution.q.col(i), solution.v.col(i), solution.vdot.col(i), solution.lambda.col(i),
              solution.u.col(i));
  dae.residual(t, x, xdot, r);
  dae.outputs(solution.q.col(i), solution.lambda.col(i), solution.y.col(i));
  for (const double residual : r.tail(ny + ng))
    solution.max_constraint_residual =
        std::max(solution.max_constraint_residual, std::abs(residual));
  solution.steps = i;
}

}  // namespace tauflex

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
      throw ProblemError(
          fmt::format("dummies: there is no variable '{}'{}", name, did_you_mean(name, known)));
    found.push_back(static_cast<int>(at - known.begin()));
  }
  return found;
}

}  // namespace

Formulation::Formulation(const InverseProblem& problem, const RestState& start, BdfForm form,
                         int index, const std::vector<std::string>& dummies)
    : problem_(problem),
      dae_(problem),
      name_("monolithic"),
      start_(dae_.at_rest(start)),
      x_(dae_.size()),
      xdot_(Vector::Zero(dae_.size())),
      r_(dae_.size()) {
  if (form == BdfForm::monolithic) return;
  try {
    reduce(form, index, dummies);
  } catch (const ProblemError& error) {
    throw ProblemError(problem.task().where + ": method: " + error.what());
  }
}

void Formulation::reduce(BdfForm form, int index, const std::vector<std::string>& dummies) {
  const StructuredDae structured = structure_of(dae_, problem_.begin(), start_, xdot_);
  const int present = structured.structure.index;
  if (index > present) reduce_index(dae_, structured, {.stages = 0});  // that may be wrong already
  if (index > present)
    throw ProblemError(
        fmt::format("the equations have index {}; it cannot be reduced to {}", present, index));
  const ReductionOptions options{.stages = present - index,
                                 .prefer = find_variables(dae_, dummies),
                                 .keep_rates = form == BdfForm::extended};
  Reduction reduction = form == BdfForm::both_derivatives ? with_both_derivatives(dae_, structured)
                                                          : reduce_index(dae_, structured, options);
  if (form == BdfForm::second_derivatives) reduction = with_second_derivatives(reduction);
  name_ = form == BdfForm::both_derivatives     ? "both derivatives"
          : form == BdfForm::second_derivatives ? "second derivatives"
                                                : fmt::format("index {}", index);
  if (form == BdfForm::extended) name_ += " extended";
  reduced_.emplace(dae_, structured.incidence, std::move(reduction));
}

Vector Formulation::start() const {
  Vector z = Vector::Zero(reduced_ ? reduced_->size() : dae_.size());
  z.head(start_.size()) = start_;
  return z;
}

void Formulation::complete(double t, const VectorRef& z, const VectorRef& zdot, Instant& out) {
  x_ = z.head(dae_.size());
  for (int j = 0; j < dae_.size(); ++j) xdot_[j] = reduced_ ? reduced_->rate(j, z, zdot) : zdot[j];
  tauflex::complete(dae_, t, x_, xdot_, r_, out);
}

void complete(InverseDae& dae, double t, const VectorRef& x, const VectorRef& xdot, VectorOut r,
              Instant& out) {
  const auto nq = out.q.size(), nv = out.v.size(), ng = out.lambda.size();
  out.q = x.head(nq);
  out.v = x.segment(nq, nv);
  out.lambda = x.tail(ng);
  out.vdot = xdot.segment(nq, nv);
  dae.torques(out.q, out.v, out.vdot, out.lambda, out.u);
  dae.residual(t, x, xdot, r);
  dae.outputs(out.q, out.lambda, out.y);
  const auto rows = out.y.size() + ng;
  out.residual = rows > 0 ? r.tail(rows).cwiseAbs().maxCoeff() : 0;
}

}  // namespace tauflex

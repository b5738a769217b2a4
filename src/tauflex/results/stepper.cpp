#include "tauflex/results/stepper.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/fields.hpp"
#include "tauflex/planning/plan.hpp"
#include "tauflex/solvers/bdf.hpp"

namespace tauflex {

std::vector<Field> StepperOptions::fields() {
  using namespace describe;
  return {number("step", step, above(0), "s", "from one call to the next"),
          integer("order", order, within(1, highest_bdf_order), "of the difference formula")};
}

void StepperOptions::check() const { check_fields("stepper", StepperOptions(*this).fields()); }

namespace {

BdfOptions bdf_of(const StepperOptions& options) {
  options.check();
  return {.order = options.order, .step = options.step, .form = BdfForm::blockwise};
}

// Into the caller's buffer: what a controller calls does not allocate.
template <class Buffer, class... Values>
void write_sentence(Buffer& buffer, fmt::format_string<Values...> sentence, Values&&... values) {
  *fmt::format_to_n(buffer.data(), buffer.size() - 1, sentence, std::forward<Values>(values)...)
       .out = '\0';
}

}  // namespace

Stepper::Stepper(const Job& job, const StepperOptions& options)
    : posed_(plan(job)), options_(options) {
  if (const auto reason = posed_.fault_of(bdf_of(options)))
    throw ProblemError(fmt::format("{}: steps that know the past only cannot answer: {}",
                                   posed_.problem.task().where, *reason));
  given_ = std::ssize(job.task.outputs);
  reset();
}

Stepper::~Stepper() = default;

void Stepper::reset() {
  const InverseProblem& problem = posed_.problem;
  steps_ = std::make_unique<BlockwiseSteps>(problem, posed_.start, bdf_of(options_), options_.step);
  now_.q = posed_.start.q;
  now_.v = now_.vdot = Vector::Zero(problem.robot().nv());
  now_.lambda = posed_.start.lambda;
  now_.u = posed_.start.u;
  now_.y.resize(problem.output_count());
  path_values<double>(problem.path(), problem.begin(), now_.y);
  now_.residual = 0;
  next_ = now_;
  y_ = now_.y;
  count_ = 0;
  message_[0] = '\0';
}

double Stepper::time() const { return posed_.problem.begin() + count_ * options_.step; }
double Stepper::next_time() const { return posed_.problem.begin() + (count_ + 1) * options_.step; }

StepperStatus Stepper::step(const VectorRef& y) {
  if (y.size() != given_ || !y.allFinite()) {
    write_sentence(message_, "t = {:.6g} s: expected {} finite numbers, one for each output",
                   next_time(), given_);
    return StepperStatus::not_a_number;
  }
  y_.head(given_) = y;  // behind them joints that are held
  return take(y_);
}

StepperStatus Stepper::step_along_path() {
  path_values<double>(posed_.problem.path(), next_time(), y_);
  return take(y_);
}

StepperStatus Stepper::take(const VectorRef& y) {
  message_[0] = '\0';
  if (const auto failure = steps_->step(count_ + 1, next_time(), y, next_, iterations_)) {
    write_sentence(
        message_,
        "t = {:.6g} s: Newton failed in equation '{}'; the outputs jump, or ask for what "
        "is out of reach",
        next_time(), failure->equation);
    return StepperStatus::not_converged;
  }
  std::swap(now_, next_);
  ++count_;
  return StepperStatus::ok;
}

}  // namespace tauflex

#include "tauflex/results/stepper.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/fields.hpp"
#include "tauflex/planning/plan.hpp"
#include "tauflex/solvers/bdf.hpp"
#include "tauflex/solvers/preview_steps.hpp"
#include "tauflex/trajectory/previewed_path.hpp"

namespace tauflex {

std::vector<Field> StepperOptions::fields() {
  using namespace describe;
  return {number("step", step, above(0), "s", "from one call to the next"),
          integer("order", order, within(1, highest_bdf_order), "of the difference formula"),
          number("preview", preview, at_least(0), "s", "how long ahead the path is known")};
}

void StepperOptions::check() const { check_fields("stepper", StepperOptions(*this).fields()); }

namespace {

// Of what no preview at all would cost: the length that sentences recommend.
constexpr double usual_share = 1e-6;
// Fewer samples ahead have no derivatives.
constexpr int least_ahead = 8;

BdfOptions bdf_of(const StepperOptions& options) {
  options.check();
  return {.order = options.order, .step = options.step, .form = BdfForm::blockwise};
}

PreviewNeed need_of(const Posed& posed) {
  return preview_need(posed.problem, posed.start, posed.points);
}

// Into the caller's buffer: what a controller calls does not allocate.
template <class Buffer, class... Values>
void write_sentence(Buffer& buffer, fmt::format_string<Values...> sentence, Values&&... values) {
  *fmt::format_to_n(buffer.data(), buffer.size() - 1, sentence, std::forward<Values>(values)...)
       .out = '\0';
}

// Why steps from the past have no answer, and which preview would do.
std::optional<std::string> why_not_from_the_past(const Posed& posed, const BdfOptions& method) {
  auto reason = posed.fault_of(method);
  if (!reason || posed.fault_of(StableInversionOptions{})) return reason;
  const PreviewNeed need = need_of(posed);
  if (need.rate > 0)
    *reason += fmt::format(
        "; steps that know the path {:.3g} s ahead can answer (preview); their error falls as "
        "exp(-{:.3g} T) with a preview of T s",
        need.for_share(usual_share), need.rate);
  return reason;
}

}  // namespace

Stepper::Stepper(const Job& job, const StepperOptions& options)
    : posed_(plan(job)), options_(options) {
  const BdfOptions method = bdf_of(options);
  given_ = std::ssize(job.task.outputs);
  if (options.preview > 0)
    prepare_preview();
  else if (const auto reason = why_not_from_the_past(posed_, method))
    throw ProblemError(fmt::format("{}: steps that know the past only cannot answer: {}",
                                   posed_.problem.task().where, *reason));
  reset();
}

Stepper::~Stepper() = default;

// The question from as long before its path on as the path is known ahead.
void Stepper::prepare_preview() {
  const std::string where = posed_.problem.task().where;
  if (const auto reason = posed_.fault_of(StableInversionOptions{}))
    throw ProblemError(fmt::format("{}: steps with a preview cannot answer: {}", where, *reason));
  const PreviewNeed need = need_of(posed_);
  if (need.rate == 0)
    throw ProblemError(where +
                       ": steps with a preview are not needed: all internal motions decay, or "
                       "there are none; leave preview out");
  const double steps = std::round(options_.preview / options_.step);
  if (steps < least_ahead || steps > 1e6)
    throw InputError(
        fmt::format("stepper.preview: must be {} to 1e6 steps of {:.6g} s, got {:.6g} s",
                    least_ahead, options_.step, options_.preview));
  ahead_ = static_cast<int>(steps);
  Task task = posed_.problem.task();
  task.hold_before += preview();
  path_ = std::make_shared<PreviewedPath>(task.path, 0 - task.hold_before, options_.step, ahead_);
  task.path = path_;
  posed_.problem = InverseProblem(posed_.problem.robot(), task);
  preview_steps_ =
      std::make_unique<PreviewSteps>(posed_.problem, posed_.start, need, options_.step, ahead_);
  if (const auto failure = preview_steps_->rehearse([&] { path_->advance(); }))
    throw ProblemError(fmt::format(
        "{}: steps with a preview cannot follow the path of the job: t = {:.4g} s: {}; compute the "
        "whole motion, by stable_inversion",
        where, posed_.problem.begin() + failure->step * options_.step, failure->sentence()));
}

void Stepper::reset() {
  const InverseProblem& problem = posed_.problem;
  if (path_) {
    path_->reset();
    preview_steps_->reset();
  } else {
    steps_ =
        std::make_unique<BlockwiseSteps>(problem, posed_.start, bdf_of(options_), options_.step);
  }
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
  return take(y_, true);
}

StepperStatus Stepper::step_along_path() {
  if (!path_) path_values<double>(posed_.problem.path(), next_time(), y_);
  return take(y_, false);
}

StepperStatus Stepper::take(const VectorRef& y, bool is_given) {
  message_[0] = '\0';
  std::optional<StepFailure> failure;
  long iterations = 0;
  if (!path_) {
    failure = steps_->step(count_ + 1, next_time(), y, next_, iterations);
  } else {
    is_given ? path_->advance(y) : path_->advance();
    failure = preview_steps_->step(count_ + 1, next_time(), next_, iterations);
    if (failure) path_->retreat();
  }
  if (failure) {
    const bool has_equation = !failure->equation.empty();
    if (!failure->reason.empty())
      write_sentence(message_, "t = {:.6g} s: {}", next_time(), failure->reason);
    else
      write_sentence(
          message_,
          "t = {:.6g} s: Newton failed{}{}{}; the outputs jump, or ask for what is out of reach",
          next_time(), has_equation ? " in equation '" : "", failure->equation,
          has_equation ? "'" : "");
    return StepperStatus::not_converged;
  }
  std::swap(now_, next_);
  ++count_;
  return StepperStatus::ok;
}

void Stepper::preview_error(VectorOut u) {
  if (preview_steps_ && count_ > 0)
    preview_steps_->error(u);
  else
    u.setZero();
}

double preview_needed(const Job& job, double share) {
  if (!(share > 0 && share < 1))
    throw InputError(
        fmt::format("preview: the share that is left must be between 0 and 1, got {}", share));
  const Posed posed = plan(job);
  if (!posed.growth.matters()) return 0;
  if (const auto reason = posed.fault_of(StableInversionOptions{}))
    throw ProblemError(fmt::format("{}: steps with a preview cannot answer: {}",
                                   posed.problem.task().where, *reason));
  return need_of(posed).for_share(share);
}

}  // namespace tauflex

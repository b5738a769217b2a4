#include "tauflex/solvers/method.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/base/read_fields.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/elements/newmark_rule.hpp"
#include "tauflex/math/newton.hpp"

namespace tauflex {

namespace {

using namespace describe;

constexpr int highest_index = 9;
constexpr double most_mesh = 1e6;  // steps of the internal dynamics: all are kept

Field order_field(int& order) {
  return integer("order", order, within(1, highest_bdf_order), "of the backward differences");
}

Field step_field(double& step) {
  return number("step", step, above(0), "s",
                "made a little smaller where it does not divide the time window");
}

Field sample_field(double& step) {
  return number("step", step, above(0), "s", "distance of the samples");
}

Field torque_tolerance_field(double& tolerance) {
  return number("tolerance", tolerance, between(0, 1), "",
                "of the torques, relative to their peak");
}

Field newton_field(NewtonOptions& newton) {
  return group("newton", newton.fields(), "Newton's iteration in each step");
}

Field dummies_field(std::vector<std::string>& dummies) {
  return names("dummies", dummies,
               "variables whose derivatives are replaced first, such as q.upper; the others are "
               "chosen by pivoting");
}

// index1, index2, .. are one form with a number.
Field form_field(BdfOptions& options) {
  const auto value = [](BdfForm form, int index) { return 100 * index + static_cast<int>(form); };
  Choice forms;
  const auto add = [&](const char* name, BdfForm form) {
    forms.names.emplace_back(name, value(form, 0));
  };
  add("auto", BdfForm::automatic);
  add("blockwise", BdfForm::blockwise);
  add("monolithic", BdfForm::monolithic);
  for (int index = 1; index <= highest_index; ++index)
    forms.names.emplace_back(fmt::format("index{}", index), value(BdfForm::reduced, index));
  add("extended", BdfForm::extended);
  add("second_derivatives", BdfForm::second_derivatives);
  add("both_derivatives", BdfForm::both_derivatives);
  forms.get = [&options, value] {
    return value(options.form, options.form == BdfForm::reduced ? options.index : 0);
  };
  forms.set = [&options](int chosen) {
    options.form = static_cast<BdfForm>(chosen % 100);
    options.index = std::max(1, chosen / 100);
  };
  return choice("form", std::move(forms),
                "auto: blockwise where the problem is block triangular; index1, index2, ..: the "
                "index reduced by dummy derivatives");
}

Field scaling_field(BdfOptions& options) {
  Field field =
      choice("scaling", options.scaling,
             {{"auto", Scaling::automatic}, {"none", Scaling::none}, {"power", Scaling::power}},
             "of Newton's matrix; power p: equations without rates times (1/h)^p");
  std::get<Choice>(field.member).with = {
      integer("power", options.scaling_power, within(0, 6), "p of (1/h)^p")};
  return field;
}

}  // namespace

std::vector<Field> NewtonOptions::fields() {
  return {number("tolerance", tolerance, above(0), "",
                 "on the error left in q, relative to 1 + |q|; u amplifies it by h^-3"),
          integer("max_iterations", max_iterations, at_least(1), "of one step")};
}

NewtonCriteria NewtonOptions::criteria() const {
  return {.tolerance = tolerance, .max_iterations = max_iterations};
}

std::vector<Field> BdfOptions::fields() {
  return {order_field(order),     step_field(step),     form_field(*this),
          dummies_field(dummies), scaling_field(*this), newton_field(newton)};
}

std::vector<Field> ExactOptions::fields() { return {sample_field(step), newton_field(newton)}; }

std::vector<Field> ArrayOptions::fields() {
  return {order_field(order), step_field(step), newton_field(newton)};
}

std::vector<Field> VariableStepOptions::fields() {
  return {number("tolerance", tolerance, between(0, 1), "",
                 "relative, and absolute in rad, m and per second"),
          sample_field(step), integer("max_steps", max_steps, at_least(1), "of the integrator"),
          dummies_field(dummies)};
}

std::vector<Field> JetOptions::fields() {
  return {torque_tolerance_field(tolerance), sample_field(step),
          integer("first_steps", first_steps, at_least(1),
                  "of the internal dynamics, over the whole time, in the first attempt")
              .if_left_out("from their rates"),
          integer("most_steps", most_steps, within(1, most_mesh), "of the internal dynamics")
              .if_left_out("16384, or 1000 per second where that is more")};
}

std::vector<Field> StableInversionOptions::fields() {
  return {torque_tolerance_field(tolerance),
          sample_field(step),
          number("pre", pre, at_least(0), "s", "before the path").if_left_out("from the zeros"),
          number("post", post, at_least(0), "s", "after the path").if_left_out("from the zeros"),
          number("tail", tail, at_least(0), "s", "solved after the reported time, then discarded")
              .if_left_out("from the zeros"),
          integer("points", points, within(1, most_mesh), "of the first mesh")
              .if_left_out("from the zeros")};
}

std::vector<Field> ParallelOptions::fields() {
  return {
      step_field(step),
      number("delta", delta, at_least(0.5), "", "of Newmark's formula; above 1/2 it damps"),
      number("beta", beta, at_least(0.25), "", "of Newmark's formula, at least (delta + 1/2)^2 / 4")
          .if_left_out("(delta + 1/2)^2 / 4"),
      choice("revision", revision,
             {{"newton", RevisionStep::newton},
              {"literal", RevisionStep::literal},
              {"unrevised", RevisionStep::unrevised}},
             "newton: to equilibrium in each step; literal: one linear solve per step; "
             "unrevised: without revision of the trajectory, for comparison only"),
      boolean("deformation", deformation, "false: beams follow as if they were rigid"),
      boolean("timoshenko", timoshenko,
              "linear Timoshenko elements, at least two of each beam, in place of "
              "Bernoulli-Euler's"),
      integer("elements", elements, within(1, 1000), "of each segment of a beam")
          .if_left_out("as many as the robot says"),
      number("axial_stiffness", axial_stiffness, above(0), "N", "of rods in the literal step"),
      integer("threads", threads, within(1, 64), "of the recovery of torques")};
}

namespace {

template <class Options>
void check_options(Options options) {
  check_fields(options.name(), options.fields());
}

}  // namespace

void BdfOptions::check() const { check_options(*this); }
void ExactOptions::check() const { check_options(*this); }
void ArrayOptions::check() const { check_options(*this); }
void VariableStepOptions::check() const { check_options(*this); }
void StableInversionOptions::check() const { check_options(*this); }

void JetOptions::check() const {
  check_options(*this);
  if (most_steps > 0 && first_steps > most_steps)
    throw FieldError(
        name(), "first_steps",
        fmt::format("must not exceed most_steps, {}, got {}", most_steps, first_steps));
}

int JetOptions::steps_at_most(double window) const {
  return most_steps > 0 ? most_steps
                        : std::max(first_steps,
                                   static_cast<int>(std::clamp(1000 * window, 16384.0, most_mesh)));
}

void ParallelOptions::check() const {
  check_options(*this);
  check_newmark(name(), delta, newmark_beta());
}

double ParallelOptions::newmark_beta() const { return beta.value_or(least_stable_beta(delta)); }

const std::vector<KnownMethod>& all_methods() {
  static const std::vector<KnownMethod> methods = {
      {BdfOptions{}, "backward differentiation with a fixed step"},
      {ExactOptions{}, "every sample on its own, nothing integrated"},
      {JetOptions{}, "only the internal dynamics integrated, all derivatives by Jets"},
      {StableInversionOptions{}, "the bounded solution, beginning before the path"},
      {ArrayOptions{.closure = ArrayClosure::kunkel_mehrmann},
       "the derivative array, differences for the rest"},
      {ArrayOptions{.closure = ArrayClosure::decoupled},
       "the derivative array; only internal dynamics is differenced"},
      {VariableStepOptions{}, "IDA on the form of index 1, the rest from the derivative array"},
      {ParallelOptions{}, "finite elements in absolute coordinates, torques from nodal forces"}};
  return methods;
}

const char* name(const Method& method) {
  return std::visit([](const auto& options) { return options.name(); }, method);
}

std::vector<Field> fields(Method& method) {
  return std::visit([](auto& options) { return options.fields(); }, method);
}

Method read_method(const Node& node) {
  std::vector<std::string> names;
  for (const KnownMethod& known : all_methods()) names.push_back(name(known.method));
  Method method;
  if (node.is_text()) {  // method: jets
    for (const KnownMethod& known : all_methods())
      if (node.text() == name(known.method)) return known.method;
    const std::string hint = did_you_mean(node.text(), names);
    node.fail(fmt::format("there is no method '{}'{}", shown(node.text()),
                          hint.empty() ? "; expected one of " + join(names) : hint));
  }
  node.allow(names);
  if (node.keys().size() != 1) node.fail("expected exactly one of " + join(names));
  for (const KnownMethod& known : all_methods())
    if (node.has(name(known.method))) method = known.method;
  const Node options = node.at(name(method));
  read_fields(options, fields(method));
  try {
    std::visit([](const auto& given) { given.check(); }, method);
  } catch (const FieldError& error) {
    fail_at(options, error);
  }
  return method;
}

}  // namespace tauflex

#include "tauflex/solvers/method.hpp"

#include <fmt/format.h>

#include <map>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"

namespace tauflex {

void NewtonOptions::check() const {
  if (!(tolerance > 0))
    throw InputError(fmt::format("newton.tolerance must be greater than 0, got {}", tolerance));
  if (max_iterations < 1)
    throw InputError(
        fmt::format("newton.max_iterations must be at least 1, got {}", max_iterations));
}

void BdfOptions::check() const {
  if (order < 1 || order > 6)
    throw InputError(fmt::format("bdf.order must be 1 to 6, got {}", order));
  if (!(step > 0)) throw InputError(fmt::format("bdf.step must be greater than 0, got {}", step));
  newton.check();
}

void ArrayOptions::check() const {
  if (order < 1 || order > 6) throw InputError(fmt::format("order must be 1 to 6, got {}", order));
  if (!(step > 0)) throw InputError(fmt::format("step must be greater than 0, got {}", step));
  newton.check();
}

void StableInversionOptions::check() const {
  if (!(tolerance > 0 && tolerance < 1) || !(step > 0) || points < 0 || pre.value_or(0) < 0 ||
      post.value_or(0) < 0)
    throw InputError("stable_inversion needs 0 < tolerance < 1, step > 0, pre and post >= 0");
}

void JetOptions::check() const {
  if (!(tolerance > 0 && tolerance < 1))
    throw InputError(fmt::format("jets.tolerance must be between 0 and 1, got {}", tolerance));
  if (!(step > 0)) throw InputError(fmt::format("jets.step must be greater than 0, got {}", step));
  if (first_steps < 0 || most_steps < 1 || most_steps < first_steps)
    throw InputError("jets needs 0 <= first_steps <= most_steps");
}

void VariableStepOptions::check() const {
  if (!(tolerance > 0 && tolerance < 1))
    throw InputError(
        fmt::format("variable_step.tolerance must be between 0 and 1, got {}", tolerance));
  if (!(step > 0))
    throw InputError(fmt::format("variable_step.step must be greater than 0, got {}", step));
  if (max_steps < 1)
    throw InputError(fmt::format("variable_step.max_steps must be at least 1, got {}", max_steps));
}

void ExactOptions::check() const {
  if (!(step > 0)) throw InputError(fmt::format("exact.step must be greater than 0, got {}", step));
  newton.check();
}

namespace {

NewtonOptions read_newton(const Node& node) {
  NewtonOptions options;
  const auto newton = node.find("newton");
  if (!newton) return options;
  newton->allow({"tolerance", "max_iterations"});
  if (const auto tolerance = newton->find("tolerance")) options.tolerance = tolerance->positive();
  if (const auto iterations = newton->find("max_iterations")) {
    options.max_iterations = iterations->integer();
    if (options.max_iterations < 1) iterations->fail("must be at least 1");
  }
  return options;
}

std::vector<std::string> read_names(const Node& list) {
  if (!list.is_list()) list.fail("expected a list of variables, such as [q.upper]");
  std::vector<std::string> names;
  for (int i = 0; i < list.size(); ++i) names.push_back(list[i].text());
  return names;
}

void read_order(const Node& node, int& order) {
  const auto given = node.find("order");
  if (!given) return;
  order = given->integer();
  if (order < 1 || order > 6) given->fail(fmt::format("must be 1 to 6, got {}", order));
}

void read_form(const Node& form, BdfOptions& options) {
  const std::map<std::string, BdfForm> forms = {{"auto", BdfForm::automatic},
                                                {"blockwise", BdfForm::blockwise},
                                                {"monolithic", BdfForm::monolithic},
                                                {"extended", BdfForm::extended},
                                                {"second_derivatives", BdfForm::second_derivatives},
                                                {"both_derivatives", BdfForm::both_derivatives}};
  const std::string text = form.text();
  if (const auto found = forms.find(text); found != forms.end()) {
    options.form = found->second;
  } else if (text.size() == 6 && text.starts_with("index") && text[5] >= '1' && text[5] <= '9') {
    options.form = BdfForm::reduced;
    options.index = text[5] - '0';
  } else {
    form.fail(
        "expected auto, blockwise, monolithic, index1, index2, ..., extended, second_derivatives "
        "or both_derivatives, got '" +
        text + "'");
  }
}

void read_scaling(const Node& scaling, BdfOptions& options) {
  if (scaling.is_map()) {
    scaling.allow({"power"});
    options.scaling = Scaling::power;
    options.scaling_power = scaling.at("power").integer();
    if (options.scaling_power < 0 || options.scaling_power > 6)
      scaling.at("power").fail(fmt::format("must be 0 to 6, got {}", options.scaling_power));
  } else if (scaling.text() == "none") {
    options.scaling = Scaling::none;
  } else if (scaling.text() != "auto") {
    scaling.fail("expected auto, none or {power: p}, got '" + scaling.text() + "'");
  }
}

BdfOptions read_bdf(const Node& bdf) {
  BdfOptions options;
  bdf.allow({"order", "step", "form", "dummies", "scaling", "newton"});
  read_order(bdf, options.order);
  if (const auto step = bdf.find("step")) options.step = step->positive();
  if (const auto form = bdf.find("form")) read_form(*form, options);
  if (const auto dummies = bdf.find("dummies")) options.dummies = read_names(*dummies);
  if (const auto scaling = bdf.find("scaling")) read_scaling(*scaling, options);
  options.newton = read_newton(bdf);
  return options;
}

ArrayOptions read_array(const Node& array, ArrayClosure closure) {
  ArrayOptions options{.closure = closure};
  array.allow({"order", "step", "newton"});
  read_order(array, options.order);
  if (const auto step = array.find("step")) options.step = step->positive();
  options.newton = read_newton(array);
  return options;
}

VariableStepOptions read_variable_step(const Node& node) {
  VariableStepOptions options;
  node.allow({"tolerance", "step", "max_steps", "dummies"});
  if (const auto tolerance = node.find("tolerance")) {
    options.tolerance = tolerance->positive();
    if (options.tolerance >= 1) tolerance->fail("must be less than 1");
  }
  if (const auto step = node.find("step")) options.step = step->positive();
  if (const auto steps = node.find("max_steps")) {
    options.max_steps = steps->integer();
    if (options.max_steps < 1) steps->fail("must be at least 1");
  }
  if (const auto dummies = node.find("dummies")) options.dummies = read_names(*dummies);
  return options;
}

ExactOptions read_exact(const Node& exact) {
  ExactOptions options;
  exact.allow({"step", "newton"});
  if (const auto step = exact.find("step")) options.step = step->positive();
  options.newton = read_newton(exact);
  return options;
}

JetOptions read_jets(const Node& node) {
  JetOptions options;
  node.allow({"tolerance", "step"});
  if (const auto tolerance = node.find("tolerance")) {
    options.tolerance = tolerance->positive();
    if (options.tolerance >= 1) tolerance->fail("must be less than 1");
  }
  if (const auto step = node.find("step")) options.step = step->positive();
  return options;
}

StableInversionOptions read_stable_inversion(const Node& node) {
  StableInversionOptions options;
  node.allow({"tolerance", "step", "pre", "post", "points"});
  if (const auto tolerance = node.find("tolerance")) {
    options.tolerance = tolerance->positive();
    if (options.tolerance >= 1) tolerance->fail("must be less than 1");
  }
  if (const auto step = node.find("step")) options.step = step->positive();
  if (const auto pre = node.find("pre")) options.pre = pre->not_negative();
  if (const auto post = node.find("post")) options.post = post->not_negative();
  if (const auto points = node.find("points")) {
    options.points = points->integer();
    if (options.points < 1) points->fail("must be at least 1");
  }
  return options;
}

}  // namespace

Method read_method(const Node& node) {
  node.allow({"bdf", "exact", "jets", "stable_inversion", "kunkel_mehrmann", "decoupled",
              "variable_step"});
  if (node.keys().size() != 1)
    node.fail(
        "expected exactly one of bdf, exact, jets, stable_inversion, kunkel_mehrmann, decoupled, "
        "variable_step");
  if (node.has("stable_inversion")) return read_stable_inversion(node.at("stable_inversion"));
  if (node.has("jets")) return read_jets(node.at("jets"));
  if (node.has("exact")) return read_exact(node.at("exact"));
  if (node.has("kunkel_mehrmann"))
    return read_array(node.at("kunkel_mehrmann"), ArrayClosure::kunkel_mehrmann);
  if (node.has("decoupled")) return read_array(node.at("decoupled"), ArrayClosure::decoupled);
  if (node.has("variable_step")) return read_variable_step(node.at("variable_step"));
  return read_bdf(node.at("bdf"));
}

}  // namespace tauflex

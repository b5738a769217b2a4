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

BdfOptions read_bdf(const Node& bdf) {
  BdfOptions options;
  bdf.allow({"order", "step", "form", "newton"});
  if (const auto order = bdf.find("order")) {
    options.order = order->integer();
    if (options.order < 1 || options.order > 6)
      order->fail(fmt::format("must be 1 to 6, got {}", options.order));
  }
  if (const auto step = bdf.find("step")) options.step = step->positive();
  if (const auto form = bdf.find("form")) {
    const std::map<std::string, BdfForm> forms = {{"auto", BdfForm::automatic},
                                                  {"blockwise", BdfForm::blockwise},
                                                  {"monolithic", BdfForm::monolithic}};
    const auto found = forms.find(form->text());
    if (found == forms.end())
      form->fail("expected auto, blockwise or monolithic, got '" + form->text() + "'");
    options.form = found->second;
  }
  options.newton = read_newton(bdf);
  return options;
}

ExactOptions read_exact(const Node& exact) {
  ExactOptions options;
  exact.allow({"step", "newton"});
  if (const auto step = exact.find("step")) options.step = step->positive();
  options.newton = read_newton(exact);
  return options;
}

}  // namespace

Method read_method(const Node& node) {
  node.allow({"bdf", "exact"});
  if (node.has("bdf") == node.has("exact")) node.fail("expected exactly one of bdf, exact");
  if (node.has("exact")) return read_exact(node.at("exact"));
  return read_bdf(node.at("bdf"));
}

}  // namespace tauflex

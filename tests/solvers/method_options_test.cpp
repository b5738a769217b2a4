// Options of methods: what C++ refuses, and that a record says them as a job file would.
#include <gtest/gtest.h>

#include "tauflex/base/fields_json.hpp"
#include "tauflex/base/read_fields.hpp"
#include "tauflex/solvers/method.hpp"

namespace tauflex {
namespace {

template <class Options>
std::string error_of(const Options& options) {
  try {
    options.check();
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(MethodOptions, errors_name_the_field_the_rule_and_the_value) {
  EXPECT_EQ(error_of(BdfOptions{.order = 7}), "bdf.order: must be 1 to 6, got 7");
  EXPECT_EQ(error_of(BdfOptions{.step = -0.5}), "bdf.step: must be greater than 0, got -0.5");
  EXPECT_EQ(error_of(BdfOptions{.newton = {.tolerance = 0}}),
            "bdf.newton.tolerance: must be greater than 0, got 0");
  EXPECT_EQ(error_of(BdfOptions{.scaling_power = 7}), "bdf.scaling.power: must be 0 to 6, got 7");
  EXPECT_EQ(error_of(BdfOptions{.form = BdfForm::reduced, .index = 10}),
            "bdf.form: must be auto, blockwise, monolithic, index1, index2, index3, index4, "
            "index5, index6, index7, index8, index9, extended, second_derivatives or "
            "both_derivatives");
  EXPECT_EQ(error_of(ExactOptions{.newton = {.max_iterations = 0}}),
            "exact.newton.max_iterations: must be at least 1, got 0");
  EXPECT_EQ(error_of(ArrayOptions{.closure = ArrayClosure::decoupled, .order = 0}),
            "decoupled.order: must be 1 to 6, got 0");
  EXPECT_EQ(error_of(ArrayOptions{.step = 0}),
            "kunkel_mehrmann.step: must be greater than 0, got 0");
  EXPECT_EQ(error_of(VariableStepOptions{.max_steps = 0}),
            "variable_step.max_steps: must be at least 1, got 0");
  EXPECT_EQ(error_of(JetOptions{.tolerance = 1}),
            "jets.tolerance: must be greater than 0 and less than 1, got 1");
  EXPECT_EQ(error_of(JetOptions{.first_steps = 20, .most_steps = 10}),
            "jets.first_steps: must not exceed most_steps, 10, got 20");
  EXPECT_EQ(error_of(StableInversionOptions{.pre = -1}),
            "stable_inversion.pre: must not be negative, got -1");
  EXPECT_EQ(error_of(StableInversionOptions{.points = -4}),
            "stable_inversion.points: must be 1 to 1000000, got -4");
}

TEST(MethodOptions, rules_between_fields_have_a_line_too) {
  try {
    read_method(Node::read_text("jets:\n  most_steps: 10\n  first_steps: 20\n", "a.yaml"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "a.yaml:3: jets.first_steps: must not exceed most_steps, 10, got 20");
  }
}

Method read_back(Method method) {
  const std::string text =
      std::string("{") + name(method) + ": " + values_json(fields(method)) + "}";
  return read_method(Node::read_text(text, "a.yaml"));
}

std::string said(Method method) {
  return std::string(name(method)) + " " + values_json(fields(method));
}

TEST(MethodOptions, what_is_written_reads_back) {
  std::vector<Method> methods;
  for (const KnownMethod& known : all_methods()) methods.push_back(known.method);
  methods.insert(methods.end(),
                 {BdfOptions{.order = 2,
                             .step = 1.0 / 3,
                             .form = BdfForm::reduced,
                             .index = 2,
                             .dummies = {"q.upper", "v.hand"},
                             .scaling = Scaling::power,
                             .scaling_power = 3,
                             .newton = {.tolerance = 1e-12, .max_iterations = 5}},
                  BdfOptions{.form = BdfForm::both_derivatives, .scaling = Scaling::none},
                  JetOptions{.first_steps = 64, .most_steps = 128},
                  StableInversionOptions{
                      .tolerance = 1e-6, .pre = 0, .post = 0.25, .tail = 0.1, .points = 80}});
  for (const Method& method : methods) EXPECT_EQ(said(read_back(method)), said(method));
}

// Every option is there: a member that fields() forgets makes this count differ.
TEST(MethodOptions, all_members_are_described) {
  const auto& [newton_tolerance, iterations] = NewtonOptions{};
  EXPECT_EQ(NewtonOptions().fields().size(), 2u);
  const auto& [order, step, form, index, dummies, scaling, power, newton] = BdfOptions{};
  EXPECT_EQ(BdfOptions().fields().size(), 8u - 2u);  // form takes index, scaling its power
  const auto& [exact_step, exact_newton] = ExactOptions{};
  EXPECT_EQ(ExactOptions().fields().size(), 2u);
  const auto& [closure, array_order, array_step, array_newton] = ArrayOptions{};
  EXPECT_EQ(ArrayOptions().fields().size(), 4u - 1u);  // the closure is the name of the method
  const auto& [variable_tolerance, variable_step, steps, variable_dummies] = VariableStepOptions{};
  EXPECT_EQ(VariableStepOptions().fields().size(), 4u);
  const auto& [jet_tolerance, jet_step, first_steps, most_steps] = JetOptions{};
  EXPECT_EQ(JetOptions().fields().size(), 4u);
  const auto& [tolerance, stable_step, pre, post, tail, points] = StableInversionOptions{};
  EXPECT_EQ(StableInversionOptions().fields().size(), 6u);
}

}  // namespace
}  // namespace tauflex

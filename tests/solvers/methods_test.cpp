// Every method on the same problems: published torques, closed forms, agreement, orders, reasons.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "example_jobs.hpp"
#include "solvers/e12_reference.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/solvers/formulation.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

const std::vector<std::string> driven = {"q.upper", "q.fore"};

BdfOptions form(BdfForm which, int order, double step, int index = 1,
                std::vector<std::string> dummies = {}) {
  return {.order = order, .step = step, .form = which, .index = index, .dummies = dummies};
}
ArrayOptions array(ArrayClosure closure, int order, double step) {
  return {.closure = closure, .order = order, .step = step};
}

// Largest difference of torques from a time on, over the largest torque of the second.
double difference(const Solution& a, const Solution& b, double from) {
  EXPECT_EQ(a.status, Status::solved) << a.method << ": " << a.message;
  EXPECT_EQ(b.status, Status::solved) << b.method << ": " << b.message;
  EXPECT_EQ(b.steps % a.steps, 0);
  const int stride = b.steps / std::max(a.steps, 1);
  double worst = 0;
  for (int i = 0; i <= a.steps; ++i)
    if (a.t[i] >= from - 1e-9)
      worst = std::max(worst, (a.u.col(i) - b.u.col(stride * i)).cwiseAbs().maxCoeff());
  return worst / b.u.cwiseAbs().maxCoeff();
}

// Largest difference to the reference torques for t >= 30 ms, N m.
double error_of_e12(const Solution& solution) {
  EXPECT_EQ(solution.status, Status::solved) << solution.method << ": " << solution.message;
  return distance_from_e12_reference(solution.u, solution.step, 0.03);
}

TEST(Methods, e12_against_the_reference_torques) {
  const Posed e12 = pose(example_job("e12_bdf"));
  const auto error = [&](const Method& method) {
    return error_of_e12(solve(e12.problem, e12.start, method));
  };
  const double h = 1e-3;
  EXPECT_LT(error(form(BdfForm::monolithic, 3, h)), 300);                    // N m; 248 measured
  EXPECT_LT(error(form(BdfForm::reduced, 3, h, 2, driven)), 250);            // 180
  EXPECT_LT(error(form(BdfForm::reduced, 3, h, 1, driven)), 150);            // 112
  EXPECT_LT(error(array(ArrayClosure::kunkel_mehrmann, 3, h)), 150);         // 121
  EXPECT_LT(error(array(ArrayClosure::kunkel_mehrmann, 4, h)), 15);          // 12
  EXPECT_LT(error(array(ArrayClosure::decoupled, 3, h)), 100);               // 77
  EXPECT_LT(error(array(ArrayClosure::decoupled, 4, h)), 10);                // 6
  EXPECT_LT(error(VariableStepOptions{.tolerance = 1e-8, .step = h}), 200);  // 141
  EXPECT_LT(error(VariableStepOptions{.tolerance = 1e-10, .step = h}), 20);
}

TEST(Methods, orders_of_convergence_on_e12) {
  const Posed e12 = pose(example_job("e12_bdf"));
  const auto order_of = [&](auto method) {
    method.step = 2e-3;
    const double coarse = error_of_e12(solve(e12.problem, e12.start, method));
    method.step = 1e-3;
    return std::log2(coarse / error_of_e12(solve(e12.problem, e12.start, method)));
  };
  for (int k = 2; k <= 4; ++k) {
    SCOPED_TRACE(k);
    EXPECT_NEAR(order_of(form(BdfForm::reduced, k, 0, 2)), k, 0.2);
    EXPECT_NEAR(order_of(form(BdfForm::reduced, k, 0, 1)), k, 0.2);
    EXPECT_NEAR(order_of(array(ArrayClosure::kunkel_mehrmann, k, 0)), k, 0.25);
    EXPECT_NEAR(order_of(array(ArrayClosure::decoupled, k, 0)), k, 0.35);
  }
}

TEST(Methods, e1_in_all_forms_of_the_paper) {
  const Posed e1 = pose(example_job("e1_simplified"));
  const Solution truth = solve(e1.problem, e1.start, array(ArrayClosure::decoupled, 5, 0.5e-3));
  const double h = 1e-3;
  const std::vector<std::string> first = {"q.upper"};
  for (const Method& method :
       std::vector<Method>{form(BdfForm::monolithic, 3, h), form(BdfForm::extended, 3, h, 1, first),
                           form(BdfForm::reduced, 3, h, 1, first), form(BdfForm::reduced, 3, h, 1),
                           form(BdfForm::second_derivatives, 3, h, 1, first),
                           array(ArrayClosure::kunkel_mehrmann, 3, h),
                           array(ArrayClosure::decoupled, 3, h), VariableStepOptions{.step = h}})
    EXPECT_LT(difference(solve(e1.problem, e1.start, method), truth, 0), 1e-3);  // 4e-4 measured
}

TEST(Methods, form_48_fails_and_says_why) {
  const Posed e1 = pose(example_job("e1_simplified"));
  const Solution s = solve(e1.problem, e1.start, form(BdfForm::both_derivatives, 3, 1e-3));
  EXPECT_EQ(s.status, Status::not_converged);
  EXPECT_NE(s.message.find("Jacobian of the discretised equations"), std::string::npos)
      << s.message;
  EXPECT_NE(s.message.find("is singular"), std::string::npos);
  EXPECT_NE(s.message.find("'servo tool.z''"), std::string::npos);
}

struct Case {
  const char* name;
  std::vector<std::string> overrides;
  int steps;
  // Shares of the peak torque: what order 4 truncates at this step, and order 5 at half of it.
  double truncation, reference;
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

class EveryMethod : public testing::TestWithParam<Case> {};

// Constrained robots, quaternion-free: all methods against the blockwise form of higher order and
// half the step, and that against jets, which difference nothing.
TEST_P(EveryMethod, agrees_with_the_blockwise_form) {
  const Case& c = GetParam();
  const Posed posed = pose(example_job(c.name, c.overrides));
  const double span = posed.problem.end() - posed.problem.begin(), h = span / c.steps;
  const double from = posed.problem.begin() + 0.1 * span;
  const auto solved = [&](const Method& method) {
    const Solution s = solve(posed.problem, posed.start, method);
    EXPECT_LT(s.max_constraint_residual, 1e-9) << s.method;
    return s;
  };
  const Solution truth = solved(form(BdfForm::blockwise, 5, h / 2));
  EXPECT_LT(difference(solved(JetOptions{.step = h}), truth, from), c.reference);
  // tolerance 1e-9 leaves up to 9e-5 in the torque
  EXPECT_LT(difference(solved(VariableStepOptions{.tolerance = 1e-9, .step = h}), truth, from),
            1e-4 + c.reference);

  const Solution blockwise = solved(form(BdfForm::blockwise, 4, h));
  const double truncation = difference(blockwise, truth, from);
  EXPECT_LT(truncation, c.truncation);
  // the same formula in other unknowns; rounding times h^-3, 2e-7 measured
  EXPECT_LT(difference(solved(form(BdfForm::monolithic, 4, h)), blockwise, from), 1e-6);
  // the same order with fewer differences truncates less
  for (const Method& method : std::vector<Method>{
           form(BdfForm::reduced, 4, h, 2), form(BdfForm::reduced, 4, h, 1),
           array(ArrayClosure::kunkel_mehrmann, 4, h), array(ArrayClosure::decoupled, 4, h)}) {
    const Solution s = solved(method);
    EXPECT_LT(difference(s, truth, from), truncation) << s.method;
  }
}

// Tolerances are one and a half times what was measured.
INSTANTIATE_TEST_SUITE_P(
    Examples, EveryMethod,
    testing::Values(Case{"four_bar",
                         {"robot.links.crank.drive={rotor_inertia: 2e-4, gear_ratio: 50, "
                          "stiffness: 2000, damping: 5}"},
                         200,
                         1.3e-2,
                         2e-4},
                    Case{"polishing", {}, 200, 6.4e-6, 3e-7},
                    Case{"delta_robot_elastic", {}, 60, 1.5e-2, 2.6e-4},
                    Case{"payload_friction", {}, 200, 7.8e-6, 3e-7},
                    Case{"e12_linearized", {}, 200, 1.7e-3, 2.1e-5}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Methods, undamped_drives_have_one_index_more) {
  const Posed e12 = pose(example_job(
      "e12_bdf", {"robot.links.upper.drive.damping=0", "robot.links.fore.drive.damping=0"}));
  const Solution truth = solve(e12.problem, e12.start, array(ArrayClosure::decoupled, 5, 0.5e-3));
  for (int index = 4; index >= 1; --index)
    EXPECT_LT(difference(solve(e12.problem, e12.start, form(BdfForm::reduced, 3, 1e-3, index)),
                         truth, 0.03),
              1e-2)
        << index;
  EXPECT_LT(difference(solve(e12.problem, e12.start, array(ArrayClosure::kunkel_mehrmann, 3, 1e-3)),
                       truth, 0.03),
            1e-2);
}

// Two cars are flat: ranks see it, structure does not.
TEST(Methods, flat_problems_by_ranks) {
  const Posed cars = pose(example_job("two_cars"));
  const double m1 = 1, m2 = 2, k = 5;
  for (const auto closure : {ArrayClosure::kunkel_mehrmann, ArrayClosure::decoupled}) {
    const Solution s = solve(cars.problem, cars.start, array(closure, 4, 0.01));
    ASSERT_EQ(s.status, Status::solved) << s.message;
    double worst = 0;
    for (int i = 60; i <= s.steps; ++i) {
      Matrix y(1, 5);
      cars.problem.path().derivatives(s.t[i], y);
      worst = std::max(worst, std::abs(s.u(0, i) - ((m1 + m2) * y(0, 2) + m1 * m2 / k * y(0, 4))));
    }
    EXPECT_LT(worst, closure == ArrayClosure::decoupled ? 1e-12 : 1e-5);  // N; no differences
  }
  try {
    solve(cars.problem, cars.start, form(BdfForm::reduced, 4, 0.01, 1));
    FAIL() << "structure is not enough here";
  } catch (const ProblemError& error) {
    EXPECT_NE(std::string(error.what()).find("cancel"), std::string::npos) << error.what();
  }
}

TEST(Methods, scaling_lowers_the_condition_number_and_changes_nothing_else) {
  const Posed e12 = pose(example_job("e12_bdf"));
  const auto solved = [&](Scaling scaling, int power = 0) {
    BdfOptions options = form(BdfForm::monolithic, 3, 1e-3);
    options.scaling = scaling;
    options.scaling_power = power;
    return solve(e12.problem, e12.start, options);
  };
  const Solution automatic = solved(Scaling::automatic), none = solved(Scaling::none),
                 squared = solved(Scaling::power, 2);
  EXPECT_GT(none.condition, 1e13);  // 5e13 measured; [Moberg2009] calls this the trouble
  EXPECT_NEAR(none.condition / none.condition_unscaled, 1, 1e-6);
  EXPECT_LT(squared.condition, 1e-2 * none.condition);
  EXPECT_LT(automatic.condition, 1e-3 * squared.condition);
  EXPECT_LT(difference(none, automatic, 0), 1e-6);  // rounding, times h^-3
  EXPECT_LT(difference(squared, automatic, 0), 1e-6);
}

TEST(Methods, reduced_systems_are_those_of_the_paper) {
  const auto rows = [](Formulation& formulation) {
    std::vector<std::string> names;
    for (int i = 0; i < formulation.system().size(); ++i)
      names.push_back(formulation.system().equation_name(i));
    return names;
  };
  using Names = std::vector<std::string>;
  const Posed e1 = pose(example_job("e1_simplified"));
  const auto of_e1 = [&](BdfForm which) {
    Formulation formulation(e1.problem, e1.start, which, 1, {"q.upper"});
    return rows(formulation);
  };
  EXPECT_EQ(of_e1(BdfForm::extended), (Names{"rate of upper", "rate of fore", "motion of fore",
                                             "servo tool.z", "servo tool.z'"}));  // (43)
  EXPECT_EQ(of_e1(BdfForm::reduced),
            (Names{"rate of fore", "motion of fore", "servo tool.z", "servo tool.z'"}));  // (44)
  EXPECT_EQ(of_e1(BdfForm::both_derivatives),
            (Names{"motion of fore", "servo tool.z", "servo tool.z'", "servo tool.z''"}));  // (48)
  EXPECT_EQ(of_e1(BdfForm::second_derivatives),
            (Names{"rate of fore", "motion of fore", "servo tool.z", "servo tool.z''"}));  // (49)
  const Posed e12 = pose(example_job("e12_bdf"));
  Formulation two(e12.problem, e12.start, BdfForm::reduced, 2, driven);
  EXPECT_EQ(rows(two), (Names{"rate of hand", "rate of upper.rotor", "rate of fore.rotor",
                              "motion of upper", "motion of fore", "motion of hand", "servo tool.x",
                              "servo tool.x'", "servo tool.z", "servo tool.z'"}));  // (33)
  Formulation one(e12.problem, e12.start, BdfForm::reduced, 1, driven);
  EXPECT_EQ(one.system().size(), 12);  // (34): x and the accelerations of the driven joints
  EXPECT_EQ((std::set<std::string>{one.system().variable_name(10), one.system().variable_name(11)}),
            (std::set<std::string>{"v.upper'", "v.fore'"}));
}

// F_z and F_z' of reduced forms against difference quotients.
TEST(Methods, jacobians_of_reduced_forms) {
  for (const auto& [name, overrides] :
       {std::pair<const char*, std::vector<std::string>>{"e12_bdf", {}},
        {"e12_bdf", {"robot.links.upper.drive.damping=0", "robot.links.fore.drive.damping=0"}},
        {"polishing", {}},
        {"four_bar", {}}}) {
    const Posed posed = pose(example_job(name, overrides));
    Formulation formulation(posed.problem, posed.start, BdfForm::reduced, 1, {});
    ImplicitSystem& system = formulation.system();
    const int n = system.size();
    Vector z = formulation.start(), zdot = Vector::LinSpaced(n, -0.3, 0.4), plus(n), minus(n);
    z += Vector::LinSpaced(n, 0.1, -0.1);
    Matrix F_z = Matrix::Zero(n, n), F_zdot = F_z;
    const double t = 0.1;
    system.jacobians(t, z, zdot, F_z, F_zdot);
    for (int j = 0; j < n; ++j) {
      const auto slope = [&](Vector& of) {
        const double h = 1e-6, before = of[j];
        of[j] = before + h;
        system.residual(t, z, zdot, plus);
        of[j] = before - h;
        system.residual(t, z, zdot, minus);
        of[j] = before;
        return Vector((plus - minus) / (2 * h));
      };
      const double scale = 1 + F_z.cwiseAbs().maxCoeff() + F_zdot.cwiseAbs().maxCoeff();
      EXPECT_LT((F_z.col(j) - slope(z)).norm(), 1e-7 * scale) << system.variable_name(j);
      EXPECT_LT((F_zdot.col(j) - slope(zdot)).norm(), 1e-7 * scale) << system.variable_name(j);
    }
  }
}

TEST(Methods, wishes_that_cannot_be_met) {
  const Posed e12 = pose(example_job("e12_bdf"));
  const auto reason = [&](const Method& method) -> std::string {
    try {
      solve(e12.problem, e12.start, method);
    } catch (const ProblemError& error) {
      return error.what();
    }
    return "(accepted)";
  };
  EXPECT_NE(reason(form(BdfForm::reduced, 3, 1e-3, 1, {"q.uper"})).find("did you mean 'q.upper'"),
            std::string::npos);
  EXPECT_NE(reason(form(BdfForm::reduced, 3, 1e-3, 5)).find("have index 3"), std::string::npos);
  EXPECT_NE(reason(form(BdfForm::blockwise, 3, 1e-3, 1, {"q.upper"})).find("blockwise"),
            std::string::npos);
  EXPECT_NE(reason(form(BdfForm::second_derivatives, 3, 1e-3)).find("both"), std::string::npos);
}

}  // namespace
}  // namespace tauflex

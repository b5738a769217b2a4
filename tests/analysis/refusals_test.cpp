// What is refused as singular, and what is only small or in other units and is not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "example_jobs.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

Job job_of(const std::string& text) { return read_job(Node::read_text(text, "case.yaml"), "case"); }

// An arm with links of 1 mm is the same arm.
TEST(SingularPoses, do_not_depend_on_the_size_of_the_robot) {
  double before = 0;
  for (const double size : {1.0, 1e-3, 1e3}) {
    const Posed posed = pose(job_of(fmt::format(R"(
tauflex: 1
robot:
  gravity: [0, 0, 0]
  links:
    - {{name: a, joint: {{parent: world, type: revolute, axis: y}}, drive: {{}}, mass: 1, com: [{0}, 0, 0], inertia: {{yy: {1}}}}}
    - {{name: b, joint: {{parent: a, at: [{2}, 0, 0], type: revolute, axis: y}}, drive: {{}}, mass: 1, com: [{0}, 0, 0], inertia: {{yy: {1}}}}}
  frames:
    tool: {{link: b, at: [{2}, 0, 0]}}
task:
  outputs: [tool.x, a]
  path: {{line: {{from: [{2}, 0], to: [{0}, 0]}}, duration: 1}}
  start: {{near: {{a: 0, b: -1.57}}}}
)",
                                                size / 2, size * size / 10, size)));
    EXPECT_FALSE(posed.unsolvable) << *posed.unsolvable;
    EXPECT_GT(posed.start.independence, 0.1);
    if (before > 0) EXPECT_NEAR(posed.start.independence, before, 1e-12);  // rounding
    before = posed.start.independence;
  }
}

// x = cos a + 0.3 cos(a + b), a given: singular at a + b = 0. The path begins 2.6e-3 rad from there
// and leaves: small is not singular.
TEST(SingularPoses, a_path_that_is_only_close_to_one_is_left_alone) {
  const std::string text =
      fmt::format(R"(
tauflex: 1
robot:
  gravity: [0, 0, -9.81]
  links:
    - {{name: a, joint: {{parent: world, type: revolute, axis: y}}, drive: {{rotor_inertia: 1}}, mass: 3, com: [0.5, 0, 0], inertia: {{yy: 0.1}}}}
    - {{name: b, joint: {{parent: a, at: [1, 0, 0], type: revolute, axis: y}}, drive: {{rotor_inertia: 1}}, mass: 2, com: [0.1, 0, 0], inertia: {{yy: 0.1}}}}
  frames:
    tool: {{link: b, at: [0.3, 0, 0]}}
task:
  outputs: [tool.x, a]
  path: {{line: {{from: [{:.17g}, 0.2], to: [{:.17g}, 0.4]}}, duration: 1, profile: polynomial11}}
  start: {{near: {{a: 0.2, b: -0.1974}}}}
)",
                  std::cos(0.2) + 0.3 * std::cos(2.6e-3), std::cos(0.4) + 0.3 * std::cos(0.05));
  const Posed posed = pose(job_of(text));
  EXPECT_LT(posed.start.independence, 1e-3);
  EXPECT_FALSE(posed.unsolvable) << *posed.unsolvable;
  const Solution solution = solve(posed.problem, posed.start, posed.method);
  EXPECT_EQ(solution.status, Status::solved) << solution.message;
  EXPECT_EQ(regularity_along(posed.problem, solution.t, solution.q, solution.v).stop, -1);
}

// Two driven links of 1 m and a passive one, bent by c0 at rest, psi the angle of the second: its
// joint feels M_cc sin psi - m rho l cos c0 sin(psi + c0) when the tool keeps its x and the first
// joint does not move. It changes sign at tan psi = k sin c0 / (1 - k cos c0), k = m rho l cos c0 /
// M_cc.
TEST(SingularPoses, zeros_that_pass_through_infinity_are_found_at_rest) {
  const double c0 = 1, m = 2, rho = 0.5, M_cc = 2 * m * rho * std::cos(c0), k = 0.5;
  const double psi = std::atan(k * std::sin(c0) / (1 - k * std::cos(c0)));
  const auto x = [&](double a) { return 2 * std::cos(a) + std::cos(a + c0); };
  const auto between = [&](double from, double to) {
    return pose(
        job_of(fmt::format(R"(
tauflex: 1
robot:
  gravity: [0, 0, 0]
  links:
    - {{name: a, joint: {{parent: world, type: revolute, axis: y}}, drive: {{}}, mass: 3, com: [0.5, 0, 0], inertia: {{yy: 0.1}}}}
    - {{name: b, joint: {{parent: a, at: [1, 0, 0], type: revolute, axis: y}}, drive: {{}}, mass: 2, com: [0.5, 0, 0], inertia: {{yy: 0.1}}}}
    - {{name: c, joint: {{parent: b, at: [1, 0, 0], type: revolute, axis: y}}, spring: {{stiffness: 100, damping: 1, rest: {}}}, mass: {}, com: [{}, 0, 0], inertia: {{yy: {}}}}}
  frames:
    tool: {{link: c, at: [1, 0, 0]}}
task:
  outputs: [tool.x, a]
  path: {{line: {{from: [{:.17g}, {}], to: [{:.17g}, {}]}}, duration: 1, profile: polynomial11}}
  start: {{near: {{a: {}, b: 0, c: {}}}}}
)",
                           c0, m, rho, M_cc - m * rho * rho, x(from), from, x(to), to, from, c0)));
  };
  const Posed through = between(psi - 0.1, psi + 0.1);
  ASSERT_TRUE(through.unsolvable);
  EXPECT_NE(through.unsolvable->find("zeros have passed through infinity"), std::string::npos)
      << *through.unsolvable;
  EXPECT_NE(through.unsolvable->find("t = 0."), std::string::npos) << *through.unsolvable;
  for (const auto& [from, to] : {std::pair(psi + 0.02, psi + 0.2), {psi - 0.2, psi - 0.02}}) {
    const Posed beside = between(from, to);
    EXPECT_TRUE(!beside.unsolvable || beside.unsolvable->find("infinity") == std::string::npos)
        << *beside.unsolvable;
  }
}

// What has no answer, in four kinds with random numbers; each has to be refused with a reason.
std::string refusal(const std::string& text) {
  try {
    return pose(job_of(text)).unsolvable.value_or("");
  } catch (const ProblemError& error) {
    return error.what();
  }
}

class Refused : public testing::Test {
 protected:
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  std::string arm(double l1, double l2) {
    return fmt::format(R"(
tauflex: 1
robot:
  gravity: [0, 0, {}]
  links:
    - {{name: a, joint: {{parent: world, type: revolute, axis: y}}, drive: {{rotor_inertia: {}, {}}}, mass: {}, com: [{}, 0, 0], inertia: {{yy: {}}}}}
    - {{name: b, joint: {{parent: a, at: [{}, 0, 0], type: revolute, axis: y}}, drive: {{rotor_inertia: {}, {}}}, mass: {}, com: [{}, 0, 0], inertia: {{yy: {}}}}}
  frames:
    elbow: {{link: a, at: [{}, 0, 0]}}
    tool: {{link: b, at: [{}, 0, 0]}}
)",
                       between(-10, 0), between(0.1, 10), elasticity(), between(1, 30),
                       between(0, l1), between(0.1, 1), l1, between(0.1, 10), elasticity(),
                       between(1, 30), between(0, l2), between(0.1, 1), l1, l2);
  }
  std::string elasticity() {
    const double kind = between(0, 3);
    if (kind < 1) return "gear_ratio: 1";
    return fmt::format("stiffness: {}, damping: {}", between(1e3, 1e6),
                       kind < 2 ? 0 : between(1, 100));
  }
  std::mt19937 random_{7};
};

TEST_F(Refused, outputs_that_depend_on_each_other) {
  for (int i = 0; i < 25; ++i) {
    const double l = between(0.2, 2), a = between(0.3, 1.2);
    const std::string text =
        arm(l, between(0.2, 2)) + fmt::format(R"(
task:
  outputs: [elbow.x, a]
  path: {{line: {{from: [{:.17g}, {:.17g}], to: [{:.17g}, {:.17g}]}}, duration: 1, profile: polynomial11}}
  start: {{near: {{a: {}}}}}
)",
                                              l * std::cos(a), a, l * std::cos(a), a, a);
    const std::string reason = refusal(text);
    EXPECT_NE(reason.find("outputs 'elbow.x' and 'a' are linearly dependent wherever"),
              std::string::npos)
        << reason << text;
  }
}

TEST_F(Refused, stretched_starts) {
  for (int i = 0; i < 25; ++i) {
    const double l1 = between(0.2, 2), l2 = between(0.2, 2), angle = between(-3, 3);
    const double x = (l1 + l2) * std::cos(angle), z = -(l1 + l2) * std::sin(angle);
    const std::string text = arm(l1, l2) + fmt::format(R"(
task:
  outputs: [tool.x, tool.z]
  path: {{line: {{from: [{:.17g}, {:.17g}], to: [{}, {}]}}, duration: 1, profile: polynomial11}}
  start: {{near: {{a: {}}}}}
)",
                                                       x, z, 0.7 * x, 0.7 * z, angle);
    const std::string reason = refusal(text);
    EXPECT_NE(reason.find("singular start"), std::string::npos) << reason << text;
  }
}

TEST_F(Refused, paths_that_touch_the_stretched_pose) {
  for (int i = 0; i < 25; ++i) {
    const double l1 = between(0.2, 2), l2 = between(0.2, 2), angle = between(-3, 3);
    const double x = (l1 + l2) * std::cos(angle), z = -(l1 + l2) * std::sin(angle);
    const double inner = std::abs(l1 - l2) / (l1 + l2), s = inner + 0.5 * (1 - inner);
    const std::string text =
        arm(l1, l2) + fmt::format(R"(
task:
  outputs: [tool.x, tool.z]
  path:
    - {{line: {{from: [{:.17g}, {:.17g}], to: [{:.17g}, {:.17g}]}}, duration: {}, profile: polynomial11}}
    - {{line: {{to: [{:.17g}, {:.17g}]}}, duration: 1, profile: polynomial11}}
  start: {{near: {{a: {}, b: 1}}}}
)",
                                  s * x, s * z, x, z, between(0.3, 2), s * x, s * z, angle - 0.5);
    const std::string reason = refusal(text);
    EXPECT_NE(reason.find("singular pose"), std::string::npos) << reason << text;
  }
}

TEST_F(Refused, a_drive_that_moves_no_output) {
  for (int i = 0; i < 25; ++i) {
    const std::string text =
        fmt::format(R"(
tauflex: 1
robot:
  gravity: [0, 0, 0]
  links:
    - {{name: a, joint: {{parent: world, type: revolute, axis: y}}, drive: {{rotor_inertia: 1, {}}}, mass: {}, com: [{}, 0, 0], inertia: {{yy: {}}}}}
    - {{name: b, joint: {{parent: a, at: [{}, 0, 0], type: revolute, axis: y}}, mass: {}, com: [0.3, 0, 0], inertia: {{yy: 0.1}}}}
    - {{name: other, joint: {{parent: world, type: revolute, axis: y}}, drive: {{rotor_inertia: 1, {}}}, mass: {}, com: [0.1, 0, 0], inertia: {{yy: 0.2}}}}
task:
  outputs: [a, b]
  path: {{line: {{from: [0, {}], to: [0.3, 0.1]}}, duration: 1, profile: polynomial11}}
)",
                    elasticity(), between(1, 9), between(0.1, 1), between(0.1, 1), between(0.1, 1),
                    between(1, 9), elasticity(), between(1, 9), between(-0.1, 0.1));
    const std::string reason = refusal(text);
    EXPECT_NE(reason.find("some drive has no effect"), std::string::npos) << reason << text;
  }
}

}  // namespace
}  // namespace tauflex

// Laws of index and zeros: known by construction for fully driven trees, the same in every unit of
// mass, length and time, the same when a number changes in its last bits; and what is refused.
#include "tauflex/analysis/rest_structure.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "example_jobs.hpp"
#include "tauflex/analysis/pose_regularity.hpp"
#include "tauflex/analysis/rank_losses.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/solvers/solve.hpp"
#include "tauflex/trajectory/line.hpp"

namespace tauflex {
namespace {

struct Units {
  double mass = 1, length = 1, time = 1;
};

// How many seconds, metres and kilograms the same thing is in other units.
const Units all_units[] = {{},
                           {.time = 0.1},
                           {.time = 10},
                           {.time = 1000},
                           {.length = 1e-3},
                           {.mass = 1e-6},
                           {.mass = 1e6},
                           {.mass = 1e6, .length = 1e-3, .time = 1000}};

// A tree in which every joint has a drive: rigid, elastic, or elastic and damped.
struct RandomTree {
  RobotDescription robot;
  Task task;
  // rad or m, from rest to rest
  Vector from, to;
  int index = 3;
  // of the damped drives, 1/s
  std::vector<double> zeros;

  RandomTree(int seed, const Units& in) {
    std::mt19937 random(seed);
    const auto between = [&](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(random);
    };
    const auto decades = [&](double low, double high) {
      return std::pow(10, between(std::log10(low), std::log10(high)));
    };
    const auto vector = [&](double size) {
      return Vector3(between(-size, size), between(-size, size), between(-size, size));
    };
    const double torque = in.mass * in.length * in.length / in.time / in.time;
    const double force = in.mass * in.length / in.time / in.time;
    robot.gravity = vector(9.81) * in.length / in.time / in.time;
    const int n = 1 + seed % 6;
    from = to = Vector::Zero(n);
    for (int i = 0; i < n; ++i) {
      Link link;
      link.name = "l" + std::to_string(i);
      const bool turns = between(0, 1) < 0.7;
      const int parent = static_cast<int>(between(0, i + 0.999)) - 1;
      link.joint.parent = parent < 0 ? "world" : "l" + std::to_string(parent);
      link.joint.type = turns ? JointType::revolute : JointType::prismatic;
      link.joint.X_PJ.p = vector(0.6) * in.length;
      link.joint.axis = vector(1).normalized();
      const double mass = decades(0.3, 30);
      link.inertia.mass = mass * in.mass;
      link.inertia.com = vector(0.3) * in.length;
      link.inertia.about_com =
          mass *
          Vector3(between(0.02, 0.03), between(0.02, 0.03), between(0.02, 0.03)).asDiagonal() *
          (in.mass * in.length * in.length);
      link.inertia.given.fill(true);
      Drive drive;
      drive.rotor_inertia = decades(1e-5, 50) * (turns ? in.mass * in.length * in.length : in.mass);
      drive.gear_ratio = between(0, 1) < 0.5 ? 1 : decades(20, 200);
      const double kind = between(0, 1);
      const double stiffness = decades(1e3, 1e7), damping = stiffness * decades(1e-5, 1e-2);
      if (kind > 0.2)
        drive.elastic = Drive::Elasticity{
            .stiffness = stiffness * (turns ? torque : force / in.length),
            .damping = kind > 0.6 ? damping * (turns ? torque : force / in.length) * in.time : 0};
      if (kind > 0.6) zeros.push_back(-stiffness / damping / in.time);
      index = std::max(index, kind > 0.6 ? 4 : kind > 0.2 ? 5 : 3);
      link.drive = drive;
      robot.links.push_back(link);
      task.outputs.push_back(link.name);
      from[i] = between(-1, 1) * (turns ? 1 : in.length);
      to[i] = from[i] + between(-0.5, 0.5) * (turns ? 1 : in.length);
    }
    std::sort(zeros.begin(), zeros.end());
    task.path = std::make_shared<LinePath>(from, to, in.time, 11);
  }
};

TEST(RestStructure, of_fully_driven_trees_is_known_in_all_units) {
  for (int seed = 0; seed < 100; ++seed)
    for (const Units& in : all_units) {
      const RandomTree tree(seed, in);
      const InverseProblem problem(Robot(tree.robot), tree.task);
      const RestState start = consistent_start(problem);
      const RestStructure found = structure_at_rest(problem, start);
      const std::string where =
          fmt::format("tree {} with units of {} kg, {} m, {} s", seed, in.mass, in.length, in.time);
      EXPECT_TRUE(found.regular) << where;
      EXPECT_GT(found.gap, 1e3) << where;
      EXPECT_EQ(found.derivative + 1, tree.index) << where;
      ASSERT_EQ(found.zeros.size(), tree.zeros.size()) << where;
      std::vector<double> zeros;
      for (const auto& zero : found.zeros) zeros.push_back(zero.real());
      std::sort(zeros.begin(), zeros.end());
      for (size_t i = 0; i < zeros.size(); ++i)
        EXPECT_NEAR(zeros[i] / tree.zeros[i], 1, 1e-12) << where;  // rounding
      EXPECT_NEAR(PoseRegularity(problem, start.q).at(start.q).outputs, 1, 1e-12)
          << where;  // rounding: joints as outputs
    }
}

TEST(Diagnosis, of_fully_driven_trees_is_known_in_all_units) {
  for (const int seed : {5, 11, 17, 23})
    for (const Units& in : all_units) {
      const RandomTree tree(seed, in);
      const InverseProblem problem(Robot(tree.robot), tree.task);
      const Diagnosis d =
          diagnose(problem, quasi_static_points(problem, consistent_start(problem), 3));
      EXPECT_EQ(d.status, Status::solved) << d.message;
      EXPECT_EQ(d.differential_index, tree.index);
      EXPECT_TRUE(d.minimum_phase);
      EXPECT_EQ(d.zeros.size(), tree.zeros.size());
      EXPECT_TRUE(d.notes.empty()) << d.notes.front();
    }
}

// Six axes with six passive springs: by the ranks of one large pencil some of these had zeros at
// +87167 per second, and another method was chosen.
TEST(Diagnosis, does_not_change_with_the_last_bits_of_a_number) {
  Job job = example_job("six_axis_elastic");
  for (int i = 0; i < 10; ++i) {
    double& gravity = job.robot.gravity[2];
    gravity = std::nextafter(gravity, -10);
    const Posed posed = pose(job);
    EXPECT_EQ(posed.diagnosis.differential_index, 4) << gravity;
    EXPECT_EQ(posed.diagnosis.zeros.size(), 18u) << gravity;
    EXPECT_TRUE(posed.diagnosis.minimum_phase) << gravity;
    EXPECT_TRUE(std::holds_alternative<JetOptions>(posed.method)) << gravity;
  }
}

Job job_of(const std::string& text) { return read_job(Node::read_text(text, "case.yaml"), "case"); }

const char* const two_links = R"(
tauflex: 1
robot:
  gravity: [0, 0, -9.81]
  links:
    - name: upper
      joint: {parent: world, type: revolute, axis: -y}
      drive: {rotor_inertia: 1, stiffness: 1e9, damping: 20}
      mass: 20
      com: [0.5, 0, 0]
      inertia: {yy: 1}
    - name: fore
      joint: {parent: upper, at: [1, 0, 0], type: revolute, axis: -y}
      drive: {rotor_inertia: 1, stiffness: 1e9, damping: 10}
      mass: 10
      com: [0.5, 0, 0]
      inertia: {yy: 0.5}
  frames:
    tool: {link: fore, at: [1, 0, 0]}
task:
  outputs: [tool.x, tool.z]
  path: {line: {from: [1.2, 0.3], to: [0.8, 0.9]}, duration: 0.5, profile: polynomial11}
  start: {near: {upper: 1.1, fore: -1.8}}
)";

TEST(Diagnosis, of_very_stiff_drives) {
  const Diagnosis d = pose(job_of(two_links)).diagnosis;
  EXPECT_EQ(d.status, Status::solved) << d.message;
  EXPECT_EQ(d.differential_index, 4);
  EXPECT_EQ(d.zeros.size(), 2u);
  EXPECT_TRUE(d.minimum_phase);
}

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
    EXPECT_NE(reason.find("singular start"), std::string::npos) << reason << text;
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

// Laws of index and zeros: known by construction for fully driven trees, the same in every unit of
// mass, length and time, and the same when a number changes in its last bits.
#include "tauflex/analysis/rest_structure.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "example_jobs.hpp"
#include "tauflex/analysis/diagnosis.hpp"
#include "tauflex/analysis/dichotomy.hpp"
#include "tauflex/equations/consistent_start.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/mechanics/drive_modes.hpp"
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
      EXPECT_NEAR(start.independence, 1, 1e-12) << where;          // rounding: joints as outputs
    }
}

// With all rotors as outputs the torques follow from accelerations, and the zeros are those of the
// links on their springs. A rotor among the outputs leaves the decision to ranks.
TEST(RestStructure, with_rotors_as_outputs_is_the_same_in_all_units) {
  for (int seed = 0; seed < 60; ++seed) {
    std::vector<double> first;
    for (const Units& in : all_units) {
      RandomTree tree(seed, in);
      size_t elastic = 0;
      for (size_t i = 0; i < tree.robot.links.size(); ++i)
        if (tree.robot.links[i].drive->elastic) {
          ++elastic;
          tree.task.outputs[i] += ".rotor";
        }
      if (elastic == 0) continue;
      tree.robot.gravity.setZero();
      tree.task.path = std::make_shared<LinePath>(0 * tree.from, tree.to, in.time, 11);
      const InverseProblem problem(Robot(tree.robot), tree.task);
      const RestStructure found = structure_at_rest(problem, consistent_start(problem));
      const std::string where =
          fmt::format("tree {} with units of {} kg, {} m, {} s", seed, in.mass, in.length, in.time);
      EXPECT_TRUE(found.regular) << where;
      EXPECT_EQ(found.derivative, 2) << where;
      ASSERT_EQ(found.zeros.size(), 2 * elastic) << where;
      std::vector<double> sizes;
      for (const auto& zero : found.zeros) sizes.push_back(std::abs(zero) * in.time);
      std::sort(sizes.begin(), sizes.end());
      if (first.empty()) first = sizes;
      for (size_t i = 0; i < sizes.size(); ++i)
        EXPECT_NEAR(sizes[i] / first[i], 1, 1e-6) << where;  // rounding of a large pencil
    }
  }
}

// Zeros by construction against the linearised internal dynamics that jets integrate, which share
// no code: passive joints, loops, force outputs.
TEST(RestStructure, has_the_zeros_of_the_internal_dynamics) {
  for (const char* example : {"e12_bdf", "e12_nonminimum", "e1_simplified", "six_axis_elastic",
                              "moberg_8dof", "polishing"}) {
    const Job job = example_job(example);
    const Posed posed = pose(job);
    const RestStructure found = structure_at_rest(posed.problem, posed.start);
    InternalDynamics dynamics(posed.problem);
    dynamics.choose(posed.start.q);
    const Matrix J = jacobian_at_rest(dynamics, posed.problem.begin(), posed.start);
    const DriveModes modes(dynamics.drives());
    const auto damped = (modes.lag.array() > 0).count();
    ASSERT_EQ(std::ssize(found.zeros), J.rows() + damped) << example;
    for (const auto& expected : eigenvalues(J)) {
      double closest = std::numeric_limits<double>::infinity();
      for (const auto& zero : found.zeros) closest = std::min(closest, std::abs(zero - expected));
      EXPECT_LT(closest, 1e-8 * std::abs(expected)) << example << expected;  // rounding
    }
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

TEST(Diagnosis, of_very_stiff_drives) {
  const Diagnosis d = pose(read_job(TAUFLEX_SOURCE_DIR "/tests/cases/two_links.yaml",
                                    {"robot.links.upper.drive.stiffness=1e9",
                                     "robot.links.fore.drive.stiffness=1e9"}))
                          .diagnosis;
  EXPECT_EQ(d.status, Status::solved) << d.message;
  EXPECT_EQ(d.differential_index, 4);
  EXPECT_EQ(d.zeros.size(), 2u);
  EXPECT_TRUE(d.minimum_phase);
}

// D = diag(d, 0): the undamped stretch follows from the damped one, which relaxes on what is left
// of the stiffness: -(a - b^2 / c) / d.
TEST(RestStructure, of_springs_that_couple_damped_and_undamped_drives) {
  const Posed posed = pose(job_of(fmt::format(
      R"(
tauflex: 1
robot:
  links:
    - {{name: upper, joint: {{parent: world, type: revolute, axis: y}}, drive: {{rotor_inertia: 1, stiffness: 1}}, mass: 2, com: [0.5, 0, 0], inertia: {{yy: 1}}}}
    - {{name: fore, joint: {{parent: upper, at: [1, 0, 0], type: revolute, axis: y}}, drive: {{rotor_inertia: 1, stiffness: 1}}, mass: 1, com: [0.5, 0, 0], inertia: {{yy: 1}}}}
  couplings:
    - {{drives: [upper, fore], stiffness: [[{0}, {1}], [{1}, {2}]], damping: [[{3}, 0], [0, 0]]}}
task:
  outputs: [upper, fore]
  path: {{line: {{from: [0, 0], to: [1, 1]}}, duration: 1, profile: polynomial11}}
)",
      3e5, -4e4, 2e4, 50)));
  const RestStructure found = structure_at_rest(posed.problem, posed.start);
  EXPECT_EQ(found.derivative, 4);
  ASSERT_EQ(found.zeros.size(), 1u);
  EXPECT_NEAR(found.zeros[0].real(), -(3e5 - 4e4 * 4e4 / 2e4) / 50, 1e-9);  // 1/s of 4400; rounding
}

}  // namespace
}  // namespace tauflex

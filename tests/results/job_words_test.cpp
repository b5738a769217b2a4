// Ways to write a job down, from its text to the result: columns, repeated links, units. Closed
// forms, or the same said the long way.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "job_texts.hpp"
#include "tauflex/base/errors.hpp"

namespace tauflex {
namespace {

constexpr const char* planar_arm =
    "  links:\n"
    "    - {name: upper, joint: {parent: world, type: revolute, axis: -y}, drive: {gear_ratio: 50, "
    "rotor_inertia: 1e-3, friction: 2e-3}, mass: 2, com: [1, 0, 0]}\n"
    "    - {name: fore, joint: {parent: upper, at: [1, 0, 0], type: revolute, axis: -y}, drive: "
    "{gear_ratio: 30, rotor_inertia: 1e-3, stiffness: 2e4, damping: 20}, mass: 1, com: [0.8, 0, "
    "0]}\n"
    "  frames: {tool: {link: fore, at: [0.8, 0, 0]}}\n";
constexpr const char* planar_task =
    "task: {outputs: [tool.x, tool.z], path: {line: {from: [1.4, 0.3], to: [1, 0.8]}, duration: "
    "0.5}, start: {near: {fore: 1}}}\n";

TEST(Columns, FramesArePlacedAndMove) {
  const Record record = run(job_of(std::string("robot:\n") + planar_arm + planar_task +
                                   "columns: [tool, fore.velocity]\n"));
  for (const Table& table :
       {trajectory_table(record), trajectory_table(record, 100.0), simulated_table(record)}) {
    const Vector q1 = column(table, "q.upper"), q2 = column(table, "q.fore"),
                 v1 = column(table, "v.upper"), x = column(table, "p.tool.x"),
                 z = column(table, "p.tool.z"), vx = column(table, "pdot.fore.x");
    for (Eigen::Index i = 0; i < q1.size(); ++i) {
      EXPECT_NEAR(x[i], std::cos(q1[i]) + 0.8 * std::cos(q1[i] + q2[i]), 1e-12);  // rounding
      EXPECT_NEAR(z[i], std::sin(q1[i]) + 0.8 * std::sin(q1[i] + q2[i]), 1e-12);
      EXPECT_NEAR(vx[i], -std::sin(q1[i]) * v1[i], 1e-12);
    }
  }
  EXPECT_EQ(message_of(std::string("robot:\n") + planar_arm + planar_task + "columns: [toll]\n"),
            "job.yaml:8: columns.0: 'toll' is neither a frame nor a link; did you mean 'tool'?");
}

// At the joints: what moves two point masses against gravity. At the motors: that through the gear,
// and the rotors and their friction on top.
TEST(Columns, TorquesBehindTheGears) {
  const Record solved =
      run(job_of(std::string("robot:\n") + planar_arm + planar_task), Until::solved);
  ASSERT_EQ(solved.solution.status, Status::solved) << solved.solution.message;
  const Table table = trajectory_table(solved);
  const Solution& s = solved.solution;
  const Vector tau1 = column(table, "tau.upper"), tau2 = column(table, "tau.fore");
  double peak = 0, worst = 0;
  for (Eigen::Index i = 0; i < s.t.size(); ++i) {
    const double q1 = s.q(0, i), q2 = s.q(1, i), v1 = s.v(0, i), v2 = s.v(1, i), a1 = s.vdot(0, i),
                 a2 = s.vdot(1, i), l = 1, r = 0.8, g = 9.81;
    const double c = std::cos(q2), sn = std::sin(q2);
    const double second =
        1 * (r * r * (a1 + a2) + l * r * (c * a1 + sn * v1 * v1)) + g * r * std::cos(q1 + q2);
    const double first = 2 * (l * l * a1 + g * l * std::cos(q1)) + second +
                         (l * l * a1 + l * r * (c * (a1 + a2) - sn * (v1 + v2) * (v1 + v2))) +
                         g * l * std::cos(q1);
    worst = std::max({worst, std::abs(tau1[i] - first), std::abs(tau2[i] - second)});
    peak = std::max(peak, std::abs(first));
    const double motor = first / 50 + 50 * 1e-3 * a1 + 50 * 2e-3 * v1;
    EXPECT_NEAR(s.u(0, i), motor, 1e-6 * peak);  // jets are asked for 1e-8 of the peak
  }
  EXPECT_LT(worst, 1e-6 * peak);  // jets are asked for 1e-8 of the peak
}

// A chain said once, and link by link.
TEST(Repeat, IsTheLongWayOfWritingIt) {
  const std::string head =
      "robot:\n  links:\n    - {name: link0, joint: {parent: world, type: fixed}}\n";
  std::string long_way = head;
  for (int i = 1; i <= 12; ++i)
    long_way += fmt::format(
        "    - {{name: link{}, joint: {{parent: link{}, at: [0.1, 0, 0], type: revolute, axis: y, "
        "zero: "
        "{}}}, spring: {{stiffness: 50, damping: {}}}, mass: 0.2, com: [0.1, 0, 0]}}\n",
        i, i - 1, 0.01 * i, 0.1 * i + 0.05);
  const std::string short_way = head +
                                "    - repeat: 12\n"
                                "      name: link$i\n"
                                "      joint: {parent: link$(i-1), at: [0.1, 0, 0], type: "
                                "revolute, axis: y, zero: $(i*0.01)}\n"
                                "      spring: {stiffness: 50, damping: $(i*0.1+0.05)}\n"
                                "      mass: 0.2\n"
                                "      com: [0.1, 0, 0]\n";
  const std::string run = "simulation: {duration: 0.2, rate: 50}\n";
  const Table a = simulated(long_way + run), b = simulated(short_way + run);
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_LT((a.values - b.values).cwiseAbs().maxCoeff(), 1e-9);  // 0.1 i in other roundings
}

TEST(Repeat, IsReachedByNameAndRefusesNonsense) {
  const std::string text =
      "tauflex: 1\nrobot: {links: [{repeat: 3, name: bar$i, joint: {parent: world, type: revolute, "
      "axis: y}, mass: 1, com: [1, 0, 0]}]}\nsimulation: {duration: 1}\n";
  const Job job = read_job(Node::read_text(text, "job.yaml"), "job", {"robot.links.bar2.mass=7"});
  EXPECT_EQ(job.robot.links[1].inertia.mass, 7);
  EXPECT_EQ(job.robot.links[2].name, "bar3");
  const auto message = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    try {
      read_job(Node::read_text(changed, "job.yaml"), "job");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message("repeat: 3", "repeat: 2.5"),
            "job.yaml:2: repeat: expected how many there are, 1 or more, got '2.5'");
  EXPECT_EQ(
      message("bar$i", "bar$j"),
      "job.yaml:2: 'bar$j': the number of an item is $i, $(i-1) or $(i*0.2+1); a $ has no other "
      "meaning here");
}

// YAML's own way: an anchor and what refers to it.
TEST(Repeat, AnchorsOfYamlAreFollowed) {
  const Job job = job_of(
      "robot:\n  links:\n"
      "    - {name: a, joint: {parent: world, type: revolute, axis: y}, drive: &motor "
      "{rotor_inertia: "
      "0.1, stiffness: 1e4}, mass: 1, com: [1, 0, 0]}\n"
      "    - {name: b, joint: {parent: a, type: revolute, axis: y}, drive: *motor, mass: 1, com: "
      "[1, 0, "
      "0]}\n"
      "simulation: {duration: 1}\n");
  EXPECT_EQ(job.robot.links[1].drive->elastic->stiffness, 1e4);
}

TEST(Units, StandInStartsCouplingsConstraintsAndTables) {
  const auto text = [](const char* angle, const char* stiffness, const char* length,
                       const char* stretch, const char* torque, const char* rest) {
    return fmt::format(
        "robot:\n"
        "  links:\n"
        "    - {{name: a, joint: {{parent: world, type: revolute, axis: y}}, spring: {{stiffness: "
        "1, "
        "rest: {5}}}, mass: 1, com: [0.5, 0, 0]}}\n"
        "    - {{name: b, joint: {{parent: a, at: [1, 0, 0], type: revolute, axis: y}}, spring: "
        "{{stiffness: 1}}, mass: 1, com: [0.5, 0, 0]}}\n"
        "    - {{name: c, joint: {{parent: world, type: [x, z]}}, mass: 1}}\n"
        "    - {{name: d, joint: {{parent: world, type: revolute, axis: y}}, spring: {{table: [[0, "
        "0], "
        "[{3}, {4}]]}}, mass: 1, com: [0.5, 0, 0]}}\n"
        "  couplings: [{{springs: [a, b], stiffness: [[{1}, 0], [0, {1}]]}}]\n"
        "  constraints: [{{name: rod, distance: {{frames: [world, c], length: {2}}}}}]\n"
        "simulation: {{duration: 0.01, rate: 1000, start: {{q: {{a: {0}, c.x: {2}}}}}}}\n",
        angle, stiffness, length, stretch, torque, rest);
  };
  const Table with =
                  simulated(text("30 deg", "2 kN m/rad", "250 mm", "2 mrad", "0.1 kN m", "5 deg")),
              without = simulated(text("0.52359877559829882", "2000", "0.25", "0.002", "100",
                                       "0.08726646259971647"));
  EXPECT_EQ(with.values, without.values);
}

TEST(Messages, ADurationThatNobodyMeansIsNamed) {
  std::string task = planar_task;
  task.replace(task.find("0.5}, start"), 11, "1e-6}, start");
  const std::string message = message_of(std::string("robot:\n") + planar_arm + task);
  EXPECT_EQ(message,
            "job.yaml:7: task.outputs: the path takes 1e-06 s, and 'tool.z' would have to move "
            "with up to "
            "1.4e+06 m/s, faster than anything that a robot moves; durations are in seconds");
}

}  // namespace
}  // namespace tauflex

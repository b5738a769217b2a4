// What still moves when the path has ended: linear robots, whose hold and free motion are exact,
// and E12.
#include "tauflex/results/ringing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "example_jobs.hpp"
#include "tauflex/report/html_report.hpp"
#include "tauflex/report/summary.hpp"
#include "tauflex/results/record_json.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {
namespace {

// A cart on a rail, and on it a mass on a spring: linear. The cart's position is the output.
Job cart(const std::string& drive, double damping, double hold) {
  return read_job(
      Node::read_text(
          "tauflex: 1\n"
          "robot: {links: [{name: cart, joint: {parent: world, type: prismatic, axis: x}, drive: " +
              drive +
              ", mass: 10}, {name: load, joint: {parent: cart, type: prismatic, axis: x}, spring: "
              "{stiffness: 800, damping: " +
              std::to_string(damping) +
              "}, mass: 2}]}\n"
              "task: {outputs: [cart], path: {line: {from: [0], to: [0.5]}, duration: 0.3}, hold: "
              "{after: " +
              std::to_string(hold) + "}}\nmethod: {jets: {step: 0.001}}\n",
          "cart.yaml"),
      "cart");
}
const std::string rigid = "{rotor_inertia: 1}",
                  elastic = "{rotor_inertia: 1, stiffness: 5e4, damping: 20}";

// What cannot be found afterwards does not take the answer away.
TEST(Ringing, that_is_not_known_says_why) {
  const Posed posed = pose(cart(rigid, 8, 0));
  const Solution s = solve(posed.problem, posed.start, posed.method);
  ASSERT_EQ(s.status, Status::solved) << s.message;
  // a hold of one period would have to be solved, by a method that does not apply
  const Ringing ringing =
      ringing_after(posed.problem, posed.start, posed.points.back().state, ExactOptions{}, s);
  EXPECT_EQ(ringing.status, Status::not_solvable);
  EXPECT_NE(ringing.message.find("there is something to integrate"), std::string::npos)
      << ringing.message;
  EXPECT_EQ(ringing.t, 0.3);
}

// m x'' + d x' + k x = -m a: 20 rad/s, -d / 2m = -2 per second
TEST(Ringing, a_mass_on_a_cart) {
  const double hold = 1;
  const Record record = run(cart(rigid, 8, hold), Until::solved);
  ASSERT_TRUE(record.ringing.has_value());
  const Ringing& ringing = *record.ringing;
  ASSERT_EQ(ringing.internal.size(), 1u);
  const RingingMode& mode = ringing.internal[0];
  EXPECT_NEAR(mode.frequency(), std::sqrt(400 - 4.0) / (2 * std::numbers::pi), 1e-9);
  EXPECT_NEAR(mode.decay_time(), 0.5, 1e-9);
  // k x + d x' is the force on the cart, in the mode as in the hold
  const Solution& s = record.solution;
  const double w = std::sqrt(396.0);
  const auto end = static_cast<Eigen::Index>(std::lround(0.3 / s.step));
  const double x = s.q(1, end), xdot = s.v(1, end);
  EXPECT_NEAR(mode.q[1], std::hypot(x, (xdot + 2 * x) / w), 1e-9);  // m; jets
  double q = 0, u = 0;
  for (Eigen::Index i = end; i < s.t.size(); ++i) {
    q = std::max(q, std::abs(s.q(1, i)));
    u = std::max(u, std::abs(s.u(0, i)));
  }
  EXPECT_NEAR(ringing.window, 2 * std::numbers::pi / w, 1e-9);
  EXPECT_NEAR(ringing.q[1], q, 1e-4 * q);  // samples 20 mrad apart
  EXPECT_NEAR(ringing.u[0], u, 1e-4 * u);
  EXPECT_LE(ringing.u[0], mode.u[0] * (1 + 1e-9));
  EXPECT_GE(ringing.u[0], mode.u[0] * std::exp(-2 * ringing.window));
  EXPECT_NEAR(ringing.y[0], 0, 1e-12);  // a rigid drive that is locked holds the cart
}

// Without a hold the window is solved for: the same numbers.
TEST(Ringing, does_not_depend_on_the_hold) {
  const Record held = run(cart(rigid, 8, 1), Until::solved),
               ended = run(cart(rigid, 8, 0), Until::solved);
  EXPECT_NEAR(ended.ringing->q[1], held.ringing->q[1], 1e-5 * held.ringing->q[1]);  // other samples
  EXPECT_NEAR(ended.ringing->u[0], held.ringing->u[0], 1e-5 * held.ringing->u[0]);
  EXPECT_NEAR(ended.solution.t[ended.solution.t.size() - 1], 0.3, 1e-12);
}

// Without damping it never decays.
TEST(Ringing, an_undamped_one) {
  const Record record = run(cart(rigid, 0, 0), Until::solved);
  EXPECT_TRUE(std::isinf(record.ringing->internal.at(0).decay_time()));
  EXPECT_NE(text_summary(record).find("never decays"), std::string::npos);
}

// An elastic drive that is locked lets the cart swing. The forward simulation of a rotor so heavy
// that it does not move is the same.
TEST(Ringing, locked_motors_against_a_forward_simulation) {
  Job job = cart(elastic, 8, 0);
  const Record record = run(job, Until::solved);
  const Ringing& ringing = *record.ringing;
  ASSERT_EQ(ringing.locked.size(), 2u);
  job.robot.links[0].drive->rotor_inertia = 1e15;
  const Robot locked(job.robot);
  const Solution& s = record.solution;
  const auto last = s.t.size() - 1;
  Vector v = s.v.col(last);
  v[2] = 0;  // the rotor
  const Vector times = Vector::LinSpaced(8001, 0, 4);
  ForwardProblem problem(locked, TorqueSignal(times.head(1), Matrix::Zero(1, 1), Hold::linear));
  const Simulation free = simulate(problem, s.q.col(last), v, times);
  ASSERT_EQ(free.status, Status::solved) << free.message;
  const double rest = 0.5 + ringing.y_rest[0];
  EXPECT_NEAR(free.q(0, 8000), rest, 1e-3 * ringing.y[0]);  // exp(-8)
  const double swing = (free.q.row(0).array() - rest).abs().maxCoeff();
  EXPECT_LE(swing, ringing.y[0] * (1 + 1e-9));  // modes that meet add up to no more
  EXPECT_GE(swing, 0.5 * ringing.y[0]);
}

// Computed elsewhere: after its move q3 rings by 0.32 rad, and holding the tool takes 202 / 99 kN m
// peak to peak.
TEST(Ringing, e12) {
  const Record record = run(example_job("e12_bdf"), Until::solved);
  const Ringing& ringing = *record.ringing;
  EXPECT_NEAR(ringing.internal.front().eigenvalue.real(), -0.625, 0.02);
  EXPECT_NEAR(ringing.internal.front().eigenvalue.imag(), 50.0, 1);
  EXPECT_NEAR(ringing.q[2], 0.32, 0.005);
  // the same torques around those of rest: -98.8 .. 102.8 and -33.2 .. 65.5 kN m
  EXPECT_NEAR(ringing.u[0], 105e3, 1e3);
  EXPECT_NEAR(ringing.u[1], 67.6e3, 1e3);
  const Record slow = run(example_job("e12_bdf", {"task.path.duration=3"}), Until::solved);
  EXPECT_LT(slow.ringing->q[2], 1e-4);  // rad
}

TEST(Ringing, is_part_of_every_result) {
  const Record record = run(example_job("e12_bdf"));
  const auto json = nlohmann::json::parse(record_json(record)).at("ringing");
  EXPECT_EQ(json.at("t"), 0.3);
  EXPECT_EQ(json.at("joints").at("hand").get<double>(), record.ringing->q[2]);
  EXPECT_EQ(json.at("torques").at("fore").get<double>(), record.ringing->u[1]);
  EXPECT_GT(json.at("locked").at("outputs").at("tool.x").get<double>(), 0);
  EXPECT_NEAR(json.at("modes")[0].at("frequency_Hz").get<double>(), 7.96, 0.1);
  EXPECT_NE(text_summary(record).find("  after     hand 32"), std::string::npos)
      << text_summary(record);
  const std::string html = html_report(record);
  for (const char* part : {"After the path", "Torque to hold the tool", "Tool with motors locked"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
}

// Nothing rings where the outputs determine every joint; constraints that move never rest.
TEST(Ringing, none) {
  for (const char* example : {"flexible_joint", "rigid_2r", "two_cars"}) {
    const Record record = run(example_job(example), Until::solved);
    EXPECT_TRUE(record.ringing->internal.empty()) << example;
    EXPECT_LT(record.ringing->y.norm(), 1e-4) << example;
  }
  const Record moved = run(example_job("anthropomorphic_absolute"), Until::solved);
  EXPECT_EQ(moved.ringing->status, Status::not_solvable);
  EXPECT_NE(html_report(moved).find("moves on when the path has ended"), std::string::npos);
}

}  // namespace
}  // namespace tauflex

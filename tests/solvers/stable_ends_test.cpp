// The ends of the bounded solution: torques do not depend on where the window that is solved ends,
// and what a window cuts off is part of the stated error. Random robots that are not minimum phase.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "example_jobs.hpp"
#include "tauflex/solvers/solve.hpp"
#include "tauflex/solvers/stable_inversion.hpp"

namespace tauflex {
namespace {

// A planar chain: two drives, one or two rods on springs, the tool at the tip and so beyond the
// centre of percussion; on most of them the first rod carries a pendulum on a spring without
// damping, which rings on when the path has ended.
Job chain(unsigned seed) {
  std::mt19937 random(seed);
  const auto between = [&](double low, double high) {
    return low + (high - low) * std::generate_canonical<double, 53>(random);
  };
  const auto link = [&](const std::string& name, const std::string& parent, double at, double mass,
                        double length, const std::string& force) {
    return fmt::format(
        "    - name: {}\n      joint: {{parent: {}, at: [{}, 0, 0], type: revolute, axis: y}}\n"
        "      {}\n      mass: {}\n      com: [{}, 0, 0]\n      inertia: {{yy: {}}}\n",
        name, parent, at, force, mass, length / 2, mass * length * length / 12);
  };
  const int rods = 1 + static_cast<int>(seed % 2);
  const double upper = between(0.4, 0.8), fore = between(0.3, 0.6);
  std::string text = fmt::format("tauflex: 1\nrobot:\n  gravity: [0, 0, {}]\n  links:\n",
                                 seed % 3 == 0 ? 0.0 : -9.81);
  text += link("upper", "world", 0, between(5, 20), upper,
               fmt::format("drive: {{rotor_inertia: {}, stiffness: {}, damping: {}}}",
                           between(1, 3), between(1e4, 5e4), between(10, 40)));
  text += link("fore", "upper", upper, between(4, 10), fore,
               fmt::format("drive: {{rotor_inertia: {}, stiffness: {}, damping: {}}}",
                           between(0.5, 2), between(1e4, 3e4), between(5, 20)));
  const double q1 = between(-1, -0.4), q2 = between(0.7, 1.3);
  double x = upper * std::cos(q1) + fore * std::cos(q1 + q2),
         z = -upper * std::sin(q1) - fore * std::sin(q1 + q2), at = fore;
  std::string parent = "fore";
  for (int i = 0; i < rods; ++i) {
    const double length = between(0.15, 0.3), stiffness = between(300, 2000);
    const std::string name = fmt::format("rod{}", i + 1);
    text += link(name, parent, at, between(0.5, 1.5), length,
                 fmt::format("spring: {{stiffness: {}, damping: {}}}", stiffness,
                             stiffness * between(5e-4, 2e-3)));
    x += length * std::cos(q1 + q2);
    z -= length * std::sin(q1 + q2);
    parent = name;
    at = length;
  }
  if (seed % 4 != 3) {
    const double mass = between(0.3, 1), length = between(0.2, 0.4), frequency = between(15, 30);
    text += link("pendulum", "rod1", between(0.05, 0.1), mass, length,
                 fmt::format("spring: {{stiffness: {}}}",
                             mass * length * length / 3 * frequency * frequency));
  }
  text += fmt::format("  frames:\n    tip: {{link: {}, at: [{}, 0, 0]}}\n", parent, at);
  text += fmt::format(
      "task:\n  outputs: [tip.x, tip.z]\n  path: {{line: {{from: [{}, {}], to: [{}, {}]}}, "
      "duration: {}, profile: polynomial11}}\n  start: {{near: {{upper: {}, fore: {}}}}}\n",
      x, z, x - between(0.1, 0.3), z + between(0.05, 0.3), between(0.3, 0.6), q1, q2);
  return read_job(Node::read_text(text, "chain.yaml"), "chain");
}

Matrix torques_at(const Solution& solution, const Vector& t) {
  Matrix u(solution.u.rows(), t.size());
  Instant now;
  for (Eigen::Index i = 0; i < t.size(); ++i) {
    EXPECT_TRUE(solution.dense->at(t[i], now));
    u.col(i) = now.u;
  }
  return u;
}

// Of each drive, the largest difference over the times that `s` reports.
Vector distance(const Solution& s, const Solution& other) {
  const double begin = std::max(s.t[0], other.t[0]), end = s.t[s.t.size() - 1];
  const Vector t = Vector::LinSpaced(211, begin, end);
  return (torques_at(s, t) - torques_at(other, t)).cwiseAbs().rowwise().maxCoeff();
}

void expect_within_stated(const Solution& s, const Solution& other, const std::string& what) {
  ASSERT_EQ(other.status, Status::solved) << what << ": " << other.message;
  const Vector off = distance(s, other), peaks = s.u.cwiseAbs().rowwise().maxCoeff();
  for (Eigen::Index i = 0; i < off.size(); ++i) {
    EXPECT_LE(off[i], 5 * (s.torque_errors[i] + other.torque_errors[i]))  // 5: as the issue asks
        << what << ", drive " << i << " of peak " << peaks[i];
    EXPECT_LE(off[i], 1e-3 * peaks[i]) << what;  // what a user would see in a chart
  }
}

class StableEnds : public testing::TestWithParam<unsigned> {};

TEST_P(StableEnds, do_not_matter_beyond_the_stated_error) {
  const Posed posed = pose(chain(GetParam()));
  ASSERT_FALSE(posed.diagnosis.minimum_phase);
  const StableInversionOptions options;
  const Solution s = solve(posed.problem, posed.start, options);
  ASSERT_EQ(s.status, Status::solved) << s.message;
  // not by overstating: as a share of each drive's peak
  EXPECT_LT((s.torque_errors.array() / s.u.cwiseAbs().rowwise().maxCoeff().array()).maxCoeff(),
            1e-5);
  const BoundedHorizon horizon = bounded_horizon(posed.problem, posed.start, options);
  StableInversionOptions longer = options;
  longer.tail = 2 * (horizon.solved.hold_after - horizon.reported.hold_after) + 0.01;
  expect_within_stated(s, solve(posed.problem, posed.start, longer), "tail twice as long");
  longer = options;
  longer.post = 3 * horizon.reported.hold_after;
  expect_within_stated(s, solve(posed.problem, posed.start, longer), "post three times as long");
}

INSTANTIATE_TEST_SUITE_P(Chains, StableEnds, testing::Range(1u, 16u));

// Torques that begin too late say by how much.
TEST(StableEnds, a_beginning_that_is_cut_is_stated) {
  const Posed posed = pose(example_job("e12_nonminimum"));
  const Solution whole = solve(posed.problem, posed.start, StableInversionOptions{});
  for (const double pre : {0.004, 0.01, 0.02}) {
    const Solution cut = solve(posed.problem, posed.start, StableInversionOptions{.pre = pre});
    ASSERT_EQ(cut.status, Status::solved) << cut.message;
    // what is left out: the torques of the whole solution before the cut against those at rest
    const Vector t = Vector::LinSpaced(50, whole.t[0], -pre);
    const Vector left_out =
        (torques_at(whole, t).colwise() - posed.start.u).cwiseAbs().rowwise().maxCoeff();
    for (Eigen::Index i = 0; i < left_out.size(); ++i) {
      EXPECT_LE(left_out[i], 2 * cut.torque_errors[i]) << pre;
      EXPECT_GE(left_out[i], 0.5 * cut.torque_errors[i]) << pre;  // and not more than it is
    }
    // what is reported is the bounded solution
    expect_within_stated(whole, cut, "cut");
  }
}

Job case_job(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return read_job(std::string(TAUFLEX_SOURCE_DIR "/tests/cases/") + name + ".yaml", overrides);
}

// A pair of motions grows by 20 per second at the beginning and by 0.66 at the end, more slowly
// than any limit between slow and fast that a path of 0.4 s suggests: the limit lies just below it,
// whichever way the path is followed. Where it lies in a long window changes nothing on the path.
TEST(StableEnds, growth_may_slow_down_along_the_path) {
  const std::vector<std::string> back = {
      "task.path.line={from: [2.79146, 0.433692, 0.605108], to: [2.99779, 0.0901204, 0.72935]}",
      "task.start.near={l1: 0.433692, l2: 0.95, l3: 0, l5: 0.605108}"};
  for (const std::vector<std::string>& overrides : {std::vector<std::string>{}, back}) {
    const Posed posed = pose(case_job("growth_that_slows_down", overrides));
    const BoundedHorizon horizon = bounded_horizon(posed.problem, posed.start, {});
    EXPECT_EQ(horizon.growing_at_start, 3);
    EXPECT_EQ(horizon.growing_at_end, 3);
    ASSERT_TRUE(std::holds_alternative<StableInversionOptions>(posed.method));
    const Solution usual = solve(posed.problem, posed.start, posed.method);
    ASSERT_EQ(usual.status, Status::solved) << usual.message;
    if (overrides.empty())
      expect_within_stated(
          usual, solve(posed.problem, posed.start, StableInversionOptions{.post = 3}), "3 s after");
  }
}

// An undamped pendulum still rings at 4.7 Hz when the torques end: they end at +2.7 N m, not in a
// layer of 1/320 s that leads to -29 N m. With a shorter tail the layer is there, and stated.
TEST(StableEnds, ringing_at_the_end_is_no_spike) {
  const Posed posed = pose(case_job("ringing_at_the_end"));
  const Solution s = solve(posed.problem, posed.start, posed.method);
  ASSERT_EQ(s.status, Status::solved) << s.message;
  EXPECT_NEAR(s.u(0, s.u.cols() - 1), 2.66, 0.01);  // the window ends at a sample
  EXPECT_LT(s.torque_errors[0], 1e-6);
  for (const double tail : {0.0, 0.02}) {
    StableInversionOptions shorter = std::get<StableInversionOptions>(posed.method);
    shorter.tail = tail;
    const Solution cut = solve(posed.problem, posed.start, shorter);
    const Vector off = (cut.u.rightCols(1) - s.u.rightCols(1)).cwiseAbs();
    EXPECT_GT(off[0], 1e-2) << tail;
    for (Eigen::Index i = 0; i < off.size(); ++i) EXPECT_LE(off[i], 2 * cut.torque_errors[i]);
  }
}

// Stiff drives behind gears: rounding in u is above 1e-11 of the peak, which is asked for. What is
// reached is taken and stated, after the mesh that reached it.
TEST(StableInversion, rounding_is_accepted_and_stated) {
  const Posed posed = pose(case_job("rounding_of_stiff_drives"));
  StableInversionOptions options = std::get<StableInversionOptions>(posed.method);
  const Solution usual = solve(posed.problem, posed.start, options);
  options.tolerance = 1e-11;
  const Solution s = solve(posed.problem, posed.start, options);
  ASSERT_EQ(s.status, Status::solved) << s.message;
  EXPECT_LT(s.integrator_steps, 3000);  // gave up at 11116
  const double peak = s.u.cwiseAbs().maxCoeff();
  EXPECT_GT(s.largest_torque_error(), 1e-11 * peak);  // not what was asked for
  EXPECT_LT(s.largest_torque_error(), 1e-7 * peak);
  ASSERT_EQ(usual.u.cols(), s.u.cols());
  for (Eigen::Index i = 0; i < s.u.rows(); ++i)
    EXPECT_LE((s.u.row(i) - usual.u.row(i)).cwiseAbs().maxCoeff(),
              s.torque_errors[i] + usual.torque_errors[i]);
}

}  // namespace
}  // namespace tauflex

// Drives whose damping is weak, or whose stiffness is high: time constants D/K far below a step.
// Laws: torques change as little as the damping does, down to none, and errors are stated.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tauflex/jobs/pose.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

Posed two(const std::vector<std::string>& overrides) {
  return pose(read_job(TAUFLEX_SOURCE_DIR "/tests/cases/two_links.yaml", overrides));
}

Solution by_jets(const Posed& posed, int first_steps = 0, double step = 1e-3) {
  const Solution s =
      solve(posed.problem, posed.start, JetOptions{.step = step, .first_steps = first_steps});
  EXPECT_EQ(s.status, Status::solved) << s.message;
  return s;
}

double largest(const Matrix& u) { return u.cwiseAbs().maxCoeff(); }

// The effect of damping on the torques is proportional to it, whatever K/D is between 1e3 and 1e10.
void expect_proportional_effect(const std::vector<std::string>& more) {
  const auto torques = [&](double damping) {
    std::vector<std::string> overrides = more;
    overrides.push_back(fmt::format("robot.links.fore.drive.damping={}", damping));
    return by_jets(two(overrides)).u;
  };
  const Matrix undamped = torques(0);
  const Matrix slope = (torques(1e-2) - undamped) / 1e-2;
  EXPECT_GT(largest(slope), 1e-4);
  for (const double damping : {1.0, 0.1, 1e-3, 1e-6}) {
    const double off = largest(torques(damping) - undamped - damping * slope);
    // the effect of order two is 4e-3 of that of order one at damping 1; stated errors are 1e-8
    EXPECT_LT(off, (5e-3 * damping + 1e-4) * damping * largest(slope) + 2e-8 * largest(undamped))
        << damping;
  }
}

TEST(WeakDamping, has_an_effect_proportional_to_it) { expect_proportional_effect({}); }

TEST(WeakDamping, of_springs_that_harden) {
  expect_proportional_effect({"robot.links.fore.drive.hardening=[1e8]"});
}

TEST(WeakDamping, of_coupled_springs) {
  expect_proportional_effect(
      {"robot.couplings=[{drives: [upper, fore], stiffness: [[2e4, 5e3], [5e3, 1e4]]}]"});
}

// K/D is 1.5e7 per second: dividing by D twice would leave two digits.
TEST(WeakDamping, of_stiff_drives) {
  const std::vector<std::string> stiff = {"robot.links.upper.drive.stiffness=3e8",
                                          "robot.links.fore.drive.stiffness=3e8"};
  std::vector<std::string> undamped = stiff;
  undamped.insert(undamped.end(),
                  {"robot.links.upper.drive.damping=0", "robot.links.fore.drive.damping=0"});
  const Solution s = by_jets(two(stiff)), limit = by_jets(two(undamped));
  for (int i = 0; i < 2; ++i) {
    const double peak = largest(limit.u.row(i));
    EXPECT_LT(largest(s.u.row(i) - limit.u.row(i)), 1e-8 * peak);  // D/K = 7e-8 s times slow rates
    EXPECT_LT(s.torque_errors[i], 1e-8 * peak);
  }
}

// The fourth derivative of this path jumps, and what that leaves fades within D/K = 0.1 ms. Short
// steps integrate it, long ones follow the load and add what fades.
TEST(WeakDamping, fades_behind_corners) {
  const Posed posed = two({"robot.links.fore.drive.damping=1", "task.path.profile=polynomial7"});
  const Solution follows = by_jets(posed, 0, 2e-5), integrates = by_jets(posed, 2500, 2e-5);
  EXPECT_LT(follows.integrator_steps, 300);
  EXPECT_GT(integrates.integrator_steps, 2400);
  for (int i = 0; i < 2; ++i)
    EXPECT_LT(largest(follows.u.row(i) - integrates.u.row(i)), 2e-8 * largest(follows.u.row(i)));
  // it is there: far more than the error, and gone after 2 ms
  const Solution undamped =
      by_jets(two({"robot.links.fore.drive.damping=0", "task.path.profile=polynomial7"}), 0, 2e-5);
  EXPECT_GT(std::abs(follows.u(1, 0) - undamped.u(1, 0)), 1e-3 * largest(follows.u.row(1)));
  EXPECT_LT(std::abs(follows.u(1, 100) - undamped.u(1, 100)), 1e-3 * largest(follows.u.row(1)));
}

}  // namespace
}  // namespace tauflex

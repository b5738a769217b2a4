// Simulations of chains so stiff that they hardly move, on a constraint.
#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/results/free_run.hpp"

namespace tauflex {
namespace {

// Twenty joints with springs and dampers, the tip on a line.
Job stiff_chain(double stiffness, const std::string& verification = "{}", double gravity = 9.81) {
  std::string links;
  for (int k = 0; k < 20; ++k)
    links += fmt::format(
        "  - {{name: l{}, joint: {{parent: {}, at: [{}, 0, 0], type: revolute, axis: z}}, spring: "
        "{{stiffness: {}, damping: 1}}, mass: 0.05, com: [0.025, 0, 0], inertia: {{zz: 1e-5}}}}\n",
        k, k ? fmt::format("l{}", k - 1) : "world", k ? 0.05 : 0.0, stiffness);
  const std::string text =
      fmt::format("tauflex: 1\nrobot:\n  gravity: [0, -{}, 0]\n  links:\n", gravity) + links +
      "  frames: {tip: {link: l19, at: [0.05, 0, 0]}}\n"
      "  constraints: [{name: rail, plane: {frame: tip, normal: y}}]\n"
      "simulation: {duration: 0.3, rate: 33}\nverification: " +
      verification + "\n";
  return read_job(Node::read_text(text, "chain.yaml"), "chain");
}

// It sags by a micrometre and vibrates. Vibrations that small were damped as if they were rounding,
// and the energy did not balance.
TEST(Simulation, AStiffChainThatHardlyMovesBalances) {
  for (const double stiffness : {1e4, 1e5, 3e5, 1e6}) {
    const FreeRun result = simulate_job(stiff_chain(stiffness), {});
    EXPECT_EQ(result.simulation.status, Status::solved)
        << stiffness << ": " << result.simulation.message;
    EXPECT_LT(result.energy_balance_error, 3e-5) << stiffness;  // 1e-4 is allowed
  }
}

// A law: as long as it is linear, a hundred times the load is a hundred times the motion.
TEST(Simulation, AStiffChainMovesInProportionToItsLoad) {
  const Simulation small = simulate_job(stiff_chain(3e5), {}).simulation,
                   large = simulate_job(stiff_chain(3e5, "{}", 981), {}).simulation;
  const double fastest = large.v.cwiseAbs().maxCoeff();
  // 3e-5; velocities were off by a per cent
  EXPECT_LT((100 * small.v - large.v).cwiseAbs().maxCoeff(), 3e-4 * fastest);
}

// Steps that resolve rounding would be many more: 78,000 instead of 770 once.
TEST(Simulation, AStiffChainNeedsNoMoreStepsAtTheDefaultTolerance) {
  const auto run = [](const std::string& tolerance) {
    return simulate_job(stiff_chain(1e5, "{simulation: {relative_tolerance: " + tolerance + "}}"),
                        {})
        .simulation;
  };
  const Simulation usual = run("1e-10"), coarse = run("1e-9");
  ASSERT_EQ(usual.status, Status::solved) << usual.message;
  ASSERT_EQ(coarse.status, Status::solved) << coarse.message;
  EXPECT_LT(usual.steps, 2 * coarse.steps);
}

// The same chain at a tolerance that is larger than its motion: that is wrong, and is found.
TEST(Simulation, AWrongMotionOfAStiffChainDoesNotBalance) {
  const FreeRun result = simulate_job(
      stiff_chain(1e6, "{simulation: {relative_tolerance: 1e-2, absolute_tolerance: 1e-3}}"), {});
  EXPECT_EQ(result.simulation.status, Status::not_converged);
  EXPECT_NE(result.simulation.message.find("the energy does not balance"), std::string::npos)
      << result.simulation.message;
}

}  // namespace
}  // namespace tauflex

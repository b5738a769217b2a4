// Error messages: drive springs whose stretch is not found end a motion with this reason, and no
// equation of the outputs is blamed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tauflex/jobs/pose.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

// A cart on a rail. Beside its term of order 13 the spring is next to nothing, and Newton's
// iteration from the linear spring does not get there.
Posed cart(double damping) {
  return pose(read_job(Node::read_text(fmt::format(R"(
tauflex: 1
robot:
  gravity: [0, 0, 0]
  links:
    - name: cart
      joint: {{parent: world, type: prismatic, axis: x}}
      mass: 10
      drive: {{rotor_inertia: 1, stiffness: 1e-6, damping: {}, hardening: [0, 0, 0, 0, 0, 1e3]}}
task:
  outputs: [cart]
  path: {{line: {{from: [0], to: [0.5]}}, duration: 0.3, profile: polynomial11}}
)",
                                                   damping),
                                       "cart.yaml"),
                       "cart"));
}

void expect_reason(const Solution& s) {
  EXPECT_EQ(s.status, Status::not_converged);
  EXPECT_NE(s.message.find("no stretch of the drive springs was found"), std::string::npos)
      << s.message;
  EXPECT_EQ(s.message.find("in equation"), std::string::npos) << s.message;
}

TEST(NoStretch, ends_the_blockwise_form) {
  const Posed posed = cart(0);
  const Solution s = solve(posed.problem, posed.start, BdfOptions{.form = BdfForm::blockwise});
  expect_reason(s);
  EXPECT_LT(s.t[s.t.size() - 1], 0.2);  // s, torques end there
}

TEST(NoStretch, ends_jets) {
  const Posed posed = cart(0);
  expect_reason(solve(posed.problem, posed.start, JetOptions{}));
}

}  // namespace
}  // namespace tauflex

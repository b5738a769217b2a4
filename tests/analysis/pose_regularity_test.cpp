// Singular poses: closed forms of what solvers divide by.
#include "tauflex/analysis/pose_regularity.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "example_jobs.hpp"

namespace tauflex {
namespace {

Vector pose_of(std::initializer_list<double> joints, int nq) {
  Vector q = Vector::Zero(nq);
  int i = 0;
  for (const double joint : joints) q[i++] = joint;
  return q;
}

// Singular values of a 2R arm's Jacobian: their product is l1 l2 |sin q2|, the sum of their squares
// that of its entries.
TEST(SingularPoses, a_two_joint_arm_in_closed_form) {
  const Posed posed = pose(example_job("rigid_2r"));
  PoseRegularity measure(posed.problem, posed.start.q);
  const double l1 = 0.5, l2 = 0.4;
  for (const double fore : {-1.2, -0.1, 0.3, 1.5}) {
    const double r2 = l1 * l1 + l2 * l2 + 2 * l1 * l2 * std::cos(fore);  // |column 1|^2
    const double squares = r2 + l2 * l2, product = l1 * l2 * std::abs(std::sin(fore));
    const double both = std::sqrt(squares * squares - 4 * product * product);
    const Regularity r = measure.at(pose_of({0.4, fore}, posed.problem.robot().nq()));
    EXPECT_NEAR(r.outputs, std::sqrt((squares - both) / (squares + both)), 1e-12);  // rounding
    EXPECT_EQ(r.loops, 1);
    EXPECT_EQ(r.coupling, 1);  // every joint has a drive
  }
  const int nq = posed.problem.robot().nq();
  EXPECT_LT(measure.at(pose_of({0.4, 0}, nq)).outputs, 1e-15);  // stretched
  EXPECT_EQ(measure.at(pose_of({0.4, 0.1}, nq)).pose_branch *
                measure.at(pose_of({0.4, -0.1}, nq)).pose_branch,
            -1);  // the elbow on the other side
}

// E12: when the hand turns about the tool its joint feels j3 + m3 xi3 (xi3 - l3), so with
// j3 = 2 kg m^2 the tool is at the centre of percussion and nothing couples.
TEST(SingularPoses, a_tool_at_the_centre_of_percussion) {
  const auto coupling = [](const std::string& inertia, double hand) {
    const Posed posed = pose(example_job("e12_bdf", {"robot.links.hand.inertia.yy=" + inertia}));
    PoseRegularity measure(posed.problem, posed.start.q);
    return measure.at(pose_of({0.2, 0.7, hand}, posed.problem.robot().nq()));
  };
  EXPECT_GT(coupling("50", 0).coupling, 0.05);
  EXPECT_NEAR(coupling("2.002", 0.3).coupling / coupling("2.001", 0.3).coupling, 2,
              1e-2);                        // in proportion to j3 - 2
  EXPECT_EQ(coupling("2", 0).coupling, 1);  // by structure: not counted
  EXPECT_EQ(coupling("1.9", 0).motion_branch * coupling("2.1", 0).motion_branch, -1);
}

// Two cars and a spring: the first is never accelerated by the second, so this does not count.
TEST(SingularPoses, what_is_singular_by_structure_does_not_count) {
  const Posed posed = pose(example_job("two_cars"));
  PoseRegularity measure(posed.problem, posed.start.q);
  EXPECT_EQ(measure.at(posed.start.q).smallest(), 1);
}

}  // namespace
}  // namespace tauflex

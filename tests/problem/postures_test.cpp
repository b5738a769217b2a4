#include "tauflex/problem/postures.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "example_jobs.hpp"
#include "tauflex/jobs/tool_pose.hpp"
#include "tauflex/problem/posture_names.hpp"

namespace tauflex {
namespace {

Robot six_axis() { return Robot(example_job("six_axis_elastic").robot); }

// The tool of the example, turned by 0.6 rad about y.
Postures at_start(const Robot& robot, const std::map<std::string, double>& near) {
  return reaching(robot, meant_frame(robot, ""),
                  (Vector(6) << 1.6, -0.5, 1.2, 0, 0.6, 0).finished(), near);
}

TEST(Postures, angles_are_turned_into_their_ranges) {
  const Robot robot = six_axis();
  const Postures found = at_start(robot, {});
  ASSERT_EQ(found.q.size(), 8u);
  // six of the eight bend axis 2 or 3 too far; those that fit come first
  EXPECT_EQ(range_excess(robot, found.q[0]), 0);
  EXPECT_EQ(range_excess(robot, found.q[1]), 0);
  EXPECT_GT(range_excess(robot, found.q.back()), 0);
  for (const Vector& q : found.q)
    for (const char* joint : {"column", "fore", "flange"}) {  // ranges of almost a turn and more
      const int at = robot.coordinates().find(joint);
      EXPECT_LE(std::abs(q[at]), 3.15) << joint;
    }
}

TEST(Postures, near_comes_first_and_counts_full_turns) {
  const Robot robot = six_axis();
  const int fore = robot.coordinates().find("fore");
  // the same wrist by almost a turn of axis 4, which may turn by 5 rad
  const Postures far = at_start(robot, {{"fore", 4.6}});
  EXPECT_EQ(range_excess(robot, far.q[0]), 0);
  EXPECT_NEAR(far.q[0][fore], 1.523 + std::numbers::pi, 0.01);  // rad; the springs are unstretched
  const Postures flipped = at_start(robot, {{"wrist", -0.3}});
  EXPECT_LT(flipped.q[0][robot.coordinates().find("wrist")], 0);
}

TEST(Postures, have_names_that_tell_them_apart) {
  const Robot robot = six_axis();
  const Postures found = at_start(robot, {});
  const auto names = posture_names(robot, meant_frame(robot, ""), moving_joints(robot), found.q);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 8u);
  EXPECT_TRUE(names[0].starts_with("shoulder front, elbow up, wrist")) << names[0];
}

TEST(Postures, more_joints_than_outputs_bring_one_for_each_way_to_bend_the_arm) {
  const Robot robot(example_job("seven_axis").robot);
  const Frame& tool = meant_frame(robot, "");
  const Vector q = robot.coordinates().neutral +
                   0.4 * Vector::Unit(robot.nq(), robot.coordinates().find("link2")) +
                   1.2 * Vector::Unit(robot.nq(), robot.coordinates().find("link4")) +
                   0.6 * Vector::Unit(robot.nq(), robot.coordinates().find("link6"));
  const Pose X = tool_pose(robot, tool, q).X_WF;
  const Postures found = reaching(robot, tool, X.p, {});
  EXPECT_TRUE(found.redundant);
  ASSERT_FALSE(found.q.empty());
  for (const Vector& posture : found.q)
    EXPECT_LT((tool_pose(robot, tool, posture).X_WF.p - X.p).norm(), 1e-8);  // m; Newton's end
}

// Two links of 1 and 0.7 m in a plane: sin of the elbow times both lengths.
TEST(ToolPose, manipulability_of_two_links) {
  const Robot robot(example_job("rigid_2r").robot);
  const ToolPose pose =
      tool_pose(robot, meant_frame(robot, ""), (Vector(2) << 0.3, 0.9).finished());
  const double l1 = robot.description().links[1].joint.X_PJ.p.norm(),
               l2 = robot.description().frames[0].X_LF.p.norm();
  EXPECT_NEAR(pose.position_manipulability, l1 * l2 * std::sin(0.9), 1e-12);  // m^2; rounding
}

}  // namespace
}  // namespace tauflex

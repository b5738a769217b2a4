// Drives and springs of a frame of elements, beside those of the tree of links.
#include "mechanics/random_robots.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/elements/frame_pose.hpp"
#include "tauflex/elements/frame_system.hpp"
#include "tauflex/elements/newmark.hpp"
#include "tauflex/elements/robot_frame.hpp"
#include "tauflex/mechanics/constrained_dynamics.hpp"

namespace tauflex {
namespace {

// Law: rotors of elastic drives, coupled springs, springs that harden, friction and springs in
// directions accelerate as in the tree.
TEST(ElementFrame, drives_and_springs_accelerate_as_in_the_tree) {
  int rotors = 0, springs = 0, hardening = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    const bool hardens = seed % 2 == 1;
    RobotDescription description = random_robot(seed, {.couplings = !hardens});
    for (Link& link : description.links) {
      if (hardens && link.spring) link.spring->hardening = {40, 10};
      if (hardens && link.drive && link.drive->elastic) link.drive->elastic->hardening = {40, 10};
    }
    const Robot robot(description);
    if (robot.nq() != robot.nv()) continue;
    Random random(seed);
    const Vector q = random.vector(robot.nq(), 0.5), v = random.vector(robot.nv(), 0.5);
    std::optional<ElementFrame> built;
    try {
      built = robot_frame(robot, q);
    } catch (const ProblemError&) {
      continue;  // springs between frames and the like
    }
    const ElementFrame& frame = *built;
    rotors += robot.rotors();
    springs += static_cast<int>(frame.springs.size());
    hardening += static_cast<int>(frame.hardening.size());
    const Vector u = random.vector(robot.actuation().count(), 1);
    FrameSystem system(
        frame, {},
        [&](double, VectorOut forces) {
          forces.setZero();
          for (const auto& [joint, drive] : frame.motors)
            forces[joint] = u[frame.joints[joint].drive] * drive.gear_ratio;
          for (int k = 0; k < robot.rotors(); ++k)
            forces[static_cast<Eigen::Index>(frame.joints.size()) + k] =
                u[robot.actuation().elastic[k]];
        },
        FrameRotors(robot, frame, q));
    FrameState state(frame);
    Vector travel, velocities = Vector::Zero(system.size());
    pose_of_joints(frame, q, v, Vector::Zero(robot.nv()), state, travel);
    for (int node = 0; node < frame.nodes(); ++node)
      for (int k = 0; k < 3; ++k) {
        if (frame.dof[node][k] >= 0) velocities[frame.dof[node][k]] = state.v[node][k];
        if (frame.dof[node][k + 3] >= 0) velocities[frame.dof[node][k + 3]] = state.w[node][k];
      }
    system.write_rotors(v, velocities);
    Newmark newmark(system, {});
    newmark.start(0, velocities);
    system.set_motion(newmark.v(), newmark.a());
    Vector q_back = q, v_back = v, vdot(robot.nv()), expected(robot.nv()), none(0);
    joints_of_pose(frame, system.state(), system.travel(), q_back, v_back, vdot);
    system.read_rotors(q_back, v_back, vdot);
    ConstrainedDynamics dynamics(robot);
    dynamics.accelerations(q, v, u, 0, expected, none);
    EXPECT_LT((vdot - expected).norm(), 1e-6 * (1 + expected.norm())) << seed;  // as above
  }
  EXPECT_GT(rotors, 5);
  EXPECT_GT(springs, 5);
  EXPECT_GT(hardening, 5);
}

}  // namespace
}  // namespace tauflex

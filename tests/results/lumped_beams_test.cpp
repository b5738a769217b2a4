// The six-axis arm with beams against the same arm made of rigid pieces and springs, joint by
// joint.
#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/equations/consistent_start.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

// A slender rod of the beam's material along x of the piece, in the axes of the beam.
Link piece_of(const Beam& beam, const std::string& name, double length) {
  Link piece;
  piece.name = name;
  piece.joint.type = JointType::fixed;
  piece.inertia.mass = beam.mass_per_length * length;
  piece.inertia.com = {length / 2, 0, 0};
  piece.inertia.about_com(1, 1) = piece.inertia.about_com(2, 2) =
      piece.inertia.mass * length * length / 12;
  piece.inertia.given.fill(true);
  return piece;
}

// The beam of a link as rigid pieces with springs in the middle of n equal parts, n even: half a
// part, n - 1 whole ones, half a part. Two springs that turn one after the other twist a little
// what follows, by half the product of their angles; every second piece is turned by a quarter
// about the beam, so that this cancels. What the end of the beam carries moves to the last piece.
void lump(RobotDescription& robot, const std::string& joint, int n) {
  const auto named = [&](const Link& link) { return joint_name(link) == joint; };
  Link& link = *std::find_if(robot.links.begin(), robot.links.end(), named);
  const std::string name = link.name;
  const Beam beam = *link.beam;
  link.beam.reset();
  const double part = beam.length() / n;
  std::vector<Link> pieces = {piece_of(beam, name + "_0", part / 2)};
  pieces[0].joint.parent = name;
  pieces[0].joint.X_PJ = {beam.axes(), beam.from};
  for (int i = 1; i <= n; ++i) {
    Link piece = piece_of(beam, name + "_" + std::to_string(i), i < n ? part : part / 2);
    piece.joint.parent = pieces.back().name;
    piece.joint.X_PJ.p = {i == 1 ? part / 2 : part, 0, 0};
    const bool turned = i % 2 == 1;
    piece.joint.X_PJ.R = rotation_from_rpy({turned ? M_PI / 2 : -M_PI / 2, 0, 0});
    const auto bend = [&](int direction, double EI) {
      piece.springs.free[direction] = true;
      piece.springs.spring[direction] = {EI / part, beam.stiffness_damping * EI / part};
    };
    // deflection along y is a turn about z, which is y of a piece that is turned
    bend(turned ? 4 : 5, beam.EI_y);
    bend(turned ? 5 : 4, beam.EI_z);
    pieces.push_back(piece);
  }
  const Pose last{beam.axes(), beam.to - (part / 2) * beam.axes().col(0)};
  for (Link& other : robot.links)
    if (other.joint.parent == name) {
      other.joint.X_PJ = last.inverse() * other.joint.X_PJ;
      other.joint.parent = pieces.back().name;
    }
  robot.links.insert(robot.links.end(), pieces.begin(), pieces.end());
}

struct Motion6 {
  Matrix torques, tool;  // 6 x times, 3 x times
};

// All six joints turn by half a radian in half a second; torques of the motors and where the tool
// goes.
Motion6 move_joints(const Job& job, const RobotDescription& robot) {
  const InverseProblem problem(Robot(robot), job.task);
  const Solution solution =
      solve(problem, consistent_start(problem), BdfOptions{.order = 3, .step = 1e-3});
  EXPECT_EQ(solution.status, Status::solved) << solution.message;
  Motion6 motion{solution.u, Matrix::Zero(3, solution.t.size())};
  MechanicsData data(problem.robot());
  const Frame& tool = problem.robot().frames()[problem.robot().find_frame("tool")];
  for (Eigen::Index i = 0; i < solution.t.size(); ++i) {
    kinematics<double>(problem.robot(), data, solution.q.col(i));
    motion.tool.col(i) = frame_position(data, tool);
  }
  return motion;
}

double largest_distance(const Matrix& a, const Matrix& b) {
  return (a - b).colwise().norm().maxCoeff();
}

TEST(LumpedBeams, OfTheSixAxisArmConvergeToBeams) {
  const std::string damping = "beam.damping={stiffness: 1e-3}", elements = "beam.elements=4";
  Job job = example_job(
      "six_axis_beams",
      {"robot.elastic.links.axis2." + damping, "robot.elastic.links.axis4." + damping,
       "robot.elastic.links.axis2." + elements, "robot.elastic.links.axis4." + elements,
       "task={outputs: [axis1, axis2, axis3, axis4, axis5, axis6], path: {line: {from: [-0.3, 0.3, "
       "0.2, 0, 0.4, 0], to: [0.2, -0.2, 0.7, 0.5, 0.9, 0.5]}, duration: 0.5, profile: "
       "polynomial9}}"});
  const Payload payload = *example_job("six_axis_beams").task.payload;
  job.robot = with_payload(job.robot, payload.link, payload.inertia);
  const Motion6 beams = move_joints(job, job.robot);

  RobotDescription stiff = job.robot;
  for (Link& link : stiff.links)
    if (link.beam) {
      link.beam->EI_y *= 1e4;
      link.beam->EI_z *= 1e4;
      link.beam->stiffness_damping *= 1e-4;
    }
  const double deflection = largest_distance(move_joints(job, stiff).tool, beams.tool);
  EXPECT_GT(deflection, 1e-3);  // m, something bends

  const int counts[3] = {4, 8, 16};
  double torque_error[3][6], tool_error[3];
  for (int row = 0; row < 3; ++row) {
    RobotDescription lumped = job.robot;
    lump(lumped, "axis2", counts[row]);
    lump(lumped, "axis4", counts[row]);
    const Motion6 motion = move_joints(job, lumped);
    ASSERT_EQ(motion.torques.cols(), beams.torques.cols());
    for (int axis = 0; axis < 6; ++axis)
      torque_error[row][axis] =
          (motion.torques.row(axis) - beams.torques.row(axis)).cwiseAbs().maxCoeff() /
          beams.torques.row(axis).cwiseAbs().maxCoeff();
    tool_error[row] = largest_distance(motion.tool, beams.tool);
    // springs in the middle of their parts are the midpoint rule for the deflection under a force
    // at the end, int x^2 dx, which is short by 1 / (4 n^2) of it
    EXPECT_LT(tool_error[row], deflection / (4 * counts[row] * counts[row]));
  }
  // the next term is that of fourth order, and what is left of third order in the slopes
  for (int axis = 0; axis < 6; ++axis)
    EXPECT_NEAR(std::log2(torque_error[1][axis] / torque_error[2][axis]), 2, 0.1) << axis + 1;
  EXPECT_NEAR(std::log2(tool_error[1] / tool_error[2]), 2, 0.1);
}

}  // namespace
}  // namespace tauflex

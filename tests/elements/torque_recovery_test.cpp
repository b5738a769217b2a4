// Joint torques recovered from nodal forces, against published cases, against recursive
// Newton-Euler and against constrained inverse dynamics. None of them shares a line with it.
#include "tauflex/elements/torque_recovery.hpp"

#include <fstream>
#include <sstream>

#include "mechanics/random_robots.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/elements/frame_pose.hpp"
#include "tauflex/elements/robot_frame.hpp"
#include "tauflex/mechanics/joint_torques.hpp"

namespace tauflex {
namespace {

constexpr double rounding = 1e-12;  // of the largest torque: asked for

std::vector<double> numbers(const std::string& text) {
  std::istringstream in(text);
  std::vector<double> values;
  for (double x = 0; in >> x;) values.push_back(x);
  return values;
}

struct PublishedLink {
  double mass, length, tip;
  Matrix3 A;
  Vector3 w, alpha, tau;
};

// Chains of the file, each link with its own rotation.
std::vector<std::vector<PublishedLink>> published_chains() {
  std::ifstream file(TAUFLEX_SOURCE_DIR "/tests/published/isobe_torque_cases.csv");
  std::vector<std::vector<PublishedLink>> chains;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    if (numbers(cells[3])[0] == 1) chains.emplace_back();
    const auto A = numbers(cells[7]), w = numbers(cells[8]), alpha = numbers(cells[9]);
    PublishedLink link;
    link.mass = numbers(cells[4])[0];
    link.length = numbers(cells[5])[0];
    link.tip = numbers(cells[6])[0];
    for (int i = 0; i < 9; ++i) link.A(i / 3, i % 3) = A[static_cast<size_t>(i)];
    for (int i = 0; i < 3; ++i) {
      link.w[i] = w[static_cast<size_t>(i)];
      link.alpha[i] = alpha[static_cast<size_t>(i)];
      link.tau[i] = numbers(cells[static_cast<size_t>(10 + i)])[0];
    }
    chains.back().push_back(link);
  }
  return chains;
}

// Published value: planar and spatial chains of rods with a tip mass, all three torques of each.
TEST(TorqueRecovery, published_chains) {
  const auto chains = published_chains();
  ASSERT_EQ(chains.size(), 6u);
  for (const auto& chain : chains) {
    std::vector<RecoveryLink> links;
    Vector3 start = Vector3::Zero(), a(0, 0, 9.81);  // less gravity
    for (size_t i = 0; i < chain.size(); ++i) {
      const PublishedLink& given = chain[i];
      RecoveryLink link;
      link.parent = static_cast<int>(i) - 1;
      link.start = start;
      link.span = given.A.transpose() * Vector3(0, 0, given.length);
      add_rod(given.mass, i + 1 == chain.size() ? given.tip : 0, {a, given.w, given.alpha}, link);
      a += given.alpha.cross(link.span) + given.w.cross(given.w.cross(link.span));
      start += link.span;
      links.push_back(link);
    }
    std::vector<JointLoad> loads;
    recover_torques(links, 1, loads);
    double peak = 0;
    for (const PublishedLink& link : chain) peak = std::max(peak, link.tau.norm());
    for (size_t i = 0; i < chain.size(); ++i)
      EXPECT_LT((chain[i].A * loads[i].moment - chain[i].tau).norm(), rounding * peak) << i;
  }
}

// Law: the same torques as recursive Newton-Euler for any tree of revolute and prismatic joints.
TEST(TorqueRecovery, is_newton_euler_for_rigid_trees) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Robot robot(random_robot(seed, {.drives = false, .springs = false, .couplings = false}));
    Random random(seed);
    const Vector q = random.vector(robot.nq(), 1), v = random.vector(robot.nv(), 1),
                 vdot = random.vector(robot.nv(), 1);
    const ElementFrame frame = robot_frame(robot, random.vector(robot.nq(), 1));
    FrameState state(frame);
    Vector travel;
    pose_of_joints(frame, q, v, vdot, state, travel);
    TorqueRecovery recovery(frame, std::vector<double>(frame.joints.size(), 1));
    Vector torques(frame.joints.size());
    recovery.recover(state, travel, torques);
    MechanicsData data(robot);
    joint_torques<double>(robot, data, q, v, vdot);
    for (size_t j = 0; j < frame.joints.size(); ++j)
      EXPECT_NEAR(torques[static_cast<Eigen::Index>(j)], data.tau[frame.joints[j].v],
                  rounding * data.tau.cwiseAbs().maxCoeff())
          << seed << " " << j;
  }
}

// A branched chain of so many rods about x, y, z.
std::vector<RecoveryLink> many_links(int count) {
  Random random(7);
  std::vector<RecoveryLink> links(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    RecoveryLink& link = links[static_cast<size_t>(i)];
    link.parent = i == 0 ? -1 : i % 5 == 4 ? i - 3 : i - 1;
    link.start = random.vector3(1);
    link.span = random.vector3(1);
    add_rod(1, 0.1, {random.vector3(1), random.vector3(1), random.vector3(1)}, link);
  }
  return links;
}

// Law: the same bytes for any number of threads.
TEST(TorqueRecovery, Threads_give_the_same_bytes) {
  const auto links = many_links(3000);
  std::vector<JointLoad> one, other;
  recover_torques(links, 1, one);
  for (const int threads : {2, 3, 7}) {
    recover_torques(links, threads, other);
    for (size_t i = 0; i < links.size(); ++i) {
      ASSERT_EQ(one[i].force, other[i].force) << threads;
      ASSERT_EQ(one[i].moment, other[i].moment) << threads;
    }
  }
}

}  // namespace
}  // namespace tauflex

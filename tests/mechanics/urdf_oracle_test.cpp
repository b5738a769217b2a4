// Oracles: the URDF readers of DART and MuJoCo, on random files. Their torques are compared with
// those of tauflex's own reader, joint by joint.
#include <gtest/gtest.h>

#include <dart/dynamics/Skeleton.hpp>
#include <dart/utils/urdf/DartLoader.hpp>
#include <map>

#include "math/random.hpp"
#include "mechanics/comparison.hpp"
#include "mechanics/mujoco_urdf.hpp"
#include "mechanics/random_urdf.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/model/urdf_file.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

class UrdfOracle : public ::testing::TestWithParam<unsigned> {
 protected:
  UrdfOracle()
      : text(random_urdf(GetParam())),
        robot(read_urdf(folder.write("random.urdf", text))),
        data(robot) {
    joints = robot.coordinates().names;
    Random random(1000 + GetParam());
    q = random.vector(robot.nq(), 3);
    v = random.vector(robot.nv(), 2);
    vdot = random.vector(robot.nv(), 5);
    inverse_dynamics<double>(robot, data, q, v, vdot);
  }

  TemporaryFolder folder;
  std::string text;
  Robot robot;
  MechanicsData data;
  std::vector<std::string> joints;  // per coordinate
  Vector q, v, vdot;
};

TEST_P(UrdfOracle, OfDartAgreesOnTorques) {
  dart::utils::DartLoader::Options options;
  options.mDefaultRootJointType = dart::utils::DartLoader::RootJointType::FIXED;
  constexpr double nothing = 1e-15;  // DART's own default is 1 kg, and it warns of 0
  options.mDefaultInertia =
      dart::dynamics::Inertia(nothing, Vector3::Zero(), nothing * Matrix3::Identity());
  dart::utils::DartLoader loader(options);
  const auto skeleton = loader.parseSkeleton("file://" + (folder.path() / "random.urdf").string());
  ASSERT_TRUE(skeleton);
  ASSERT_EQ(skeleton->getNumDofs(), joints.size());
  skeleton->setGravity(robot.gravity());
  for (size_t k = 0; k < joints.size(); ++k) {
    auto* joint = skeleton->getJoint(joints[k]);
    const auto i = static_cast<Eigen::Index>(k);
    joint->setPosition(0, q[i]);
    joint->setVelocity(0, v[i]);
    joint->setAcceleration(0, vdot[i]);
  }
  skeleton->computeInverseDynamics();
  Vector tau(robot.nv());
  for (size_t k = 0; k < joints.size(); ++k)
    tau[static_cast<Eigen::Index>(k)] = skeleton->getJoint(joints[k])->getForce(0);
  EXPECT_LT(relative_difference(data.tau, tau), 1e-12);  // measured 4e-15, rounding
}

// MuJoCo turns every inertia to its principal axes, and stops when the cosine of a turn is within
// 1e-12 of 1: angles of 1e-6 stay. Measured: 6e-8, and 3e-15 where the axes are principal already.
TEST_P(UrdfOracle, OfMujocoAgreesOnTorques) {
  MujocoUrdf oracle(text);
  ASSERT_EQ(static_cast<size_t>(oracle.nv()), joints.size());
  std::vector<int> at;
  for (const std::string& joint : joints) at.push_back(oracle.velocity(joint));
  std::map<std::string, double> damping;
  for (const Link& link : robot.description().links)
    if (link.spring) damping[link.joint.name] = link.spring->damping;
  Vector q_of(robot.nq()), v_of(robot.nv()), vdot_of(robot.nv());
  for (size_t k = 0; k < joints.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    EXPECT_EQ(oracle.damping(at[k]), damping.at(joints[k]));
    q_of[at[k]] = q[i];
    v_of[at[k]] = v[i];
    vdot_of[at[k]] = vdot[i];
  }
  const Vector tau = oracle.torques(q_of, v_of, vdot_of)(at);
  EXPECT_LT(relative_difference(data.tau, tau), has_principal_axes(GetParam()) ? 1e-12 : 1e-7);
}

// What is no part of the mechanics changes nothing: the torques are those of the plain file, which
// the two oracles above have checked.
TEST_P(UrdfOracle, AgreesOnFilesAsTheyAreInTheWorld) {
  const Robot nasty(read_urdf(folder.write("nasty.urdf", made_nasty(text, GetParam()))));
  ASSERT_EQ(nasty.nv(), robot.nv());
  MechanicsData other(nasty);
  std::vector<int> at;
  for (const std::string& joint : joints)
    at.push_back(nasty.coordinates().find("my_joint_" + joint.substr(5)));
  Vector q_of(nasty.nq()), v_of(nasty.nv()), vdot_of(nasty.nv());
  q_of(at) = q;
  v_of(at) = v;
  vdot_of(at) = vdot;
  inverse_dynamics<double>(nasty, other, q_of, v_of, vdot_of);
  EXPECT_LT(relative_difference(data.tau, Vector(other.tau(at))), 1e-14);  // rounding
  EXPECT_GE(nasty.description().notes.size(), 4u);
}

INSTANTIATE_TEST_SUITE_P(RandomFiles, UrdfOracle, ::testing::Range(0u, 30u));

}  // namespace
}  // namespace tauflex

// Oracles: the URDF readers of DART and MuJoCo, on random files. Their torques are compared with
// those of tauflex's own reader, joint by joint.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cstring>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/utils/urdf/DartLoader.hpp>

#include "math/random.hpp"
#include "mechanics/comparison.hpp"
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
    for (const std::string& name : robot.coordinates().names) {
      const int link = robot.tree().find_link(name);
      joints.push_back(robot.description().links[static_cast<size_t>(link)].joint.name);
    }
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
  std::string xml = text;
  xml.insert(xml.find('>') + 1,
             "<mujoco><compiler fusestatic=\"false\" balanceinertia=\"false\" strippath=\"false\" "
             "inertiafromgeom=\"false\"/></mujoco>");
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "random.urdf", static_cast<int>(xml.size()));
  std::memcpy(files->filedata[0], xml.data(), xml.size());
  char message[1000] = "";
  const std::unique_ptr<mjModel, void (*)(mjModel*)> model(
      mj_loadXML("random.urdf", files.get(), message, sizeof message), mj_deleteModel);
  mj_deleteVFS(files.get());
  ASSERT_TRUE(model) << message;
  ASSERT_EQ(static_cast<size_t>(model->nv), joints.size());
  const std::unique_ptr<mjData, void (*)(mjData*)> state(mj_makeData(model.get()), mj_deleteData);
  std::vector<int> dof;
  for (size_t k = 0; k < joints.size(); ++k) {
    dof.push_back(model->jnt_dofadr[mj_name2id(model.get(), mjOBJ_JOINT, joints[k].c_str())]);
    const auto i = static_cast<Eigen::Index>(k);
    const Link& link =
        robot.description()
            .links[static_cast<size_t>(robot.tree().find_link(robot.coordinates().names[k]))];
    EXPECT_EQ(model->dof_damping[dof[k]], link.spring->damping);
    state->qpos[dof[k]] = q[i];
    state->qvel[dof[k]] = v[i];
    state->qacc[dof[k]] = vdot[i];
  }
  mj_kinematics(model.get(), state.get());
  mj_comPos(model.get(), state.get());
  mj_comVel(model.get(), state.get());
  Vector all(model->nv), tau(model->nv);
  mj_rne(model.get(), state.get(), 1, all.data());
  for (size_t k = 0; k < joints.size(); ++k) tau[static_cast<Eigen::Index>(k)] = all[dof[k]];
  EXPECT_LT(relative_difference(data.tau, tau), has_principal_axes(GetParam()) ? 1e-12 : 1e-7);
}

INSTANTIATE_TEST_SUITE_P(RandomFiles, UrdfOracle, ::testing::Range(0u, 30u));

}  // namespace
}  // namespace tauflex

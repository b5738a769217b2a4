// Closed form: every element of a URDF file and what it becomes.
#include <gtest/gtest.h>

#include <map>

#include "model/sample_urdf.hpp"
#include "tauflex/model/robot.hpp"
#include "tauflex/model/urdf_file.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class Sample : public ::testing::Test {
 protected:
  Sample() {
    folder.write("meshes/upper.stl", "solid upper\nendsolid upper\n");
    robot = read_urdf(folder.write("arm.urdf", sample_urdf));
    for (const Link& link : robot.links) links[link.name] = link;
  }
  TemporaryFolder folder;
  RobotDescription robot;
  std::map<std::string, Link> links;
};

TEST_F(Sample, HasTheLinksOfTheFileInItsOrder) {
  std::vector<std::string> names;
  for (const Link& link : robot.links) names.push_back(link.name);
  EXPECT_EQ(names, (std::vector<std::string>{"base", "upper", "slider", "left", "right", "camera",
                                             "cart", "bird"}));
  EXPECT_EQ(robot.gravity, Vector3(0, 0, -9.81));
  EXPECT_EQ(folder.relative(links["upper"].where), "arm.urdf:17: link upper");
  EXPECT_NO_THROW(Robot{robot});
}

TEST_F(Sample, FixesItsRootToTheWorld) {
  EXPECT_EQ(links["base"].joint.type, JointType::fixed);
  EXPECT_EQ(links["base"].joint.parent, "world");
  EXPECT_EQ(links["base"].joint.name, "");
  EXPECT_EQ(links["base"].joint.X_PJ.R, Matrix3::Identity());
  EXPECT_EQ(links["base"].joint.X_PJ.p, Vector3::Zero());
}

TEST_F(Sample, TurnsInertiasIntoLinkAxes) {
  const LinkInertia& inertia = links["upper"].inertia;
  EXPECT_EQ(inertia.mass, 2);
  EXPECT_EQ(inertia.com, Vector3(0.2, 0, 0.1));
  EXPECT_EQ(inertia.given, (std::array<bool, 6>{true, true, true, true, true, true}));
  Matrix3 expected;                  // x of the inertial frame is y of the link, y is -x
  expected << 0.02, -0.001, -0.003,  //
      -0.001, 0.01, 0.002,           //
      -0.003, 0.002, 0.025;
  EXPECT_LT((inertia.about_com - expected).norm(), 1e-17);  // rounding of cos(pi/2)
  EXPECT_EQ(inertia.about_com, inertia.about_com.transpose());
  EXPECT_EQ(links["slider"].inertia.mass, 0);
  EXPECT_FALSE(links["slider"].inertia.given[0]);
}

TEST_F(Sample, ReadsARevoluteJoint) {
  const Joint& joint = links["upper"].joint;
  EXPECT_EQ(joint.name, "shoulder");
  EXPECT_EQ(joint.parent, "base");
  EXPECT_EQ(joint.type, JointType::revolute);
  EXPECT_EQ(joint.X_PJ.p, Vector3(0, 0, 0.1));
  EXPECT_EQ(joint.X_PJ.R, rotation_from_rpy({0.1, 0.2, 0.3}));
  EXPECT_EQ(joint.axis, Vector3::UnitY());
  EXPECT_EQ(joint.lowest, -1.5);
  EXPECT_EQ(joint.highest, 2);
  EXPECT_EQ(joint.effort, 80);
  EXPECT_EQ(joint.velocity, 3);
  ASSERT_TRUE(links["upper"].spring);
  EXPECT_EQ(links["upper"].spring->stiffness, 0);
  EXPECT_EQ(links["upper"].spring->damping, 0.7);
  EXPECT_FALSE(links["upper"].drive);
}

TEST_F(Sample, ReadsOtherJoints) {
  const Joint& slide = links["slider"].joint;
  EXPECT_EQ(slide.type, JointType::prismatic);
  EXPECT_EQ(slide.axis, Vector3::UnitX());  // URDF's default
  EXPECT_EQ(slide.lowest, 0);
  EXPECT_EQ(slide.highest, 0.3);
  EXPECT_EQ(slide.effort, infinity);
  EXPECT_FALSE(links["slider"].spring);
  const Joint& continuous = links["left"].joint;
  EXPECT_EQ(continuous.type, JointType::revolute);
  EXPECT_EQ(continuous.lowest, -infinity);
  EXPECT_EQ(continuous.highest, infinity);
  EXPECT_EQ(continuous.effort, 5);
  EXPECT_EQ(links["camera"].joint.type, JointType::fixed);
  EXPECT_EQ(links["cart"].joint.type, JointType::compound);
  EXPECT_EQ(links["cart"].joint.free, (std::array<bool, 6>{true, false, true, false, true, false}));
  EXPECT_EQ(links["bird"].joint.type, JointType::floating);
}

TEST_F(Sample, MakesARelationOfMimic) {
  ASSERT_EQ(robot.constraints.size(), 1u);
  EXPECT_EQ(robot.constraints[0].name, "mimic_finger_right");
  const Relation& relation = std::get<Relation>(robot.constraints[0].rule);
  EXPECT_EQ(relation.value, 0.1);  // right + left = 0.1
  EXPECT_EQ(relation.joints, (std::vector<std::pair<std::string, double>>{{"finger_right", 1.0},
                                                                          {"finger_left", 1.0}}));
}

TEST_F(Sample, KeepsVisuals) {
  ASSERT_EQ(links["base"].visuals.size(), 1u);
  EXPECT_EQ(std::get<Cylinder>(links["base"].visuals[0].shape).radius, 0.1);
  EXPECT_EQ(std::get<Cylinder>(links["base"].visuals[0].shape).length, 0.1);
  EXPECT_EQ(links["base"].visuals[0].X_LV.p, Vector3(0, 0, 0.05));
  ASSERT_EQ(links["upper"].visuals.size(), 3u);
  EXPECT_EQ(std::get<Box>(links["upper"].visuals[0].shape).size, Vector3(0.4, 0.05, 0.05));
  EXPECT_EQ(std::get<Sphere>(links["upper"].visuals[1].shape).radius, 0.06);
  const Mesh& mesh = std::get<Mesh>(links["upper"].visuals[2].shape);
  EXPECT_EQ(mesh.path, std::filesystem::canonical(folder.path() / "meshes/upper.stl"));
  EXPECT_EQ(mesh.scale, Vector3(0.001, 0.001, -0.001));
}

RobotDescription read(const std::string& body) {
  const TemporaryFolder folder;
  return read_urdf(folder.write("arm.urdf", "<robot name=\"r\">" + body + "</robot>"));
}

std::string joint(const std::string& parent, const std::string& child, const std::string& more,
                  const std::string& type = "revolute") {
  return "<joint name=\"to_" + child + "\" type=\"" + type + "\"><parent link=\"" + parent +
         "\"/><child link=\"" + child + "\"/>" + more + "</joint>";
}

TEST(Urdf, RootWithoutMassAndVisualsIsTheWorld) {
  const auto robot = read("<link name='a'/><link name='b'/><link name='c'/>" + joint("b", "c", "") +
                          joint("a", "b", ""));
  ASSERT_EQ(robot.links.size(), 2u);
  EXPECT_EQ(robot.links[0].joint.parent, "world");
  EXPECT_EQ(robot.links[1].joint.parent, "b");
  ASSERT_EQ(robot.frames.size(), 1u);  // its name stays known
  EXPECT_EQ(robot.frames[0].name, "a");
  EXPECT_EQ(robot.frames[0].link, "world");
  EXPECT_TRUE(
      read("<link name='world'/><link name='b'/>" + joint("world", "b", "")).frames.empty());
  // visuals alone make a link of it
  const std::string ball = "<visual><geometry><sphere radius='1'/></geometry></visual>";
  EXPECT_EQ(read("<link name='a'>" + ball + "</link>").links.size(), 1u);
}

TEST(Urdf, PlanarJointsMoveInThePlaneAndTurnAboutItsNormal) {
  const std::map<std::string, std::array<bool, 6>> expected = {
      {"1 0 0", {false, true, true, true, false, false}},
      {"0 3 0", {true, false, true, false, true, false}},
      {"0 0 1", {true, true, false, false, false, true}}};
  for (const auto& [axis, free] : expected)
    EXPECT_EQ(read("<link name='a'/><link name='b'/>" +
                   joint("a", "b", "<axis xyz='" + axis + "'/>", "planar"))
                  .links[0]
                  .joint.free,
              free);
}

TEST(Urdf, ReadsSphericalJointsOfSimulators) {
  EXPECT_EQ(read("<link name='a'/><link name='b'/>" + joint("a", "b", "", "spherical"))
                .links[0]
                .joint.type,
            JointType::spherical);
}

TEST(Urdf, MimicOfAFixedJointOrOfNothingHoldsAJoint) {
  const auto fixed =
      read("<link name='a'/><link name='b'/><link name='c'/>" + joint("a", "b", "", "fixed") +
           joint("a", "c", "<mimic joint='to_b' multiplier='3' offset='2'/>"));
  EXPECT_EQ(std::get<Relation>(fixed.constraints[0].rule).joints,
            (std::vector<std::pair<std::string, double>>{{"to_c", 1.0}}));
  const auto robot = read("<link name='a'/><link name='b'/><link name='c'/>" + joint("a", "b", "") +
                          joint("a", "c", "<mimic joint='to_b' multiplier='0' offset='2'/>"));
  const Relation& relation = std::get<Relation>(robot.constraints[0].rule);
  EXPECT_EQ(relation.joints, (std::vector<std::pair<std::string, double>>{{"to_c", 1.0}}));
  EXPECT_EQ(relation.value, 2);
}

TEST(Urdf, ALimitWithoutRangeIsNoRange) {
  const Joint unlimited =
      read("<link name='a'/><link name='b'/>" + joint("a", "b", "<limit effort='1' velocity='0'/>"))
          .links[0]
          .joint;
  EXPECT_EQ(unlimited.lowest, -infinity);
  EXPECT_EQ(unlimited.highest, infinity);
  EXPECT_EQ(unlimited.velocity, 0);
}

TEST(Urdf, FindsMeshesOfPackages) {
  const TemporaryFolder folder;
  folder.write("meshes/a.STL", "");
  folder.write("other/meshes/b.stl", "");
  const auto shape = [&](const std::string& name) {
    const auto robot = read_urdf(folder.write(
        "arm.urdf", "<robot name='r'><link name='a'><visual><geometry><mesh filename='" + name +
                        "'/></geometry></visual></link></robot>"));
    return folder.relative(std::get<Mesh>(robot.links[0].visuals[0].shape).path.string());
  };
  EXPECT_EQ(shape("package://arm/meshes/a.STL"), "meshes/a.STL");
  EXPECT_EQ(shape("package://other/meshes/b.stl"), "other/meshes/b.stl");
  EXPECT_EQ(shape("other/../meshes/a.STL"), "meshes/a.STL");
}

}  // namespace
}  // namespace tauflex

// Closed form: the nearest inertia that a body can have; point masses; joints that move no mass.
#include "tauflex/model/inertia.hpp"

#include <gtest/gtest.h>

#include "math/random.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/model/robot.hpp"
#include "tauflex/model/robot_file.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

Matrix3 diagonal(double x, double y, double z) { return Vector3(x, y, z).asDiagonal(); }

TEST(Inertia, FaultsAreRoundingOrReal) {
  EXPECT_FALSE(inertia_fault(diagonal(1, 2, 3)));
  EXPECT_FALSE(inertia_fault(Matrix3::Zero()));
  EXPECT_FALSE(inertia_fault(diagonal(1, 1, 2 + 1e-10)));
  EXPECT_TRUE(inertia_fault(diagonal(0.0123, 0.0124, 0.0248))->is_rounding);
  EXPECT_TRUE(inertia_fault(diagonal(-1e-23, 1e-22, 1e-22))->is_rounding);
  EXPECT_FALSE(inertia_fault(diagonal(1, 1, 2.1))->is_rounding);
  EXPECT_FALSE(inertia_fault(diagonal(-0.1, 1, 1))->is_rounding);
  EXPECT_EQ(inertia_fault(diagonal(1, 1, 3))->moments, Vector3(1, 1, 3));
}

// By hand: the distance from (1, 1, 3) to the plane I_1 + I_2 = I_3 is 1/sqrt(3).
TEST(Inertia, NearestIsAProjection) {
  const double tolerance = 1e-14;  // rounding of numbers of size 1
  EXPECT_LT((nearest_inertia(diagonal(1, 1, 3)) - diagonal(4. / 3, 4. / 3, 8. / 3)).norm(),
            tolerance);
  EXPECT_LT((nearest_inertia(diagonal(1, 2, 3)) - diagonal(1, 2, 3)).norm(), tolerance);
  EXPECT_LT((nearest_inertia(diagonal(-1, 1, 1)) - diagonal(0, 1, 1)).norm(), tolerance);
  EXPECT_LT(nearest_inertia(diagonal(-1, -1, -1)).norm(), tolerance);
}

// Law: possible, and no possible tensor in its neighbourhood is nearer.
TEST(Inertia, NearestOfRandomTensors) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Matrix3 R = random.rotation();
    const Matrix3 I = R * random.vector3(1).asDiagonal() * R.transpose();
    const Matrix3 nearest = nearest_inertia(I);
    const auto is_possible = [](const Matrix3& tensor) {
      const Vector3 m = symmetric_eigenvalues(tensor);
      return m[0] >= -1e-12 && m[0] + m[1] >= m[2] - 1e-12;  // rounding of numbers of size 1
    };
    EXPECT_TRUE(is_possible(nearest)) << seed;
    for (int k = 0; k < 30; ++k) {
      Matrix3 step = 0.1 * random.rotation() * random.vector3(1).asDiagonal();
      const Matrix3 other = nearest + 0.5 * (step + step.transpose());
      if (is_possible(other)) EXPECT_GE((other - I).norm(), (nearest - I).norm() - 1e-12) << seed;
    }
  }
}

RobotDescription read(const std::string& robot) {
  return read_robot(Node::read_text(robot, "job.yaml"));
}

std::string message(const std::string& robot) {
  try {
    const Robot compiled(read(robot));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

const std::string revolute =
    "links:\n- {name: arm, joint: {parent: world, type: revolute, axis: y}, ";

TEST(RobotFileInertia, ProductsAreZeroBesideAllMoments) {
  const Link link = read(revolute + "mass: 1, inertia: {xx: 1, yy: 1, zz: 1, xz: 0.1}}").links[0];
  EXPECT_EQ(link.inertia.given, (std::array<bool, 6>{true, true, true, true, true, true}));
  EXPECT_EQ(message("links:\n- {name: arm, joint: {parent: world, type: spherical}, mass: 1, "
                    "inertia: {xx: 1, yy: 1, zz: 1, xz: 0.1}}"),
            "no error");  // it was "inertia xy is not given"
}

TEST(RobotFileInertia, ImpossibleOnesAreErrorsOrNearest) {
  const std::string impossible = "mass: 1, inertia: {xx: 1, yy: 1, zz: 3}}\n";
  EXPECT_EQ(message(revolute + impossible),
            "job.yaml:2: links.arm: no body has this inertia: its principal moments are 1, 1 and 3 "
            "kg m^2, and none may exceed the sum of the two others; correct it, or write inertia: "
            "nearest beside urdf or links for the nearest possible one (tauflex pose: --set "
            "inertia=nearest)");
  const RobotDescription robot = read(revolute + impossible + "inertia: nearest");
  EXPECT_LT((robot.links[0].inertia.about_com - diagonal(4. / 3, 4. / 3, 8. / 3)).norm(), 1e-14);
  EXPECT_EQ(robot.notes.at(0),
            "job.yaml:2: links.arm: no body has this inertia: its principal moments are 1, 1 and 3 "
            "kg m^2, and none may exceed the sum of the two others; the nearest possible ones were "
            "taken, 1.333, 1.333 and 2.667 kg m^2");
  EXPECT_NO_THROW(Robot{robot});
  EXPECT_EQ(message(revolute + impossible + "inertia: best"),
            "job.yaml:3: inertia: expected nearest; the inertia of a link stands in its own entry");
}

TEST(RobotFileInertia, ALinkThatMovesHasAMass) {
  EXPECT_EQ(
      message(revolute + "com: [1, 0, 0]}"),
      "job.yaml:2: links.arm: the link moves and has no mass; give its mass, or mass: 0 if it "
      "shall have none");
  EXPECT_EQ(message(revolute + "mass: 0}"), "no error");
  EXPECT_EQ(message("links:\n- {name: arm, joint: {parent: world, type: fixed}}"), "no error");
}

TEST(RobotFileInertia, PointMassesNeedNoZeros) {
  const RobotDescription robot = read(revolute + "mass: 1, com: [1, 0, 0]}");
  EXPECT_EQ(robot.links[0].inertia.about_com, Matrix3::Zero());
  EXPECT_EQ(robot.notes.at(0), "taken as point mass at com, as no inertia is given: link arm");
  EXPECT_NO_THROW(Robot{robot});
  // on its own axis it resists nothing: the inertia has to be given
  EXPECT_EQ(
      message(revolute + "mass: 1, com: [0, 1, 0]}"),
      "job.yaml:2: links.arm: inertia yy is not given, but the joints turn link 'arm' about its "
      "y axis");
  EXPECT_NE(message("links:\n- {name: arm, joint: {parent: world, type: spherical}, mass: 1, com: "
                    "[1, 0, 0]}"),
            "no error");
  EXPECT_NE(message("links:\n- {name: arm, joint: {parent: world, type: [x, z, ry]}, mass: 1, com: "
                    "[1, 0, 0]}"),
            "no error");
  // what never turns needs no inertia and no note
  EXPECT_TRUE(
      read("links:\n- {name: arm, joint: {parent: world, type: prismatic, axis: x}, mass: 1}")
          .notes.empty());
}

constexpr const char* gripper = R"(<robot name="r"><link name="base"/>
  <link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="left"/><link name="right"/><link name="pad"/>
  <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/></joint>
  <joint name="grip" type="prismatic"><parent link="arm"/><child link="left"/>
    <dynamics damping="2"/></joint>
  <joint name="mirror" type="prismatic"><parent link="arm"/><child link="right"/>
    <mimic joint="grip"/></joint>
  <joint name="glue" type="fixed"><parent link="left"/><child link="pad"/></joint>
</robot>)";

TEST(UrdfMassless, JointsThatMoveNoMassAreHeld) {
  const auto read_with = [](const std::string& links) {
    const TemporaryFolder folder;
    folder.write("arm.urdf", gripper);
    return read_robot(Node::read_text("{urdf: arm.urdf, elastic: {links: {" + links + "}}}",
                                      folder.path() / "job.yaml"));
  };
  const RobotDescription held = read_with("");
  EXPECT_EQ(Robot(held).coordinates().names, (std::vector<std::string>{"turn"}));
  EXPECT_TRUE(held.constraints.empty());
  EXPECT_EQ(held.notes.at(0),
            "joints that move no mass are held at 0, as no force depends on them: grip, mirror; to "
            "move them, give their links mass and inertia or a rigid drive with a rotor_inertia");
  // with a mass, a drive or a spring the user wants it to move, and what follows it
  for (const char* links : {"pad: {mass: 0.1}", "grip: {drive: {rotor_inertia: 1}}",
                            "left: {spring: {stiffness: 1}}"}) {
    const RobotDescription moving = read_with(links);
    EXPECT_EQ(Robot(moving).coordinates().names,
              (std::vector<std::string>{"turn", "grip", "mirror"}))
        << links;
    EXPECT_EQ(moving.constraints.size(), 1u);
  }
}

// Two links that carry each other are named as a cycle, whatever their inertia is.
TEST(Inertia, of_links_in_a_cycle_is_no_endless_question) {
  RobotDescription robot;
  for (const auto& [name, parent] : {std::pair("a", "b"), std::pair("b", "a")}) {
    Link link;
    link.name = name;
    link.joint.parent = parent;
    link.joint.type = JointType::fixed;
    link.inertia.mass = 1;
    link.inertia.about_com = Vector3(1, 1, 5).asDiagonal();
    link.inertia.given.fill(true);
    robot.links.push_back(link);
  }
  EXPECT_THROW(settle_inertias(robot); Robot{robot}, InputError);
}

}  // namespace
}  // namespace tauflex

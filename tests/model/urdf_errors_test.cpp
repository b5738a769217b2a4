// Error messages: every rule of links and joints in URDF files, each broken once.
#include <gtest/gtest.h>

#include "model/urdf_message.hpp"

namespace tauflex {
namespace {

// Of a robot whose second line is `body`.
std::string message_of(const std::string& body) {
  return urdf_message("<robot name='r'>\n" + body + "\n</robot>\n");
}

// Of a link with these elements.
std::string message_of_link(const std::string& elements) {
  return message_of("<link name='hand'>" + elements + "</link>");
}

// Of a joint between two links; its elements stand in line 3.
std::string message_of_joint(const std::string& elements, const std::string& type = "revolute") {
  return message_of("<link name='a'/><link name='b'/><joint name='j' type='" + type +
                    "'><parent link='a'/><child link='b'/>\n" + elements + "</joint>");
}

TEST(UrdfErrors, OfWordsThatMayBeMisspelt) {
  EXPECT_EQ(message_of("<lnik name='a'/>"),
            "arm.urdf:2: robot r: unknown element 'lnik'; did you mean 'link'?");
  EXPECT_EQ(message_of_link("<inertail/>"),
            "arm.urdf:2: link hand: unknown element 'inertail'; did you mean 'inertial'?");
  EXPECT_EQ(message_of("<link nmae='a'/>"),
            "arm.urdf:2: link: unknown attribute 'nmae'; did you mean 'name'?");
  EXPECT_EQ(message_of_joint("<origin rpy='0 0 0'\nxzy='0 0 0'/>"),
            "arm.urdf:4: joint j: origin: unknown attribute 'xzy'; did you mean 'xyz'?");
  // each a word of the mechanics with a slip, small or capital letters
  EXPECT_EQ(message_of_link("<inertial><mas value='1'/></inertial>"),
            "arm.urdf:2: link hand: inertial: unknown element 'mas'; did you mean 'mass'?");
  EXPECT_EQ(message_of_link("<inertia ixx='1'/>"),
            "arm.urdf:2: link hand: unknown element 'inertia'; did you mean 'inertial'?");
  EXPECT_EQ(message_of_link("<Inertial/>"),
            "arm.urdf:2: link hand: unknown element 'Inertial'; did you mean 'inertial'?");
  EXPECT_EQ(message_of_joint("<dynamics dampnig='1'/>"),
            "arm.urdf:3: joint j: dynamics: unknown attribute 'dampnig'; did you mean 'damping'?");
  EXPECT_EQ(message_of_joint("<limits lower='1'/>"),
            "arm.urdf:3: joint j: unknown element 'limits'; did you mean 'limit'?");
  EXPECT_EQ(message_of_link("<inertial/><inertial/>"),
            "arm.urdf:2: link hand: inertial: stands here twice");
  EXPECT_EQ(message_of_joint("<axis xyz='1 0 0'/><axis xyz='1 0 0'/>"),
            "arm.urdf:3: joint j: axis: stands here twice");
}

TEST(UrdfErrors, OfInertias) {
  const std::string mass = "<mass value='1'/>";
  const std::string tensor = "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>";
  const auto inertial = [](const std::string& elements) {
    return message_of_link("<inertial>" + elements + "</inertial>");
  };
  EXPECT_EQ(inertial(mass + tensor), "no error");
  EXPECT_EQ(inertial(tensor), "arm.urdf:2: link hand: inertial: element 'mass' is missing");
  EXPECT_EQ(inertial("<mass/>" + tensor),
            "arm.urdf:2: link hand: mass: attribute 'value' is missing");
  EXPECT_EQ(inertial("<mass value='abc'/>" + tensor),
            "arm.urdf:2: link hand: mass: value: expected a finite number, got 'abc'");
  for (const char* wrong : {"inf", "nan", "1e999", "1,5", "0x10", "1 2", " "})
    EXPECT_EQ(inertial("<mass value='" + std::string(wrong) + "'/>" + tensor),
              "arm.urdf:2: link hand: mass: value: expected a finite number, got '" +
                  std::string(wrong) + "'");
  EXPECT_EQ(inertial("<mass value=''/>" + tensor),
            "arm.urdf:2: link hand: mass: value: must not be empty");
  EXPECT_EQ(inertial("<mass value='-1'/>" + tensor),
            "arm.urdf:2: link hand: mass: value: must not be negative, got -1");
  EXPECT_EQ(inertial(mass + "<inertia ixx='1' iyy='1'/>"),
            "arm.urdf:2: link hand: inertia: attribute 'izz' is missing");
  EXPECT_EQ(inertial("<origin xyz='1 2'/>" + mass + tensor),
            "arm.urdf:2: link hand: origin: xyz: expected 3 finite numbers, got '1 2'");
  EXPECT_EQ(inertial("<origin rpy='1 2 3 4'/>" + mass + tensor),
            "arm.urdf:2: link hand: origin: rpy: expected 3 finite numbers, got '1 2 3 4'");
}

TEST(UrdfErrors, OfJoints) {
  EXPECT_EQ(message_of_joint(""), "no error");
  EXPECT_EQ(message_of_joint("", "revolut"),
            "arm.urdf:2: joint j: type: 'revolut' is not a joint type; did you mean 'revolute'?; "
            "there are fixed, revolute, continuous, prismatic, floating, planar, spherical");
  EXPECT_EQ(message_of_joint("<axis xyz='0 0 0'/>"),
            "arm.urdf:3: joint j: axis: xyz: must not be zero, got '0 0 0'");
  EXPECT_EQ(message_of_joint("<limit lower='0'\nupper='x'/>"),  // the line of the attribute
            "arm.urdf:4: joint j: limit: upper: expected a finite number, got 'x'");
  EXPECT_EQ(message_of_joint("<limit velocity='fast'/>"),
            "arm.urdf:3: joint j: limit: velocity: expected a finite number, got 'fast'");
  EXPECT_EQ(message_of_joint("<dynamics damping='-2'/>"),
            "arm.urdf:3: joint j: dynamics: damping: must not be negative, got -2");
  EXPECT_EQ(message_of_joint("<origin quat='0 0 0 1'/>"),
            "arm.urdf:3: joint j: origin: quat: write it as rpy, or as quat_xyzw");
  EXPECT_EQ(message_of_joint("<origin rpy='0 0 0' quat_xyzw='0 0 0 1'/>"),
            "arm.urdf:3: joint j: origin: quat_xyzw: cannot be given together with rpy");
  EXPECT_EQ(message_of_joint("<origin quat_xyzw='0 0 0 0'/>"),
            "arm.urdf:3: joint j: origin: quat_xyzw: must not be zero");
  EXPECT_EQ(message_of_joint("<origin xyz='${a} 0 0'/>"),
            "arm.urdf:3: joint j: origin: xyz: expected 3 finite numbers, got '${a} 0 0'; xacro "
            "computes that: expand the file with it first");
  EXPECT_EQ(message_of_joint("<dynamics damping='2'/>", "fixed"), "no error");
  EXPECT_EQ(message_of("<link name='a'/><joint name='j' type='fixed'><child link='a'/></joint>"),
            "arm.urdf:2: joint j: element 'parent' is missing");
  EXPECT_EQ(message_of("<link name='a'/><joint name='j' type='fixed'><parent/></joint>"),
            "arm.urdf:2: joint j: parent: attribute 'link' is missing");
}

TEST(UrdfErrors, OfMimic) {
  EXPECT_EQ(message_of_joint("<mimic joint='k'/>"),
            "arm.urdf:3: joint j: mimic: joint: there is no joint 'k'");
  EXPECT_EQ(message_of_joint("<mimic joint='j'/>"),
            "arm.urdf:3: joint j: mimic: joint: a joint cannot follow itself");
  EXPECT_EQ(message_of_joint("<mimic joint='j'/>", "floating"),
            "arm.urdf:3: joint j: mimic: a floating joint cannot follow another");
  EXPECT_EQ(message_of_joint("<mimic joint='j' multiplier='x'/>"),
            "arm.urdf:3: joint j: mimic: multiplier: expected a finite number, got 'x'");
  EXPECT_EQ(message_of_joint("</joint><link name='c'/><joint name='k' type='prismatic'><parent "
                             "link='a'/><child link='c'/><mimic joint='j'/>",
                             "planar"),
            "arm.urdf:3: joint k: mimic: joint: a joint cannot follow the planar joint 'j'");
}

TEST(UrdfErrors, OfNames) {
  EXPECT_EQ(message_of("<link/>"), "arm.urdf:2: link: attribute 'name' is missing");
  EXPECT_EQ(message_of("<link name=''/>"), "arm.urdf:2: link: name: must not be empty");
  EXPECT_EQ(message_of("<link name='a'/>\n<link name='a'/>"),
            "arm.urdf:3: link a: there is another link of this name, in line 2");
  EXPECT_EQ(message_of_joint("</joint><joint name='j' type='fixed'><parent link='a'/><child "
                             "link='b'/>"),
            "arm.urdf:3: joint j: there is another joint of this name, in line 2");
}

TEST(UrdfErrors, OfOtherFormats) {
  EXPECT_EQ(urdf_message("<sdf version='1.6'/>"),
            "arm.urdf:1: sdf: this is an SDF file; convert it to URDF, for example with "
            "sdformat_urdf of ROS 2");
  EXPECT_EQ(urdf_message("<mujoco model='a'/>"),
            "arm.urdf:1: mujoco: this is an MJCF file of MuJoCo; convert it to URDF, for example "
            "with the Python package mjcf-urdf-simple-converter");
  EXPECT_EQ(urdf_message("<svg/>"), "arm.urdf:1: svg: expected a robot, got 'svg'");
  EXPECT_EQ(message_of("<xacro:property name='a' value='1'/>"),
            "arm.urdf:2: xacro:property a: this is a xacro file; expand it first: xacro arm.urdf > "
            "arm_expanded.urdf (xacro comes with ROS, or by pip install xacro)");
  // what xacro leaves in a file is taken only where nothing of it is used
  const std::string xacro =
      ": this is a xacro file; expand it first: xacro arm.urdf > arm_expanded.urdf (xacro comes "
      "with ROS, or by pip install xacro)";
  const std::string property = "<xacro:property name='a' value='1'/>", link = "<link name='a'/>";
  EXPECT_EQ(message_of(property + link), "no error");
  EXPECT_EQ(message_of("<xacro:arg name='a'/><xacro:macro name='b'/>" + link), "no error");
  EXPECT_EQ(message_of(property + "<link name='${a}b'/>"), "arm.urdf:2: xacro:property a" + xacro);
  EXPECT_EQ(message_of(property + "<link name='a'><inertial><mass value='$(arg m)'/></inertial>"
                                  "</link>"),
            "arm.urdf:2: xacro:property a" + xacro);
  EXPECT_EQ(message_of(property + "<link name='a'><visual><geometry><mesh filename='$(find b)'/>"
                                  "</geometry></visual></link>"),
            "no error");
  EXPECT_EQ(message_of("<xacro:macro name='b'/><xacro:b/>" + link), "arm.urdf:2: xacro:b" + xacro);
  EXPECT_EQ(message_of("<xacro:include filename='b'/><xacro:c/>" + link),
            "arm.urdf:2: xacro:c" + xacro);
  EXPECT_EQ(message_of(link + "<xacro:if value='1'/>"), "arm.urdf:2: xacro:if" + xacro);
  const TemporaryFolder folder;
  const auto path = folder.write(
      "arm.urdf.xacro", "<robot><link name='a'>\n<xacro:box_inertia m='1'/></link></robot>");
  try {
    read_urdf(path);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(folder.relative(error.what()),
              "arm.urdf.xacro:2: link a: xacro:box_inertia: this is a xacro file; expand it first: "
              "xacro arm.urdf.xacro > arm.urdf (xacro comes with ROS, or by pip install xacro)");
  }
}

TEST(UrdfErrors, OfTrees) {
  const auto joint = [](const std::string& name, const std::string& parent,
                        const std::string& child) {
    return "\n<joint name='" + name + "' type='fixed'><parent link='" + parent +
           "'/><child link='" + child + "'/></joint>";
  };
  const std::string links = "<link name='hand'/><link name='arm'/><link name='foot'/>";
  EXPECT_EQ(message_of(links + joint("j", "hand", "arm") + joint("k", "hand", "foot")), "no error");
  EXPECT_EQ(message_of(""), "arm.urdf:1: robot r: there are no links");
  EXPECT_EQ(message_of(joint("j", "a", "b")), "arm.urdf:1: robot r: there are no links");
  EXPECT_EQ(
      message_of("<drake:joint name='j' type='screw'/>"),
      "arm.urdf:2: drake:joint j: joints of extensions of URDF are not read; write it as a joint");
  EXPECT_EQ(message_of("<link name='a'/>"), "no error");
  EXPECT_EQ(message_of(links + joint("j", "hnad", "arm")),
            "arm.urdf:3: joint j: parent: link: there is no link 'hnad'; did you mean 'hand'?");
  EXPECT_EQ(message_of(links + joint("j", "hand", "elbow")),
            "arm.urdf:3: joint j: child: link: there is no link 'elbow'");
  EXPECT_EQ(
      message_of(links + joint("j", "hand", "foot") + joint("k", "arm", "foot")),
      "arm.urdf:4: joint k: child: link: 'foot' is already the child of joint 'j', in line 3");
  EXPECT_EQ(
      message_of(links + joint("j", "hand", "arm") + joint("k", "arm", "foot") +
                 joint("l", "foot", "hand")),
      "arm.urdf:2: link hand: the joints form a loop of parents: hand -> foot -> arm -> hand");
  EXPECT_EQ(message_of(links + joint("k", "arm", "foot") + joint("l", "foot", "arm")),
            "arm.urdf:2: link arm: the joints form a loop of parents: arm -> foot -> arm");
  EXPECT_EQ(message_of(links + joint("k", "hand", "foot") + joint("l", "arm", "arm")),
            "arm.urdf:2: link arm: the joints form a loop of parents: arm -> arm");
}

}  // namespace
}  // namespace tauflex

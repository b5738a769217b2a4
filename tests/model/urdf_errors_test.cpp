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

TEST(UrdfErrors, OfUnknownElementsAndAttributes) {
  EXPECT_EQ(urdf_message("<sdf version='1.6'/>"), "arm.urdf:1: sdf: expected a robot, got 'sdf'");
  EXPECT_EQ(message_of("<lnik name='a'/>"),
            "arm.urdf:2: robot r: unknown element 'lnik'; did you mean 'link'?");
  EXPECT_EQ(message_of("<xyzzy/>"),
            "arm.urdf:2: robot r: unknown element 'xyzzy'; known here: link, joint, material, "
            "transmission, gazebo");
  EXPECT_EQ(message_of_link("<inertail/>"),
            "arm.urdf:2: link hand: unknown element 'inertail'; did you mean 'inertial'?");
  EXPECT_EQ(message_of("<link nmae='a'/>"),
            "arm.urdf:2: link: unknown attribute 'nmae'; did you mean 'name'?");
  EXPECT_EQ(message_of_joint("<origin rpy='0 0 0'\nxzy='0 0 0'/>"),
            "arm.urdf:4: joint j: origin: unknown attribute 'xzy'; did you mean 'xyz'?");
  EXPECT_EQ(message_of_joint("<axis xyz='1 0 0'><b/></axis>"),
            "arm.urdf:3: joint j: axis: unknown element 'b'; none may stand here");
  EXPECT_EQ(message_of_joint("12"), "arm.urdf:3: joint j: the text '12' does not belong here");
  EXPECT_EQ(message_of_joint("<![CDATA[ ]]>"),
            "arm.urdf:3: joint j: the text '' does not belong here");
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
  EXPECT_EQ(inertial(mass), "arm.urdf:2: link hand: inertial: element 'inertia' is missing");
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
  EXPECT_EQ(inertial(mass + "<inertia ixx='1' iyy='1' izz='1'/>"),
            "arm.urdf:2: link hand: inertia: attribute 'ixy' is missing");
  EXPECT_EQ(inertial(mass + "<inertia ixx='1' ixy='0' ixz='0' iyy='-1' iyz='0' izz='1'/>"),
            "arm.urdf:2: link hand: inertia: iyy: must not be negative, got -1");
  EXPECT_EQ(inertial("<origin xyz='1 2'/>" + mass + tensor),
            "arm.urdf:2: link hand: origin: xyz: expected 3 finite numbers, got '1 2'");
  EXPECT_EQ(inertial("<origin rpy='1 2 3 4'/>" + mass + tensor),
            "arm.urdf:2: link hand: origin: rpy: expected 3 finite numbers, got '1 2 3 4'");
}

TEST(UrdfErrors, OfVisuals) {
  const auto geometry = [](const std::string& shape) {
    return message_of_link("<visual><geometry>" + shape + "</geometry></visual>");
  };
  EXPECT_EQ(message_of_link("<visual/>"),
            "arm.urdf:2: link hand: visual: element 'geometry' is missing");
  EXPECT_EQ(message_of_link("<collision name='c'><geometry><sphere/></geometry></collision>"),
            "arm.urdf:2: link hand: collision c: sphere: attribute 'radius' is missing");
  EXPECT_EQ(geometry(""),
            "arm.urdf:2: link hand: geometry: expected one of box, cylinder, sphere, mesh, got 0");
  EXPECT_EQ(geometry("<sphere radius='1'/><sphere radius='1'/>"),
            "arm.urdf:2: link hand: geometry: expected one of box, cylinder, sphere, mesh, got 2");
  EXPECT_EQ(geometry("<cone/>"),
            "arm.urdf:2: link hand: geometry: unknown element 'cone'; known here: box, cylinder, "
            "sphere, mesh");
  EXPECT_EQ(geometry("<box size='1 0 1'/>"),
            "arm.urdf:2: link hand: box: size: must be greater than 0, got '1 0 1'");
  EXPECT_EQ(geometry("<cylinder radius='0' length='1'/>"),
            "arm.urdf:2: link hand: cylinder: radius: must be greater than 0, got 0");
}

TEST(UrdfErrors, OfJoints) {
  EXPECT_EQ(message_of_joint(""), "no error");
  EXPECT_EQ(message_of_joint("", "revolut"),
            "arm.urdf:2: joint j: type: 'revolut' is not a joint type; did you mean 'revolute'?; "
            "there are fixed, revolute, continuous, prismatic, floating, planar");
  EXPECT_EQ(message_of_joint("<axis xyz='0 0 0'/>"),
            "arm.urdf:3: joint j: axis: xyz: must not be zero, got '0 0 0'");
  EXPECT_EQ(
      message_of_joint("<axis xyz='1 1 0'/>", "planar"),
      "arm.urdf:3: joint j: axis: xyz: that of a planar joint must be x, y or z, got '1 1 0'");
  EXPECT_EQ(
      message_of_joint("<axis xyz='0 0 -1'/>", "planar"),
      "arm.urdf:3: joint j: axis: xyz: that of a planar joint must be x, y or z, got '0 0 -1'");
  EXPECT_EQ(message_of_joint("<limit lower='1' upper='-1'/>"),
            "arm.urdf:3: joint j: limit: lower must not be above upper, got 1 and -1");
  EXPECT_EQ(message_of_joint("<limit lower='0'\nupper='x'/>"),  // the line of the attribute
            "arm.urdf:4: joint j: limit: upper: expected a finite number, got 'x'");
  EXPECT_EQ(message_of_joint("<limit effort='-1'/>"),
            "arm.urdf:3: joint j: limit: effort: must not be negative, got -1");
  EXPECT_EQ(message_of_joint("<limit velocity='fast'/>"),
            "arm.urdf:3: joint j: limit: velocity: expected a finite number, got 'fast'");
  EXPECT_EQ(message_of_joint("<dynamics damping='-2'/>"),
            "arm.urdf:3: joint j: dynamics: damping: must not be negative, got -2");
  EXPECT_EQ(message_of_joint("<dynamics friction='-2'/>"),
            "arm.urdf:3: joint j: dynamics: friction: must not be negative, got -2");
  EXPECT_EQ(message_of_joint("<dynamics damping='2'/>", "floating"),
            "arm.urdf:3: joint j: dynamics: damping: cannot be that of a floating joint, got 2");
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
  EXPECT_EQ(message_of_joint("<mimic joint='j'/>", "fixed"),
            "arm.urdf:3: joint j: mimic: a fixed joint cannot follow another");
  EXPECT_EQ(message_of_joint("<mimic joint='j' multiplier='x'/>"),
            "arm.urdf:3: joint j: mimic: multiplier: expected a finite number, got 'x'");
  const auto two = [](const std::string& name, const std::string& leader) {
    return message_of_joint("</joint><link name='c'/><joint name='" + name +
                                "' type='prismatic'><parent link='a'/><child link='c'/><mimic "
                                "joint='" +
                                leader + "'/>",
                            "fixed");
  };
  EXPECT_EQ(two("k", "j"),
            "arm.urdf:3: joint k: mimic: joint: a joint cannot follow the fixed joint 'j'");
  EXPECT_EQ(message_of_joint("</joint><link name='c'/><joint name='k.l' type='prismatic'><parent "
                             "link='a'/><child link='c'/><mimic joint='j'/>"),
            "arm.urdf:3: joint k.l: the name of a joint with mimic must not contain a dot, a comma "
            "or a space");
}

TEST(UrdfErrors, OfNames) {
  for (const char* name : {"a.b", "a,b", "a b", "a\tb"})
    EXPECT_EQ(message_of("<link name='" + std::string(name) + "'/>"),
              "arm.urdf:2: link " + std::string(name) +
                  ": the name of a link must not contain a dot, a comma or a space");
  EXPECT_EQ(message_of("<link/>"), "arm.urdf:2: link: attribute 'name' is missing");
  EXPECT_EQ(message_of("<link name=''/>"), "arm.urdf:2: link: name: must not be empty");
  EXPECT_EQ(message_of("<link name='a'/>\n<link name='a'/>"),
            "arm.urdf:3: link a: there is another link of this name, in line 2");
  EXPECT_EQ(message_of_joint("</joint><joint name='j' type='fixed'><parent link='a'/><child "
                             "link='b'/>"),
            "arm.urdf:3: joint j: there is another joint of this name, in line 2");
  EXPECT_EQ(message_of("<link name='a'/><link name='world'/><joint name='j' type='fixed'><parent "
                       "link='a'/><child link='world'/></joint>"),
            "arm.urdf:2: link world: 'world' is what the robot stands on, no joint can carry it");
  EXPECT_EQ(message_of("<link name='world'><visual><geometry><sphere radius='1'/></geometry>"
                       "</visual></link>"),
            "arm.urdf:2: link world: 'world' is what the robot stands on, it has no mass and no "
            "visuals");
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
  EXPECT_EQ(message_of("<link name='a'/>"),
            "arm.urdf:2: link a: the only link has neither mass nor visuals");
  EXPECT_EQ(message_of(links + joint("j", "hnad", "arm")),
            "arm.urdf:3: joint j: parent: link: there is no link 'hnad'; did you mean 'hand'?");
  EXPECT_EQ(message_of(links + joint("j", "hand", "elbow")),
            "arm.urdf:3: joint j: child: link: there is no link 'elbow'");
  EXPECT_EQ(message_of(links + joint("j", "hand", "arm")),
            "arm.urdf:2: link foot: a second root: no joint carries it, nor link 'hand' in line 2");
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

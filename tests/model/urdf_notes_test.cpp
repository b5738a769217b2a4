// Notes: what a URDF file may have although tauflex does nothing with it, and what it says then.
#include <gtest/gtest.h>

#include "model/urdf_message.hpp"
#include "tauflex/model/robot.hpp"

namespace tauflex {
namespace {

const std::string mass =
    "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"
    "</inertial>";

// Of an arm with one link; both may have more elements.
std::string notes_of(const std::string& link, const std::string& joint = "",
                     const std::string& robot = "") {
  return urdf_notes("<robot name='r'>\n<link name='a'/><link name='b'>" + mass + link +
                    "</link>\n<joint name='j' type='revolute'><parent link='a'/><child link='b'/>" +
                    joint + "</joint>" + robot + "</robot>\n");
}

TEST(UrdfNotes, SayWhatIsUnknownInOneSentence) {
  EXPECT_EQ(notes_of(""), "");
  EXPECT_EQ(
      notes_of("<contact><lateral_friction value='1'/></contact><self_filter scale='1'/>",
               "<dynamics D='1' K='2'/> text <hardwareInterface/>",
               "<ros2_control name='c'><joint name='j'/></ros2_control>\n<sensor/><sensor/>"),
      "arm.urdf: not known and ignored: element 'ros2_control' of robot (line 3), element 'sensor' "
      "of robot (2 times, first in line 4), element 'contact' of link (line 2), element "
      "'self_filter' of link (line 2), text in joint (line 3), element 'hardwareInterface' of "
      "joint "
      "(line 3), attribute 'D' of dynamics (line 3), attribute 'K' of dynamics (line 3)");
  EXPECT_EQ(urdf_notes("<robot name='r'><link name='a' type='x'>" + mass + "</link></robot>"),
            "arm.urdf: not known and ignored: attribute 'type' of link (line 1)");
  std::string many;
  for (int i = 0; i < 20; ++i) many += "<word" + std::to_string(i) + "/>";
  EXPECT_TRUE(notes_of(many).ends_with(", element 'word11' of link (line 2) and 8 more"));
  // What every file has and nothing comes of.
  EXPECT_EQ(notes_of("<visual><geometry><sphere radius='1'/></geometry><material/></visual>"
                     "<collision><geometry><octree/></geometry></collision>",
                     "<safety_controller k_velocity='1'/><calibration rising='0'/>",
                     "<gazebo/><transmission/><material name='m'/>"),
            "");
}

TEST(UrdfNotes, OfXacroAndOfLoops) {
  EXPECT_EQ(notes_of("", "", "<xacro:property name='w' value='1'/>\n<xacro:arg name='p'/>"),
            "arm.urdf: left by xacro and ignored: line 3: xacro:property w, line 4: xacro:arg p");
  EXPECT_EQ(notes_of("", "", "<xacro:include filename='colours.xacro'/>"),
            "arm.urdf: xacro was not run, and what it would include is not read: line 3: "
            "xacro:include");
  EXPECT_EQ(notes_of("", "", "<loop_joint name='l' type='continuous'/>"),
            "arm.urdf: loops that stay open, as loop_joint is not read; close them by constraints: "
            "line 3: loop_joint l");
}

TEST(UrdfNotes, OfPicturesThatCannotBeDrawn) {
  const auto geometry = [](const std::string& shape) {
    return notes_of("<visual><geometry>" + shape + "</geometry></visual>");
  };
  const std::string begin = "arm.urdf: left out of pictures: ";
  EXPECT_EQ(notes_of("<visual/>"), begin + "line 2: link b: visual: element 'geometry' is missing");
  EXPECT_EQ(geometry(""), begin +
                              "line 2: link b: geometry: expected one of box, cylinder, sphere, "
                              "mesh, got 0");
  EXPECT_EQ(geometry("<capsule/>"), begin +
                                        "line 2: link b: capsule: this shape is not drawn; box, "
                                        "cylinder, sphere and mesh are");
  EXPECT_EQ(geometry("<box size='1 0 1'/>"),
            begin + "line 2: link b: box: size: must be greater than 0, got '1 0 1'");
  EXPECT_EQ(geometry("<mesh filename='far.stl' scale='1 0 1'/>"),
            begin + "line 2: link b: mesh: scale: must not be 0, got '1 0 1'");
  EXPECT_EQ(notes_of("<collision><geometry><box size='1 0 1'/></geometry></collision>"), "");
}

TEST(UrdfNotes, OfMeshesThatAreNotOpened) {
  const TemporaryFolder above;
  above.write("secret.stl", "");
  above.write("robot/near.obj", "");
  std::filesystem::create_symlink(above.path() / "secret.stl", above.path() / "robot/link.stl");
  std::filesystem::create_directories(above.path() / "robot/folder.stl");
  const auto mesh = [&](const std::string& name) {
    const RobotDescription robot = read_urdf(above.write(
        "robot/arm.urdf", "<robot name='r'><link name='hand'><visual><geometry><mesh filename='" +
                              name + "'/></geometry></visual></link></robot>"));
    EXPECT_EQ(robot.links.size(), 1u);  // a link, whether its mesh exists or not
    const std::string note = above.relative(robot.notes.at(0));
    const std::string begin = "robot/arm.urdf: left out of pictures: mesh '" + name + "' ";
    EXPECT_EQ(note.substr(0, begin.size()), begin);
    return note.substr(begin.size());
  };
  const std::string outside = "lies outside the folder of the URDF file";
  EXPECT_EQ(mesh("../secret.stl"), outside);
  EXPECT_EQ(mesh("package://../secret.stl"), outside);
  EXPECT_EQ(mesh("package://arm/../../secret.stl"), outside);
  EXPECT_EQ(mesh("link.stl"), outside);
  EXPECT_EQ(mesh("../nothing.stl"), outside);  // does not say what is out there
  for (const char* name : {"/etc/passwd.stl", "package:///etc/passwd.stl", "file:///etc/a.stl"})
    EXPECT_EQ(mesh(name), "is neither a relative path nor package://...");
  EXPECT_EQ(mesh("near.ply"), "is not an .stl, .obj or .dae file");
  EXPECT_EQ(mesh("package://some_description/meshes/a_series/visual/forearm_link.glb"),
            "is not an .stl, .obj or .dae file");  // the path is whole
  EXPECT_EQ(mesh("far.stl"), "does not exist");
  EXPECT_EQ(mesh("folder.stl"), "does not exist");
}

TEST(UrdfNotes, OfLimitsAndFriction) {
  EXPECT_EQ(
      notes_of("", "<limit lower='1' upper='-1'/>"),
      "arm.urdf: limits that are not possible and were left out: line 3: joint j: limit: lower "
      "1 is above upper -1");
  EXPECT_EQ(
      notes_of("", "<limit effort='-1' velocity='inf' lower='-inf' upper='1e38'/>"),
      "arm.urdf: limits that are not possible and were left out: line 3: joint j: limit: effort "
      "-1");
  EXPECT_EQ(
      notes_of("", "<dynamics friction='2'/>"),
      "arm.urdf: Coulomb friction of joints is not modelled; drives have it, as coulomb: joint "
      "j");
}

TEST(UrdfNotes, OfNames) {
  const TemporaryFolder folder;
  const RobotDescription robot = read_urdf(folder.write(
      "arm.urdf",
      "<robot name='r'><link name='the base'>" + mass + "</link><link name='left.arm'>" + mass +
          "</link><link name='left_arm'>" + mass + "</link><link name='world'>" + mass +
          "</link><joint name='pan, first' type='continuous'><parent link='the base'/><child "
          "link='left.arm'/></joint><joint name='tilt:2' type='continuous'><parent "
          "link='left.arm'/><child link='left_arm'/><mimic joint='pan, first'/></joint><joint "
          "name='roll' type='continuous'><parent link='left_arm'/><child "
          "link='world'/></joint></robot>"));
  EXPECT_EQ(robot.links[0].name, "the_base");
  EXPECT_EQ(robot.links[1].name, "left_arm_2");
  EXPECT_EQ(robot.links[1].joint.name, "pan__first");
  EXPECT_EQ(robot.links[1].joint.parent, "the_base");
  EXPECT_EQ(robot.links[2].name, "left_arm");  // could be typed before
  EXPECT_EQ(robot.links[2].joint.parent, "left_arm_2");
  EXPECT_EQ(robot.links[3].name, "world_2");
  EXPECT_EQ(robot.constraints[0].name, "mimic_tilt_2");
  EXPECT_EQ(folder.relative(robot.notes[0]),
            "arm.urdf: names that job files cannot hold are written in another way: 'left.arm' is "
            "left_arm_2, 'the base' is the_base, 'world' is world_2, 'pan, first' is pan__first, "
            "'tilt:2' is tilt_2");
  EXPECT_NO_THROW(Robot{robot});
}

TEST(UrdfNotes, OfFixedJointsThatFollow) {
  EXPECT_EQ(urdf_notes("<robot name='r'><link name='a'/><link name='b'>" + mass +
                       "</link><link name='c'/><joint name='j' type='continuous'><parent "
                       "link='a'/><child link='b'/></joint><joint name='k' type='fixed'><parent "
                       "link='b'/><child link='c'/><mimic joint='j'/></joint></robot>"),
            "arm.urdf: fixed joints do not follow others: joint k");
}

TEST(UrdfNotes, OfInertialsInPart) {
  const auto inertial = [](const std::string& elements) {
    return urdf_notes("<robot name='r'><link name='a'><visual/><inertial>" + elements +
                      "</inertial></link></robot>");
  };
  EXPECT_NE(inertial("<mass value='2'/>")
                .find("arm.urdf: point masses, as inertial has no inertia: link a"),
            std::string::npos);
  EXPECT_EQ(inertial("<mass value='2'/><inertia ixx='1' iyy='1' izz='1'/>").find("point"),
            std::string::npos);
}

TEST(UrdfNotes, OfWhatIsTakenInOneOfSeveralWays) {
  EXPECT_EQ(notes_of("", "", "<link name='c'/>\n<link name='d'/>"),
            "arm.urdf: no joint carries them, so they stand on the world: link c, link d");
  EXPECT_EQ(
      notes_of("", "<limit lower='0' upper='0'/>"),
      "arm.urdf: limits that are not possible and were left out: line 3: joint j: limit: from "
      "0 to 0 nothing can move");
  EXPECT_EQ(notes_of("", "<origin rpy='0 90 0'/>"),
            "arm.urdf: more than a turn: rpy is in rad: line 3: joint j: origin: rpy 0 90 0");
  EXPECT_EQ(notes_of("", "<limit lower='-1' upper='1' k_velocity='3' velocity='nan'/>"), "");
  EXPECT_EQ(urdf_notes("<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' "
                       "ixy='0.1' ixz='0' iyy='1' iyz='0' izz='1' iyx='0'/></inertial></link>"
                       "</robot>"),
            "arm.urdf: inertias that are not symmetric: ixy, ixz and iyz are taken: link a");
  EXPECT_EQ(urdf_notes("<robot name='r'><link name='a'/><link name='b'>" + mass +
                       "</link><joint name='j' type='floating'><parent link='a'/><child link='b'/>"
                       "<dynamics damping='2'/></joint></robot>"),
            "arm.urdf: damping of floating and spherical joints is not modelled: floating joint j, "
            "2");
}

}  // namespace
}  // namespace tauflex

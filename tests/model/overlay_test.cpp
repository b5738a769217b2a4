// Closed form: what the overlay of a URDF file changes. Error messages: every rule, broken once.
#include "tauflex/model/overlay.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tauflex/base/errors.hpp"
#include "tauflex/model/robot.hpp"
#include "tauflex/model/robot_file.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

constexpr const char* arm = R"(<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><origin xyz="0.1 0 0"/><mass value="2"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="fore"><inertial><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/>
    <dynamics damping="3"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="fore"/></joint>
</robot>)";

// `robot` is the text behind "robot: " of a job file beside arm.urdf.
RobotDescription read(const TemporaryFolder& folder, const std::string& robot) {
  folder.write("arm.urdf", arm);
  return read_robot(Node::read_text("robot: " + robot, folder.path() / "job.yaml").at("robot"));
}

RobotDescription read_with(const std::string& overlay) {
  return read(TemporaryFolder(), "{urdf: arm.urdf, elastic: " + overlay + "}");
}

TEST(Overlay, MayBeLeftOut) {
  for (const char* robot : {"{urdf: arm.urdf}", "{urdf: arm.urdf, elastic: }"}) {
    const RobotDescription description = read(TemporaryFolder(), robot);
    EXPECT_EQ(description.links.size(), 2u);
    EXPECT_NO_THROW(Robot{description});
  }
}

TEST(Overlay, GivesLinksWhatTheyHaveNot) {
  const RobotDescription robot = read_with(
      "{links: {upper: {drive: {rotor_inertia: 0.1, stiffness: 100, damping: 2}, mass: 5}, "
      "elbow: {spring: {stiffness: 7}, com: [0, 1, 0], inertia: {xx: 2, yy: 3, zz: 4}}}}");
  const Link &upper = robot.links[0], &fore = robot.links[1];
  EXPECT_EQ(upper.drive->elastic->stiffness, 100);
  EXPECT_EQ(upper.inertia.mass, 5);
  EXPECT_EQ(upper.inertia.com, Vector3(0.1, 0, 0));  // as in the URDF file
  EXPECT_EQ(upper.inertia.about_com, Matrix3::Identity());
  EXPECT_EQ(upper.spring->damping, 3);
  EXPECT_EQ(fore.spring->stiffness, 7);  // called by its joint
  EXPECT_EQ(fore.inertia.mass, 1);
  EXPECT_EQ(fore.inertia.com, Vector3(0, 1, 0));
  EXPECT_EQ(fore.inertia.about_com, Matrix3(Vector3(2, 3, 4).asDiagonal()));
  EXPECT_TRUE(fore.inertia.given[3]);  // products beside all moments are 0
  EXPECT_NO_THROW(Robot{robot});
}

// On the motor side: effort / n, velocity n. 0 and nothing mean the same; what the drive says
// counts.
TEST(Overlay, TakesLimitsOfJoints) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto limits = [](const std::string& limit, const std::string& drive,
                         const std::string& more = "") {
    const TemporaryFolder folder;
    std::string file = arm;
    const std::string plain = "<child link=\"fore\"/>";
    file.replace(file.find(plain), plain.size(), plain + limit);
    folder.write("arm.urdf", file);
    return read_robot(Node::read_text("robot: {urdf: arm.urdf, elastic: {links: {upper: {drive: "
                                      "{rotor_inertia: 1, stiffness: 1}}, elbow: {drive: {" +
                                          drive + "}}}" + more + "}}",
                                      folder.path() / "job.yaml")
                          .at("robot"))
        .links[1]
        .drive->limits;
  };
  const std::string both = "<limit effort='80' velocity='3'/>";
  EXPECT_EQ(limits(both, "gear_ratio: -100").torque, 0.8);
  EXPECT_EQ(limits(both, "gear_ratio: -100").speed, 300);
  EXPECT_EQ(limits(both, "gear_ratio: 100").torque_rate, infinity);
  EXPECT_EQ(limits(both, "gear_ratio: 100, limits: {torque: 2}").torque, 2);
  EXPECT_EQ(limits(both, "gear_ratio: 100, limits: {torque: 2}").speed, 300);
  EXPECT_EQ(limits("<limit effort='0' velocity='0'/>", "gear_ratio: 100").torque, infinity);
  EXPECT_EQ(limits("<limit effort='0' velocity='0'/>", "gear_ratio: 100").speed, infinity);
  EXPECT_EQ(limits("", "gear_ratio: 100").torque, infinity);
  EXPECT_EQ(limits(both, "rotor_inertia: 1, stiffness: 1",
                   ", transmissions: [{drives: [shoulder, elbow], ratio: [[1, 0], [1, 1]]}]")
                .torque,
            infinity);
}

TEST(Overlay, ReplacesTheDampingOfTheFile) {
  const RobotDescription robot = read_with("{links: {shoulder: {spring: {stiffness: 1}}}}");
  EXPECT_EQ(robot.links[0].spring->stiffness, 1);
  EXPECT_EQ(robot.links[0].spring->damping, 0);
}

TEST(Overlay, AddsWhatARobotFileHas) {
  const RobotDescription robot = read_with(
      "{tauflex: 1, gravity: [0, 0, 0], frames: {tool: {link: fore, at: [1, 0, 0]}}, "
      "links: {upper: {drive: {rotor_inertia: 1, stiffness: 1}}, "
      "fore: {drive: {rotor_inertia: 1, stiffness: 1}}}, "
      "couplings: [{drives: [shoulder, fore], stiffness: [[2, 1], [1, 2]]}], "
      "transmissions: [{drives: [upper, elbow], ratio: [[1, 0], [1, 1]]}], "
      "constraints: [{name: level, relation: {joints: {elbow: 1, upper: 1}, value: 0}}], "
      "springs: [{name: coil, frames: [world, tool], stiffness: 5}]}");
  EXPECT_EQ(robot.gravity, Vector3::Zero());
  EXPECT_EQ(robot.frames.back().name, "tool");
  EXPECT_EQ(robot.couplings[0].links, (std::vector<std::string>{"upper", "fore"}));
  EXPECT_EQ(robot.transmissions[0].links, (std::vector<std::string>{"upper", "fore"}));
  const Relation& relation = std::get<Relation>(robot.constraints[0].rule);
  EXPECT_EQ(relation.joints[0].first, "elbow");
  EXPECT_EQ(relation.joints[1].first, "shoulder");
  EXPECT_EQ(robot.frame_springs[0].stiffness, 5);
  EXPECT_NO_THROW(Robot{robot});
}

TEST(Overlay, MayBeAFileBesideTheOneThatNamesIt) {
  const TemporaryFolder folder;
  folder.write("parts/arm.urdf", arm);
  folder.write("parts/arm.elastic.yaml", "links: {upper: {mass: 9}}");
  const auto robot = read(folder, "{urdf: parts/arm.urdf, elastic: parts/arm.elastic.yaml}");
  EXPECT_EQ(robot.links[0].inertia.mass, 9);
  folder.write("parts/arm.yaml", "{urdf: arm.urdf, elastic: arm.elastic.yaml}");
  EXPECT_EQ(read(folder, "parts/arm.yaml").links[0].inertia.mass, 9);
}

std::string message(const std::string& robot) {
  const TemporaryFolder folder;
  folder.write("bad.yaml", "links:\n  shulder: {mass: 1}\n");
  try {
    const Robot compiled(read(folder, robot));
  } catch (const InputError& error) {
    return folder.relative(error.what());
  }
  return "no error";
}

TEST(OverlayErrors, NameFileLineFieldRuleAndValue) {
  EXPECT_EQ(message("{urdf: amr.urdf}"),
            "job.yaml:1: robot.urdf: amr.urdf: no such file; did you mean 'arm.urdf'?");
  EXPECT_EQ(message("{urdf: arm.urdf, elsatic: {}}"),
            "job.yaml:1: robot.elsatic: unknown key 'elsatic'; did you mean 'elastic'?");
  EXPECT_EQ(message("{urdf: arm.urdf, links: []}"),
            "job.yaml:1: robot.links: unknown key 'links'; known here: urdf, elastic, inertia");
  EXPECT_EQ(message("{urdf: arm.urdf, elastic: bad.yaml}"),
            "bad.yaml:2: links.shulder: 'shulder' is neither a link nor a joint of the URDF file; "
            "did you mean 'shoulder'?");
  EXPECT_EQ(message("{urdf: arm.urdf, elastic: {links: {foer: {}}}}"),
            "job.yaml:1: robot.elastic.links.foer: 'foer' is neither a link nor a joint of the "
            "URDF file; did you mean 'fore'?");
  EXPECT_EQ(message("{urdf: arm.urdf, elastic: {links: {fore: {mass: 1}, elbow: {mass: 2}}}}"),
            "job.yaml:1: robot.elastic.links.elbow: 'fore' and 'elbow' are the same link");
  EXPECT_EQ(message("{urdf: arm.urdf, elastic: {links: [fore]}}"),
            "job.yaml:1: robot.elastic.links: expected links by name: {hand: {drive: ...}}");
  EXPECT_EQ(message("{urdf: arm.urdf, elastic: {links: {fore: {joint: {}}}}}"),
            "job.yaml:1: robot.elastic.links.fore.joint: unknown key 'joint'; known here: drive, "
            "spring, springs, beam, mass, com, inertia");
  EXPECT_EQ(message("{urdf: arm.urdf, elastic: {dynamics: nonlinear}}"),
            "job.yaml:1: robot.elastic.dynamics: unknown key 'dynamics'; known here: gravity, "
            "inertia, links, frames, couplings, transmissions, constraints, springs, tauflex");
  // what Robot refuses is where the overlay says it
  EXPECT_EQ(
      message("{urdf: arm.urdf, elastic: {links: {fore: {inertia: {xx: 1, yy: 1, zz: 5, xy: "
              "0, xz: 0, yz: 0}}}}}"),
      "job.yaml:1: robot.elastic.links.fore: no body has this inertia: its principal moments are "
      "1, 1 and 5 kg m^2, and none may exceed the sum of the two others; correct it, or write "
      "inertia: nearest beside urdf or links for the nearest possible one (tauflex pose: --set "
      "inertia=nearest)");
}

}  // namespace
}  // namespace tauflex

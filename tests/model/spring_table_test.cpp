// Error messages: every rule of a table, broken once, as points, in a file and in a coupling.
#include "tauflex/model/spring_table.hpp"

#include <gtest/gtest.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/model/robot.hpp"
#include "tauflex/model/robot_file.hpp"

namespace tauflex {
namespace {

std::string message(const std::string& drive, const std::string& more = "") {
  try {
    const Robot robot(read_robot(Node::read_text(
        "links:\n- name: arm\n  joint: {parent: world, type: revolute, axis: y}\n  mass: 1\n  "
        "inertia: {yy: 1}\n  drive: {rotor_inertia: 1, " +
            drive + "}\n" + more,
        "arm.yaml")));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SpringTable, IsReadFromADrive) {
  EXPECT_EQ(message("table: [[0, 0], [0.001, 20], [0.002, 50]], damping: 1"), "no error");
  const RobotDescription robot = read_robot(
      Node::read_text("links:\n- name: arm\n  joint: {parent: world, type: revolute, axis: y}\n  "
                      "spring: {rest: 0.1, table: [[0, 0], [1, 2]]}\n  springs: {x: {table: [[-1, "
                      "-3], [0, 0]]}}\n  mass: 1\n  inertia: {yy: 1}\n",
                      "arm.yaml"));
  ASSERT_EQ(robot.links[0].spring->table.size(), 2u);
  EXPECT_EQ(robot.links[0].spring->table[1].torque, 2);
  const Robot laid_out(robot);
  ASSERT_EQ(laid_out.springs().joint.size(), 2u);
  EXPECT_EQ(laid_out.springs().joint[0].stiffness, 3);
  EXPECT_EQ(laid_out.springs().joint[1].stiffness, 2);
  EXPECT_EQ(laid_out.springs().joint_hardening.size(), 2u);
}

TEST(SpringTable, SaysWhatIsWrong) {
  const std::string where = "arm.yaml:6: links.arm.drive.table: ";
  EXPECT_EQ(message("table: [[0, 0]]"), where + "a table needs at least 2 points, got 1");
  EXPECT_EQ(message("table: [[0, 0], [0.1, 5], [0.2, 5]]"),
            where + "stretch and torque must increase, but [0.2, 5] follows [0.1, 5]");
  EXPECT_EQ(message("table: [[0, 0], [0.1, 5], [0.1, 6]]"),
            where + "stretch and torque must increase, but [0.1, 6] follows [0.1, 5]");
  EXPECT_EQ(message("table: [[0.1, 1], [0.2, 5]]"),
            where + "the point [0, 0] is missing: a spring at rest gives no torque");
  EXPECT_EQ(message("table: 7"),
            where + "expected points [stretch, torque]: [[0, 0], [0.001, 20], ...]");
  EXPECT_EQ(message("stiffness: 3, table: [[0, 0], [1, 1]]"),
            "arm.yaml:6: links.arm.drive.stiffness: cannot be given together with a table, which "
            "replaces it");
  EXPECT_EQ(message("hardening: [3], table: [[0, 0], [1, 1]]"),
            "arm.yaml:6: links.arm.drive.hardening: cannot be given together with a table, which "
            "replaces it");
  EXPECT_EQ(message("table: [[0, 0], [1, 1]]", "couplings: [{drives: [arm], stiffness: [[3]]}]\n"),
            "arm.yaml:7: couplings.0: 'arm' has a table; a stiffness matrix is for springs with a "
            "stiffness");
  EXPECT_EQ(message("table: [[0, 0], [1, 1]]", "couplings: [{drives: [arm], damping: [[3]]}]\n"),
            "no error");
}

TEST(SpringTable, OfARobotMadeInCppIsCheckedToo) {
  Link link;
  link.name = "arm";
  link.inertia.mass = 1;
  link.inertia.about_com = Matrix3::Identity();
  link.inertia.given.fill(true);
  link.spring = Spring{.table = {{0, 0}, {1, -1}}};
  try {
    RobotDescription description;
    description.links = {link};
    const Robot robot(description);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "link 'arm': stretch and torque must increase, but [1, -1] follows [0, 0]");
  }
}

}  // namespace
}  // namespace tauflex

// Oracle: MuJoCo on files as they are in the world, tests/model/nasty. Where MuJoCo refuses one, it
// gets the same robot written as it wants it.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "math/random.hpp"
#include "mechanics/comparison.hpp"
#include "mechanics/mujoco_urdf.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/model/robot_file.hpp"

namespace tauflex {
namespace {

constexpr double rounding = 1e-12;  // of the largest torque; the goal is 1e-9

std::filesystem::path nasty(const std::string& name) {
  return std::filesystem::path(TAUFLEX_SOURCE_DIR) / "tests/model/nasty" / (name + ".urdf");
}

std::string text_of(const std::string& name) {
  std::ifstream file(nasty(name));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

RobotDescription read(const std::string& name, const std::string& more = "") {
  return read_robot(
      Node::read_text("{urdf: '" + nasty(name).string() + "'" + more + "}", "job.yaml"));
}

struct NastyFile {
  std::string name;
  // Text that MuJoCo refuses, and what it gets instead.
  std::vector<std::pair<std::string, std::string>> instead = {};
  // Names of the file that are written in another way.
  std::map<std::string, std::string> called = {};
  double within = rounding;
};

// MuJoCo turns inertias to their principal axes to 1e-6 rad.
constexpr double mujocos_axes = 1e-7;

std::ostream& operator<<(std::ostream& out, const NastyFile& file) { return out << file.name; }

class NastyUrdf : public ::testing::TestWithParam<NastyFile> {};

TEST_P(NastyUrdf, HasTheTorquesOfMujoco) {
  const NastyFile& file = GetParam();
  std::string text = text_of(file.name);
  for (const auto& [from, to] : file.instead) {
    ASSERT_NE(text.find(from), std::string::npos) << from;
    for (size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), to);
  }
  MujocoUrdf oracle(text);
  const Robot robot(read(file.name));
  ASSERT_EQ(oracle.nv(), robot.nv());
  MechanicsData data(robot);
  std::vector<int> at;
  for (const std::string& name : robot.coordinates().names)
    at.push_back(oracle.velocity(file.called.contains(name) ? file.called.at(name) : name));
  for (unsigned seed = 0; seed < 5; ++seed) {
    Random random(seed);
    const Vector q = random.vector(robot.nq(), 3), v = random.vector(robot.nv(), 2),
                 vdot = random.vector(robot.nv(), 5);
    Vector q_of(robot.nq()), v_of(robot.nv()), vdot_of(robot.nv());
    q_of(at) = q;
    v_of(at) = v;
    vdot_of(at) = vdot;
    inverse_dynamics<double>(robot, data, q, v, vdot);
    EXPECT_LT(relative_difference(data.tau, Vector(oracle.torques(q_of, v_of, vdot_of)(at))),
              file.within);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Files, NastyUrdf,
    ::testing::Values(
        NastyFile{"continuous"}, NastyFile{"crossed_names"}, NastyFile{"limits"},
        NastyFile{"meshes"}, NastyFile{"mimic_before_master"}, NastyFile{"unknown_words"},
        NastyFile{"world_root"}, NastyFile{"document_type"}, NastyFile{"safety_in_limit"},
        NastyFile{"macro_remnant"}, NastyFile{"degrees"}, NastyFile{"left_by_xacro"},
        NastyFile{"open_loop"},
        NastyFile{"no_world", {{"<!-- nobody declares the world -->", "<link name=\"world\"/>"}}},
        NastyFile{"both_triangles", {}, {}, mujocos_axes},
        NastyFile{"late_declaration", {{"<?xml version=\"1.0\" ?>", ""}}},
        NastyFile{"nothing_can_move", {{"nan", "0"}}},
        NastyFile{"several_roots", {{"<link name=\"world\"/>", ""}}},
        NastyFile{
            "quaternion",
            {{"quat_xyzw=\"0 0 0.29887626494719843 1.9775421558720845\"", "rpy=\"0 0 0.3\""}}},
        NastyFile{"names", {}, {{"pan__first", "pan, first"}, {"tilt_second", "tilt.second"}}},
        NastyFile{"frames", {{"<inertial/>", ""}}},
        NastyFile{"no_products",
                  {{"iyy=\"0.03\" izz", "iyy=\"0.03\" ixy=\"0\" ixz=\"0\" iyz=\"0\" izz"},
                   {"<mass value=\"1\"/></inertial>",
                    "<mass value=\"1\"/><inertia ixx=\"2e-15\" ixy=\"0\" ixz=\"0\" iyy=\"2e-15\" "
                    "iyz=\"0\" izz=\"2e-15\"/></inertial>"}}},
        NastyFile{"tiny_inertias", {{"1e-22", "2e-15"}, {"5e-22", "2e-15"}, {"-1e-23", "2e-15"}}},
        NastyFile{"massless_gripper", {{"type=\"prismatic\"", "type=\"fixed\""}}},
        NastyFile{
            "massless_between",
            {{"<link name=\"cross\"/>",
              "<link name=\"cross\"><inertial><mass value=\"2e-15\"/><inertia ixx=\"2e-15\" "
              "ixy=\"0\" ixz=\"0\" iyy=\"2e-15\" iyz=\"0\" izz=\"2e-15\"/></inertial></link>"}}}),
    [](const auto& test) { return test.param.name; });

// MuJoCo has other axes in the same plane.
TEST(NastyUrdfPlanar, HasTheTorquesOfMujoco) {
  MujocoUrdf oracle(text_of("planar"));
  const Robot robot(read("planar"));
  EXPECT_EQ(robot.coordinates().names,
            (std::vector<std::string>{"wheels.x", "wheels.y", "wheels.rz", "shoulder"}));
  ASSERT_EQ(oracle.nv(), 4);
  MechanicsData data(robot);
  const Matrix axes = oracle.axes();  // of the joints of `cart`, in its own axes
  const Matrix3 R = rotation_with_z_along(Vector3(1, 2, 2) / 3);
  Matrix T = Matrix::Zero(4, 4);  // their coordinates from ours
  T.topLeftCorner(3, 2) = axes.leftCols(3).transpose() * R.leftCols(2);
  T(2, 2) = axes.col(2).dot(R.col(2));
  T(3, 3) = 1;
  EXPECT_LT((T.transpose() * T - Matrix::Identity(4, 4)).norm(), 1e-12);  // rounding
  for (unsigned seed = 0; seed < 5; ++seed) {
    Random random(seed);
    const Vector q = random.vector(4, 3), v = random.vector(4, 2), vdot = random.vector(4, 5);
    inverse_dynamics<double>(robot, data, q, v, vdot);
    const Vector tau = T.transpose() * oracle.torques(T * q, T * v, T * vdot);
    EXPECT_LT(relative_difference(data.tau, tau), rounding);
  }
  for (int k = 0; k < 3; ++k) EXPECT_EQ(oracle.damping(k), 0.4);
  const Link& plane = robot.description().links[1];
  EXPECT_EQ(plane.name, "cart_plane");
  EXPECT_EQ(plane.springs.spring[0].damping, 0.4);
  EXPECT_EQ(plane.springs.spring[5].damping, 0.4);
}

// Joints of Drake's files against the same robot with hinges in their place: a universal joint is
// two of them, first about x, then about y.
TEST(NastyUrdfDrake, HasTheTorquesOfHinges) {
  const Robot robot(read("drakes_joints"));
  EXPECT_EQ(robot.coordinates().names,
            (std::vector<std::string>{"gimbal.rx", "gimbal.ry", "socket.qw", "socket.qx",
                                      "socket.qy", "socket.qz", "table.x", "table.y", "table.rz"}));
  std::string text = text_of("drakes_joints");
  const auto replace = [&](const std::string& from, const std::string& to) {
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
  };
  const std::string light =
      "<inertial><mass value='2e-15'/><inertia ixx='2e-15' ixy='0' ixz='0' iyy='2e-15' iyz='0' "
      "izz='2e-15'/></inertial>";
  replace(
      "<drake:joint name=\"gimbal\" type=\"universal\"><parent link=\"base\"/><child "
      "link=\"cross\"/><origin xyz=\"0 0 0.3\" rpy=\"0.1 0.2 0\"/></drake:joint>",
      "<link name='between'>" + light +
          "</link><joint name='first' type='continuous'><parent link='base'/><child "
          "link='between'/><origin xyz='0 0 0.3' rpy='0.1 0.2 0'/><axis xyz='1 0 0'/></joint>"
          "<joint name='second' type='continuous'><parent link='between'/><child "
          "link='cross'/><axis xyz='0 1 0'/></joint>");
  replace("<drake:joint name=\"socket\" type=\"ball\">", "<joint name='socket' type='fixed'>");
  replace("</drake:joint>", "</joint>");
  replace(
      "<drake:joint name=\"table\" type=\"planar\"><parent link=\"base\"/><child "
      "link=\"puck\"/><origin xyz=\"0 1 0\"/><axis xyz=\"1 0 0\"/></drake:joint>",
      "");
  MujocoUrdf oracle(text);
  MechanicsData data(robot);
  for (unsigned seed = 0; seed < 5; ++seed) {
    Random random(seed);
    Vector q = robot.coordinates().neutral, v = Vector::Zero(robot.nv()), vdot = v;
    q.head(2) = random.vector(2, 3);
    v.head(2) = random.vector(2, 2);
    vdot.head(2) = random.vector(2, 5);
    inverse_dynamics<double>(robot, data, q, v, vdot);
    const std::vector<int> at = {oracle.velocity("first"), oracle.velocity("second")};
    Vector q_of = oracle.reference(), v_of = Vector::Zero(oracle.nv()), vdot_of = v_of;
    q_of(at) = q.head(2);
    v_of(at) = v.head(2);
    vdot_of(at) = vdot.head(2);
    const Vector tau = oracle.torques(q_of, v_of, vdot_of)(at);
    EXPECT_LT((data.tau.head(2) - tau).norm(), 1e-9 * tau.norm());
    EXPECT_GT(tau.norm(), 1);
  }
}

// A floating base at rest: what holds it, and the torque of the joint on it.
TEST(NastyUrdfFloating, HasTheForcesOfMujoco) {
  std::string text = text_of("floating");
  for (size_t at; (at = text.find("\"ground\"")) != std::string::npos;)
    text.replace(at, 8, "\"world\"");
  MujocoUrdf oracle(text);
  const Robot robot(read("floating"));
  ASSERT_EQ(oracle.nv(), 7);
  MechanicsData data(robot);
  Vector q = robot.coordinates().neutral, v = Vector::Zero(7), vdot = Vector::Zero(7);
  q[7] = 0.4;
  v[6] = 2;
  vdot[6] = 5;
  inverse_dynamics<double>(robot, data, q, v, vdot);
  Vector q_of = oracle.reference();
  q_of[7] = q[7];
  const Vector tau = oracle.torques(q_of, v, vdot);
  const Matrix3 R = rotation_from_rpy({0.1, 0.2, 0});  // world axes there, joint axes here
  EXPECT_LT((R * data.tau.head(3) - tau.head(3)).norm(), rounding * tau.norm());
  EXPECT_LT((data.tau.segment(3, 3) - tau.segment(3, 3)).norm(), rounding * tau.norm());
  EXPECT_NEAR(data.tau[6], tau[6], rounding * tau.norm());
}

TEST(NastyUrdfNames, OfJointsStandBeforeThoseOfLinks) {
  const Robot robot(read("crossed_names"));
  EXPECT_EQ(robot.coordinates().names, (std::vector<std::string>{"root", "shoulder", "follow"}));
  EXPECT_EQ(robot.coordinates().find("shoulder"), 1);  // the joint, not that of link shoulder
  EXPECT_EQ(robot.coordinates().find("forearm"), 1);   // by its link
  const auto& relation = std::get<RelationRow>(robot.constraints().at(0).rule);
  EXPECT_EQ(relation.terms.at(0).q, 2);
  EXPECT_EQ(relation.terms.at(1).q, 1);
}

// One body with the link that carries it: the torques are those of its inertia on that link.
TEST(NastyUrdfInertias, OfAPartCountWithWhatCarriesIt) {
  const RobotDescription whole = read("impossible_part");
  RobotDescription moved = whole;
  const auto called = [&](const std::string& name) -> Link& {
    return *std::find_if(moved.links.begin(), moved.links.end(),
                         [&](const Link& link) { return link.name == name; });
  };
  const Matrix3 R = called("plate").joint.X_PJ.R * called("sensor").joint.X_PJ.R;
  Matrix3& I = called("sensor").inertia.about_com;
  called("fore").inertia.about_com += R * I * R.transpose();
  I.setZero();
  const Robot robot(whole), other(moved);
  MechanicsData data(robot), expected(other);
  Random random(1);
  const Vector q = random.vector(2, 3), v = random.vector(2, 2), vdot = random.vector(2, 5);
  inverse_dynamics<double>(robot, data, q, v, vdot);
  inverse_dynamics<double>(other, expected, q, v, vdot);
  EXPECT_LT(relative_difference(data.tau, expected.tau), rounding);
  ASSERT_EQ(whole.notes.size(), 2u);  // of the sensor, and of the foot that does not move
  EXPECT_NE(whole.notes[0].find("link sensor: no body has this inertia"), std::string::npos);
  // a sensor ten times as large does not fit into the forearm
  RobotDescription large = whole;
  for (Link& link : large.links)
    if (link.name == "sensor") link.inertia.about_com *= 10;
  EXPECT_THROW(Robot{large}, InputError);
}

TEST(NastyUrdfMasses, AreNotNeededForPoses) {
  const RobotDescription description = read("no_masses");
  const Robot robot(description);
  EXPECT_EQ(robot.nv(), 2);
  ASSERT_EQ(description.notes.size(), 1u);
  EXPECT_TRUE(description.notes[0].starts_with("no link has a mass: poses can be computed"));
}

TEST(NastyUrdfInertias, AreRefusedOrTakenAsNearAsPossible) {
  EXPECT_THROW(Robot{read("impossible_inertia")}, InputError);
  const RobotDescription nearest = read("impossible_inertia", ", inertia: nearest");
  EXPECT_NO_THROW(Robot{nearest});
  EXPECT_EQ(nearest.notes.size(), 1u);
  const RobotDescription rounded = read("rounded_inertias");
  EXPECT_EQ(rounded.links[1].inertia.about_com(2, 2), 0.0248);  // as it stands in the file
  EXPECT_NO_THROW(Robot{rounded});
}

}  // namespace
}  // namespace tauflex

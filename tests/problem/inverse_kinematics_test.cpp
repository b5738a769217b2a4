// All postures of arms against independent solvers: closed forms of a wrist-partitioned arm with
// offsets and of an arm whose axes 2, 3, 4 are parallel.
#include "tauflex/problem/inverse_kinematics.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "tauflex/math/rotation_vector.hpp"
#include "tauflex/mechanics/frame_motion.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {
namespace {

constexpr double pi = std::numbers::pi;

// Axes by Denavit and Hartenberg: turn q about z, then a displacement d along z, a along x and a
// turn alpha about x.
struct DhRow {
  double a, alpha, d;
};
using Dh = std::vector<DhRow>;

Pose dh_pose(const DhRow& row) {
  return {rotation_from_rpy({row.alpha, 0, 0}), Vector3(row.a, 0, row.d)};
}

Robot dh_robot(const Dh& rows) {
  RobotDescription robot;
  Pose before;
  for (size_t i = 0; i < rows.size(); ++i) {
    Link link;
    link.name = "link" + std::to_string(i + 1);
    link.joint.parent = i ? "link" + std::to_string(i) : "world";
    link.joint.X_PJ = before;
    link.inertia.mass = 1;
    link.inertia.about_com = Matrix3::Identity();
    link.inertia.given.fill(true);
    robot.links.push_back(link);
    before = dh_pose(rows[i]);
  }
  robot.frames.push_back({"tool", robot.links.back().name, before, ""});
  return Robot(robot);
}

Pose tool_pose(const Dh& rows, const Vector& q) {
  Pose X;
  for (size_t i = 0; i < rows.size(); ++i)
    X = X * Pose{rotation_from_rpy({0, 0, q[static_cast<Eigen::Index>(i)]}), Vector3::Zero()} *
        dh_pose(rows[i]);
  return X;
}

Outputs tool_outputs(const Robot& robot) {
  Outputs outputs;
  const int tool = robot.find_frame("tool");
  outputs.groups.push_back(
      {PositionOutput{tool, world_frame, {0, 1, 2}}, Quantity::length, {0, 1, 2}});
  outputs.groups.push_back({OrientationOutput{tool, world_frame}, Quantity::angle, {3, 4, 5}});
  for (int i = 0; i < 6; ++i) {
    outputs.rows.push_back({"y", i < 3 ? Quantity::length : Quantity::angle});
    outputs.motions.push_back(i);
  }
  return outputs;
}

Vector random_joints(std::mt19937& random, int n) {
  std::uniform_real_distribution<double> angle(-pi, pi);
  Vector q(n);
  for (double& x : q) x = angle(random);
  return q;
}

Vector values_of(const Pose& X) {
  Vector y(6);
  y << X.p, rotation_vector(X.R);
  return y;
}

double turn_distance(const Vector& a, const Vector& b) {
  double largest = 0;
  for (Eigen::Index i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(std::remainder(a[i] - b[i], 2 * pi)));
  return largest;
}

// Every posture of one list is in the other.
bool all_in(const std::vector<Vector>& these, const std::vector<Vector>& those) {
  return std::all_of(these.begin(), these.end(), [&](const Vector& q) {
    return std::any_of(those.begin(), those.end(),
                       [&](const Vector& p) { return turn_distance(q, p) < 1e-6; });  // rad
  });
}

std::vector<double> plus_minus_acos(double c) {
  if (std::abs(c) > 1) return {};
  return {std::acos(c), -std::acos(c)};
}

Matrix3 about_z(double angle) { return rotation_from_rpy({0, 0, angle}); }
Matrix3 about_x(double angle) { return rotation_from_rpy({angle, 0, 0}); }

// q1 with sin(q1) x - cos(q1) y = offset: the arm plane passes the first axis at this distance.
std::vector<double> shoulders(double x, double y, double offset) {
  const double r = std::hypot(x, y), phi = std::atan2(y, x);
  if (std::abs(offset) > r) return {};
  return {phi + std::asin(offset / r), phi + pi - std::asin(offset / r)};
}

// (q2, q3) of two links a and b in a plane.
std::vector<std::pair<double, double>> two_links(double a, double b, double x, double y) {
  std::vector<std::pair<double, double>> list;
  for (const double q3 : plus_minus_acos((x * x + y * y - a * a - b * b) / (2 * a * b)))
    list.emplace_back(std::atan2(y, x) - std::atan2(b * std::sin(q3), a + b * std::cos(q3)), q3);
  return list;
}

// Six axes, the last three of which meet in one point; elbow and shoulder have offsets.
const Dh spherical_wrist = {{0, pi / 2, 0.67}, {0.43, 0, 0.15}, {0.02, -pi / 2, 0},
                            {0, pi / 2, 0.43}, {0, -pi / 2, 0}, {0, 0, 0.1}};

// Closed form: position of the wrist by the first three joints, orientation by Euler angles.
std::vector<Vector> spherical_wrist_postures(const Pose& X) {
  const Dh& arm = spherical_wrist;
  const Vector3 w = X.p - arm[5].d * X.R.col(2);
  const double L = std::hypot(arm[2].a, arm[3].d), gamma = std::atan2(arm[3].d, arm[2].a);
  std::vector<Vector> list;
  for (const double q1 : shoulders(w[0], w[1], arm[1].d))
    for (const auto& [q2, bend] :
         two_links(arm[1].a, L, std::cos(q1) * w[0] + std::sin(q1) * w[1], w[2] - arm[0].d)) {
      const double q3 = bend - gamma;
      const Matrix3 R_03 = about_z(q1) * about_x(pi / 2) * about_z(q2 + q3) * about_x(-pi / 2);
      const Matrix3 R = R_03.transpose() * X.R;  // Rz(q4) Ry(-q5) Rz(q6)
      for (const double beta : plus_minus_acos(R(2, 2))) {
        const double sign = beta < 0 ? -1 : 1;
        Vector q(6);
        q << q1, q2, q3, std::atan2(sign * R(1, 2), sign * R(0, 2)), -beta,
            std::atan2(sign * R(2, 1), -sign * R(2, 0));
        list.push_back(q);
      }
    }
  return list;
}

// Six axes without a spherical wrist: axes 2, 3 and 4 are parallel, the last three do not meet.
const Dh parallel_axes = {{0, pi / 2, 0.1625}, {-0.425, 0, 0},       {-0.3922, 0, 0},
                          {0, pi / 2, 0.1333}, {0, -pi / 2, 0.0997}, {0, 0, 0.0996}};

// Closed form: n is the direction of the parallel axes.
std::vector<Vector> parallel_axes_postures(const Pose& X) {
  const Dh& arm = parallel_axes;
  const Vector3 w = X.p - arm[5].d * X.R.col(2);
  std::vector<Vector> list;
  for (const double q1 : shoulders(w[0], w[1], arm[3].d)) {
    const Vector3 n(std::sin(q1), -std::cos(q1), 0);
    for (const double q5 : plus_minus_acos(n.dot(X.R.col(2)))) {
      const double s5 = std::sin(q5);
      const double q6 = std::atan2(-n.dot(X.R.col(1)) / s5, n.dot(X.R.col(0)) / s5);
      const Matrix3 R_04 = X.R * about_z(-q6) * (about_z(q5) * about_x(-pi / 2)).transpose();
      const Vector3 p_03 = w - arm[4].d * R_04.col(2) - arm[3].d * n;
      const Matrix3 R_14 = (about_z(q1) * about_x(pi / 2)).transpose() * R_04;
      const double q234 = std::atan2(R_14(1, 0), R_14(0, 0));
      for (const auto& [q2, q3] :
           two_links(arm[1].a, arm[2].a, std::cos(q1) * p_03[0] + std::sin(q1) * p_03[1],
                     p_03[2] - arm[0].d)) {
        Vector q(6);
        q << q1, q2, q3, q234 - q2 - q3, q5, q6;
        list.push_back(q);
      }
    }
  }
  return list;
}

// On random poses: as many postures as the closed form has, and the same ones.
template <class ClosedForm>
void expect_all_postures(const Dh& arm, const ClosedForm& closed_form, int poses, int complex) {
  const Robot robot = dh_robot(arm);
  const InverseKinematics kinematics(robot, tool_outputs(robot), {0, 1, 2, 3, 4, 5},
                                     Vector::Zero(6));
  EXPECT_EQ(kinematics.count(), complex);
  std::mt19937 random(7);
  for (int i = 0; i < poses; ++i) {
    const Pose X = tool_pose(arm, random_joints(random, 6));
    const std::vector<Vector> found = kinematics.postures(values_of(X)), wanted = closed_form(X);
    ASSERT_TRUE(found.size() == wanted.size() && all_in(wanted, found))
        << "pose " << i << ": " << found.size() << " of " << wanted.size();
  }
}

TEST(InverseKinematics, finds_the_eight_postures_of_a_spherical_wrist) {
  expect_all_postures(spherical_wrist, spherical_wrist_postures, 1000, 8);
}

TEST(InverseKinematics, finds_all_postures_of_an_arm_without_a_spherical_wrist) {
  expect_all_postures(parallel_axes, parallel_axes_postures, 1000, 8);
}

// Bends and offsets everywhere: sixteen postures, complex ones counted [Manseur1989]. Here a law:
// each real one gives the pose, and the one the pose was made with is among them.
TEST(InverseKinematics, a_general_arm_has_sixteen) {
  const Dh arm = {{0.3, pi / 2, 0},  {1, 0.01745, 0}, {0, pi / 2, 0.2},
                  {1.5, 0.01745, 0}, {0, pi / 2, 0},  {0, 0.01745, 0}};
  const Robot robot = dh_robot(arm);
  const InverseKinematics kinematics(robot, tool_outputs(robot), {0, 1, 2, 3, 4, 5},
                                     Vector::Zero(6));
  EXPECT_EQ(kinematics.count(), 16);
  std::mt19937 random(7);
  size_t most = 0;
  for (int i = 0; i < 40; ++i) {
    const Vector q = random_joints(random, 6);
    const Vector y = values_of(tool_pose(arm, q));
    const auto found = kinematics.postures(y);
    EXPECT_TRUE(all_in({q}, found)) << i;
    for (const Vector& other : found)
      EXPECT_LT((values_of(tool_pose(arm, other)).head(3) - y.head(3)).norm(),
                1e-8);  // m; rounding
    most = std::max(most, found.size());
  }
  EXPECT_EQ(most, 16u);  // all of them real at some pose
}

// The elbow of two links in a plane, asked for all three coordinates: z follows from the others.
TEST(InverseKinematics, outputs_that_follow_from_others_are_checked) {
  const Dh arm = {{1, 0, 0}, {0.7, 0, 0}};
  const Robot robot = dh_robot(arm);
  Outputs outputs = tool_outputs(robot);
  outputs.groups.pop_back();
  outputs.rows.resize(3);
  outputs.motions.resize(3);
  const InverseKinematics kinematics(robot, outputs, {0, 1}, Vector::Zero(2));
  EXPECT_EQ(kinematics.postures(Vector3(1.2, 0.5, 0)).size(), 2u);
  EXPECT_EQ(kinematics.postures(Vector3(1.2, 0.5, 0.1)).size(), 0u);  // above the plane
  EXPECT_EQ(kinematics.postures(Vector3(1.9, 0, 0)).size(), 0u);      // out of reach
}

TEST(InverseKinematics, half_a_turn_off_is_not_there) {
  const Robot robot = dh_robot(spherical_wrist);
  const Vector q = (Vector(6) << 0.3, 0.4, -0.5, 0.2, 0.7, -0.1).finished();
  Pose X = tool_pose(spherical_wrist, q);
  EXPECT_TRUE(outputs_reached(robot, tool_outputs(robot), q, values_of(X)));
  X.R = X.R * about_z(pi);
  EXPECT_FALSE(outputs_reached(robot, tool_outputs(robot), q, values_of(X)));
}

}  // namespace
}  // namespace tauflex

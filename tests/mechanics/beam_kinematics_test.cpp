// Displacements of beams against the curves that their strains say: an order, for all ways to give
// at once; and what coordinates of the chord mean.
#include <gtest/gtest.h>

#include "math/random.hpp"
#include "mechanics/unit_beam.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/mechanics/beam_motion.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {
namespace {

// Bends in both planes, stretches and twists; length 1.
RobotDescription beam_of_all_ways(int elements, bool shear) {
  RobotDescription robot = unit_beam(elements);
  Beam& beam = *robot.links[0].beam;
  beam.EI_z = 2;
  beam.EA = 30;
  beam.GJ = 3;
  beam.twist_inertia = 0.1;
  if (shear) {
    beam.shear_y = 20;
    beam.shear_z = 30;
    beam.rotary_y = 0.01;
    beam.rotary_z = 0.02;
  }
  return robot;
}

// Node values of a segment with coordinates x, y, rz, z, ry, rx per node, the first one clamped.
struct Node {
  double u, y, p_y, z, p_z, twist;
};
Node node_of(const Vector& q, int node) {
  if (node == 0) return {};
  const int k = 6 * (node - 1);
  return {q[k], q[k + 1], q[k + 2], q[k + 3], -q[k + 4], q[k + 5]};
}

// Turn and shear of an unloaded element between two nodes: p a parabola, the shear constant,
// EI p'' + S g = 0 and y_1 - y_0 = int (p + g); f = 12 EI / (S h^2).
struct Bending {
  double curvature, shear;
};
Bending bending(double y_0, double p_0, double y_1, double p_1, double f, double h, double s) {
  const double c = 6 * ((y_1 - y_0) / h - (p_0 + p_1) / 2) / (1 + f);
  return {(p_1 - p_0 + c * (1 - 2 * s)) / h, c * f / 6};
}

// The section at x of the curve with R' = R [kappa], r' = R (1 + u', g_y, g_z): strains as the
// coordinates have them, by the classical method of Runge and Kutta.
Pose section_at(const Beam& beam, const Vector& q, double x) {
  const double h = 1.0 / beam.elements;
  const double f_y = beam.shear_y > 0 ? 12 * beam.EI_y / (beam.shear_y * h * h) : 0,
               f_z = beam.shear_z > 0 ? 12 * beam.EI_z / (beam.shear_z * h * h) : 0;
  Pose at;
  for (int e = 0; e < beam.elements && x > e * h; ++e) {
    const Node a = node_of(q, e), b = node_of(q, e + 1);
    const auto slope = [&](const Pose& pose, double s) {
      const Bending y = bending(a.y, a.p_y, b.y, b.p_y, f_y, h, s),
                    z = bending(a.z, a.p_z, b.z, b.p_z, f_z, h, s);
      const Vector3 kappa((b.twist - a.twist) / h, -z.curvature, y.curvature);
      const Vector3 along(1 + (b.u - a.u) / h, y.shear, z.shear);
      return Pose{pose.R * skew<double>(kappa), pose.R * along};
    };
    const auto moved = [&](const Pose& by, double dx) {
      return Pose{at.R + dx * by.R, at.p + dx * by.p};
    };
    constexpr int steps = 20;
    const double dx = std::min(x - e * h, h) / steps;
    for (int i = 0; i < steps; ++i) {
      const double s = i * dx / h, ds = dx / h;
      const Pose k1 = slope(at, s), k2 = slope(moved(k1, dx / 2), s + ds / 2),
                 k3 = slope(moved(k2, dx / 2), s + ds / 2), k4 = slope(moved(k3, dx), s + ds);
      at.R += dx / 6 * (k1.R + 2 * k2.R + 2 * k3.R + k4.R);
      at.p += dx / 6 * (k1.p + 2 * k2.p + 2 * k3.p + k4.p);
    }
  }
  return at;
}

// Largest error of the points that carry the mass, and of position and orientation of the end.
double largest_error(const Robot& robot, const Vector& q) {
  const Beam& beam = *robot.description().links[0].beam;
  MechanicsData data(robot);
  kinematics<double>(robot, data, q);
  double largest = 0;
  for (const BeamLayout::Point& point : robot.tree().beams[0].points) {
    const Pose section = section_at(beam, q, point.at[0]);
    const Vector3 beside(0, point.at[1], point.at[2]);
    largest = std::max(largest,
                       (beam_point(point, data.beam[0]) - section.p - section.R * beside).norm());
  }
  const Pose end = section_at(beam, q, 1);
  const Frame& tip = robot.frames()[robot.find_frame("tip")];
  largest = std::max(largest, (frame_position(data, tip) - end.p).norm());
  return std::max(largest, (frame_rotation<double>(data, tip) - end.R).norm());
}

// An order: displacements and rotations err by the third power of the strains.
TEST(BeamKinematics, DisplacementsAreOfSecondOrder) {
  Random random(3);
  for (const bool shear : {false, true}) {
    const Robot robot(beam_of_all_ways(3, shear));
    const Vector q = random.vector(robot.nq(), 1);
    const double error = largest_error(robot, 1e-3 * q), half = largest_error(robot, 5e-4 * q);
    EXPECT_NEAR(std::log2(error / half), 3, 0.05) << shear;  // next: slopes, 0.02
    EXPECT_GT(error, 1e-10);                                 // it is not all rounding
  }
}

// A closed form: a bar that twists, free at both ends, has n pi sqrt(GJ / j); linear elements are
// stiffer by (n pi h)^2 / 24. Its start is a joint about its axis, so that the angular momentum of
// twisting sections counts.
TEST(BeamKinematics, ABarThatTwistsIsFreeAtBothEnds) {
  RobotDescription description = unit_beam(8, JointType::revolute);
  description.links[0].joint.axis = {1, 0, 0};
  Beam& beam = *description.links[0].beam;
  beam.EI_y = 0;
  beam.GJ = 3;
  beam.twist_inertia = 0.1;
  const Robot robot(description);
  MechanicsData data(robot);
  const Vector still = Vector::Zero(robot.nv());
  joint_torque_derivatives(robot, data, still, still, still);
  Vector squares = eigenvalues(solve_linear(data.M, data.dtau_dq)).real();
  std::sort(squares.begin(), squares.end());
  for (int n = 1; n <= 2; ++n) {
    const double k = n * M_PI, stiffer = k * k / 64 / 24;
    EXPECT_NEAR(std::sqrt(squares[n] / 30) / k - 1, stiffer, 0.1 * stiffer);  // next: (k h)^2 / 10
  }
}

// A closed form: D M^-1 D = 4 zeta^2 K, every mode of the clamped beam has the ratio zeta.
TEST(BeamKinematics, DampingIsTheSameRatioForEveryMode) {
  RobotDescription description = beam_of_all_ways(2, false);
  description.links[0].beam->damping_ratio = 0.03;
  const Robot robot(description);
  const BeamLayout& beam = robot.tree().beams[0];
  const Matrix twice = beam.damping * solve_linear(mass_at_rest(beam), beam.damping);
  EXPECT_LT((twice / (4 * 9e-4) - beam.stiffness).norm(), 1e-10 * beam.stiffness.norm());
}

// Seen from the chord, a start that turns by a against it with nothing else puts all nodes on the
// chord, which the joint's tangent sees turned by -a.
TEST(BeamKinematics, TheChordGoesThroughTheEnd) {
  RobotDescription description = unit_beam(3);
  Beam& beam = *description.links[0].beam;
  beam.chord = true;
  beam.second_order = false;
  const Robot robot(description);
  MechanicsData data(robot);
  Vector q = Vector::Zero(robot.nq());
  ASSERT_EQ(robot.coordinates().names[0], "arm.rz0_start");
  q[0] = 0.02;
  kinematics<double>(robot, data, q);
  const Frame& tip = robot.frames()[robot.find_frame("tip")];
  EXPECT_NEAR(frame_position(data, tip)[1], -0.02, 1e-15);
  EXPECT_NEAR(frame_rotation<double>(data, tip)(1, 0), -std::sin(0.02), 1e-15);
  // inner nodes move the beam between its ends, and not the end
  q.setZero();
  q[1] = 0.02;
  ASSERT_EQ(robot.coordinates().names[1], "arm.y1");
  kinematics<double>(robot, data, q);
  EXPECT_EQ(frame_position(data, tip)[1], 0);
}

}  // namespace
}  // namespace tauflex

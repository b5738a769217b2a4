// Beams whose motion or load is known in closed form: torques that are recovered from nodes of 1,
// 2, 4 and 8 elements, beside the integral over the beam and beside beam links; deflection by
// gravity.
#include <gtest/gtest.h>

#include "tauflex/elements/frame_pose.hpp"
#include "tauflex/elements/frame_system.hpp"
#include "tauflex/elements/newmark.hpp"
#include "tauflex/elements/robot_frame.hpp"
#include "tauflex/elements/torque_recovery.hpp"
#include "tauflex/mechanics/joint_torques.hpp"

namespace tauflex {
namespace {

constexpr double length = 0.8, density = 1.7, bending = 3;  // m, kg/m, N m^2

Robot beam_robot(int elements, const Vector3& gravity = Vector3::Zero()) {
  RobotDescription robot;
  robot.gravity = gravity;
  robot.links.emplace_back();
  Link& link = robot.links.back();
  link.name = "arm";
  link.drive.emplace();
  link.beam.emplace();
  link.beam->to = length * Vector3::UnitX();
  link.beam->mass_per_length = density;
  link.beam->EI_y = bending;
  link.beam->elements = elements;
  return Robot(robot);
}

// A beam that keeps its length: at s of its length it points to psi(s) = turn + bend f(s), with
// f = (2 - s) s, and all of it moves. Position, velocity and acceleration by the integral of its
// direction, with so many intervals of Simpson's rule that their error is below 1e-13.
struct BentBeam {
  double turn, turn_rate, turn_acceleration, bend, bend_rate, bend_acceleration;

  struct Point {
    double psi, w, alpha;
    Vector3 x, v, a;
  };
  // At even intervals of [0, 1].
  std::vector<Point> points(int count) const {
    constexpr int fine = 64;
    std::vector<Point> out;
    Point now = direction(0);
    out.push_back(now);
    for (int i = 0; i < count; ++i) {
      Point next = direction((i + 1.0) / count);
      next.x = now.x;
      next.v = now.v;
      next.a = now.a;
      const double h = 1.0 / (count * fine);
      for (int k = 0; k < fine; ++k) {
        const double s = static_cast<double>(i) / count + k * h;
        for (const auto& [at, weight] :
             {std::pair(s, 1.0), std::pair(s + h / 2, 4.0), std::pair(s + h, 1.0)}) {
          const Point p = direction(at);
          const double factor = weight * h / 6 * length;
          const Vector3 e(std::cos(p.psi), std::sin(p.psi), 0), n(-e[1], e[0], 0);
          next.x += factor * e;
          next.v += factor * p.w * n;
          next.a += factor * (p.alpha * n - p.w * p.w * e);
        }
      }
      out.push_back(now = next);
    }
    return out;
  }

  // N m about the start: the integral of r x a over the mass.
  double torque() const {
    const int count = 64;
    const std::vector<Point> at = points(count);
    double sum = 0;
    for (int k = 0; k <= count; ++k) {
      const double weight = k == 0 || k == count ? 1 : k % 2 ? 4 : 2;
      const Point& p = at[static_cast<size_t>(k)];
      sum += weight * p.x.cross(p.a)[2];
    }
    return density * length / (3 * count) * sum;
  }

 private:
  Point direction(double s) const {
    const double f = (2 - s) * s;
    const Vector3 zero = Vector3::Zero();
    return {turn + bend * f,
            turn_rate + bend_rate * f,
            turn_acceleration + bend_acceleration * f,
            zero,
            zero,
            zero};
  }
};

struct Recovered {
  // As nodes of the frame give it, and as a beam link does with the same nodes.
  double frame, beam_link;
};

Recovered recovered(const BentBeam& motion, ElementKind kind, int elements) {
  const Robot robot = beam_robot(elements);
  const ElementFrame frame = robot_frame(robot, Vector::Zero(robot.nq()), {kind, elements});
  FrameState state(frame);
  const std::vector<BentBeam::Point> points = motion.points(elements);
  for (int k = 0; k <= elements; ++k) {
    const BentBeam::Point& p = points[static_cast<size_t>(k)];
    state.x[k] = p.x;
    state.v[k] = p.v;
    state.a[k] = p.a;
    state.R[k] = Eigen::AngleAxisd(p.psi, Vector3::UnitZ()).toRotationMatrix();
    state.w[k] = p.w * Vector3::UnitZ();
    state.alpha[k] = p.alpha * Vector3::UnitZ();
  }
  TorqueRecovery recovery(frame, {1});
  Vector travel = Vector::Constant(1, motion.turn), torque(1);
  recovery.recover(state, travel, torque);
  Vector q = Vector::Zero(robot.nq()), v = Vector::Zero(robot.nv()), vdot = v;
  joints_of_pose(frame, state, travel, q, v, vdot);
  MechanicsData data(robot);
  joint_torques<double>(robot, data, q, v, vdot);
  return {torque[0], data.tau[0]};
}

// Closed form and order: on a motion that is given, the torque of n elements is the integral over
// the beam to order 4 with cubic elements, and to order 2 with linear ones; rotations are large.
TEST(BeamRecovery, converges_with_elements) {
  const BentBeam motion{0.7, 1.3, 2.1, 0.5, -0.9, 4};
  const double exact = motion.torque();
  for (const auto& [kind, order, coarsest] :
       {std::tuple(ElementKind::bernoulli, 4.0, 3e-3), {ElementKind::timoshenko, 2.0, 0.2}}) {
    std::vector<double> errors;
    const int first = kind == ElementKind::bernoulli ? 1 : 2;
    for (const int factor : {1, 2, 4, 8})
      errors.push_back(std::abs(recovered(motion, kind, first * factor).frame - exact) /
                       std::abs(exact));
    EXPECT_LT(errors[0], coarsest);
    for (size_t k = 1; k < 4; ++k)
      EXPECT_NEAR(std::log2(errors[k - 1] / errors[k]), order, 0.6)
          << k << " " << errors[k - 1] << " " << errors[k];
  }
}

// Closed form: with small deflections beam links of the floating frame give the same torque on the
// same motion, asked for to 1e-3, and both converge to the integral.
TEST(BeamRecovery, is_that_of_beam_links) {
  const BentBeam motion{0.7, 1.3, -2.1, 0.01, -0.02, 0.8};
  const double exact = motion.torque();
  std::vector<double> errors;
  for (const int elements : {1, 2, 4, 8}) {
    const auto [frame, beam_link] = recovered(motion, ElementKind::bernoulli, elements);
    EXPECT_NEAR(frame, beam_link, 1e-4 * std::abs(exact)) << elements;  // deflections squared
    errors.push_back(std::abs(frame - exact) / std::abs(exact));
  }
  EXPECT_LT(errors[0], 1e-3);
  EXPECT_LT(errors[2], errors[0] / 150);  // order 4: by 256
}

// Closed form: sag of a beam that its joint holds level, rho g L^4 / (8 EI), whatever the number of
// cubic elements, and to order 2 with linear ones. Stiffness against mass.
TEST(BeamRecovery, sag_by_gravity) {
  const double g = 0.01;  // so little that nothing is of second order
  const double exact = density * g * std::pow(length, 4) / (8 * bending);
  const auto sag = [&](ElementKind kind, int elements) {
    const Robot robot = beam_robot(elements, {0, -g, 0});
    ElementFrame frame = robot_frame(robot, Vector::Zero(robot.nq()), {kind, elements});
    frame.drive_joint(0);
    FrameSystem system(frame, {}, {});
    Newmark newmark(system, {});
    EXPECT_TRUE(newmark.settle(0));
    // the torque that holds it is its weight times half its length
    newmark.start(0, Vector::Zero(frame.size));
    system.set_motion(newmark.v(), newmark.a());
    TorqueRecovery recovery(frame, {1});
    Vector torque(1);
    recovery.recover(system.state(), system.travel(), torque);
    EXPECT_NEAR(torque[0], density * g * length * length / 2, 1e-6 * density * g);
    return -system.state().x.back()[1];
  };
  for (const int elements : {1, 2, 4, 8})
    EXPECT_NEAR(sag(ElementKind::bernoulli, elements), exact, 1e-5 * exact) << elements;
  const double coarse = sag(ElementKind::timoshenko, 4) / exact - 1,
               fine = sag(ElementKind::timoshenko, 8) / exact - 1;
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

// Closed form: shear adds rho g L^2 / (2 GA) to the sag.
TEST(BeamRecovery, sag_with_shear) {
  const double g = 0.01, GA = 40;
  const double exact =
      density * g * std::pow(length, 4) / (8 * bending) + density * g * length * length / (2 * GA);
  RobotDescription description = beam_robot(8, {0, -g, 0}).description();
  description.links[0].beam->shear_y = GA;
  const Robot robot(description);
  ElementFrame frame = robot_frame(robot, Vector::Zero(robot.nq()));
  frame.drive_joint(0);
  FrameSystem system(frame, {}, {});
  Newmark newmark(system, {});
  ASSERT_TRUE(newmark.settle(0));
  EXPECT_NEAR(-system.state().x.back()[1], exact, 0.01 * exact);  // consistent loads of (E.4)
}

}  // namespace
}  // namespace tauflex

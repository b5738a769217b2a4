// Index, zeros and growth against values known from theory and from independent computations.
#include "tauflex/analysis/diagnosis.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "example_jobs.hpp"
#include "tauflex/equations/consistent_start.hpp"
#include "tauflex/math/pencil.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

Diagnosis diagnosed(const std::string& example, const std::vector<std::string>& overrides = {}) {
  const Posed posed = pose(example_job(example, overrides));
  return diagnose(posed.problem, quasi_static_points(posed.problem, posed.start));
}

TEST(Pencil, a_nilpotent_chain_and_one_eigenvalue) {
  // x1' = -3 x1;  x3' = x2, x4' = x3, 0 = x4: index 3
  Matrix E = Matrix::Zero(4, 4), A = Matrix::Identity(4, 4);
  E(0, 0) = 1;
  A(0, 0) = -3;
  E(1, 2) = E(2, 3) = 1;
  const PencilStructure s = pencil_structure(E, A);
  EXPECT_TRUE(s.regular);
  EXPECT_EQ(s.index, 3);
  ASSERT_EQ(s.eigenvalues.size(), 1u);
  EXPECT_NEAR(s.eigenvalues[0].real(), -3, 1e-12);  // rounding
}

TEST(Pencil, singular) {
  Matrix E = Matrix::Zero(2, 2), A = Matrix::Zero(2, 2);
  E(0, 0) = A(1, 0) = 1;  // the second unknown appears nowhere
  EXPECT_FALSE(pencil_structure(E, A).regular);
}

TEST(Diagnosis, every_example_is_minimum_phase_or_flat) {
  struct Expected {
    const char* example;
    int index;
    bool flat;
  };
  for (const Expected& e : {Expected{"e1_simplified", 3, false},
                            {"e1_complete", 3, false},
                            {"e12_bdf", 4, false},
                            {"e12_linearized", 4, false},
                            {"rigid_2r", 3, true},
                            {"flexible_joint", 5, true},
                            {"two_cars", 5, true}}) {
    const Diagnosis d = diagnosed(e.example);
    EXPECT_EQ(d.status, Status::solved) << d.message;
    EXPECT_TRUE(d.minimum_phase) << e.example << " " << d.largest_zero_real_part;
    EXPECT_EQ(d.flat, e.flat) << e.example;
    EXPECT_EQ(d.differential_index, e.index) << e.example;
    EXPECT_EQ(d.required_smoothness, e.index - 1) << e.example;
  }
}

// At a stretched arm the outputs cannot be moved independently. One such pose of nine does not
// decide.
TEST(Diagnosis, one_singular_pose_of_nine_does_not_decide) {
  for (const char* example : {"e12", "rigid_2r"}) {
    const Posed posed = pose(example_job(example));
    std::vector<QuasiStaticPoint> points = quasi_static_points(posed.problem, posed.start);
    ASSERT_EQ(points.size(), 9u) << example;
    const Diagnosis right = diagnose(posed.problem, points);
    Vector& q = points[4].state.q;
    const auto& names = posed.problem.robot().coordinates().names;
    const auto at = [&](const char* name) {
      return std::find(names.begin(), names.end(), name) - names.begin();
    };
    for (const char* name : {"fore", "hand", "fore.rotor"})
      if (at(name) < q.size()) q[at(name)] = 0;
    const Diagnosis d = diagnose(posed.problem, points);
    EXPECT_EQ(d.status, Status::solved) << example << ": " << d.message;
    EXPECT_EQ(d.differential_index, right.differential_index) << example;
    EXPECT_EQ(d.minimum_phase, right.minimum_phase) << example;
    EXPECT_EQ(d.phase.size(), 8u) << example;
    ASSERT_EQ(d.notes.size(), right.notes.size() + 1) << example;
    EXPECT_NE(d.notes.back().find("the other poses decide"), std::string::npos) << d.notes.back();
    // alone it would have refused the task
    EXPECT_EQ(diagnose(posed.problem, {points[4]}).status, Status::not_solvable) << example;
  }
}

TEST(Diagnosis, zeros_of_e1) {  // 500 x'' + 2000 x' + 2e6 x = 0 at the start pose
  const Diagnosis d = diagnosed("e1_simplified");
  ASSERT_EQ(d.zeros.size(), 2u);
  for (const auto& zero : d.zeros) {
    EXPECT_NEAR(zero.real(), -2, 1e-6);  // rounding of a large pencil
    EXPECT_NEAR(std::abs(zero.imag()), std::sqrt(4000.0 - 4.0),
                1e-6);  // rounding of a large pencil
  }
}

TEST(Diagnosis, zeros_of_e12) {
  const Diagnosis d = diagnosed("e12_bdf", {"robot.gravity=[0, 0, 0]"});  // undeformed: q3 = 0
  ASSERT_EQ(d.zeros.size(), 4u);
  // sorted by real part: the two rotors, -k/d; then -0.625 +/- 50.0j
  EXPECT_NEAR(d.zeros[0].real(), -2000, 2);              // 1e-3 relative: printed digits
  EXPECT_NEAR(d.zeros[1].real(), -2000, 2);              // 1e-3 relative: printed digits
  EXPECT_NEAR(d.zeros[2].real(), -0.625, 6e-4);          // 1e-3 relative: printed digits
  EXPECT_NEAR(std::abs(d.zeros[2].imag()), 50.0, 0.05);  // 1e-3 relative: printed digits
}

TEST(Diagnosis, a_light_hand_is_not_minimum_phase) {
  const Diagnosis d = diagnosed("e12_bdf", {"robot.links.hand.inertia.yy=1"});
  EXPECT_FALSE(d.minimum_phase);
  EXPECT_NEAR(d.largest_zero_real_part, 377.7,
              3.8);  // 1 % : the reference is for the undeformed start
}

TEST(Diagnosis, undamped_drives_raise_the_index) {
  EXPECT_EQ(diagnosed("e12_bdf",
                      {"robot.links.upper.drive.damping=0", "robot.links.fore.drive.damping=0"})
                .differential_index,
            5);
}

TEST(Diagnosis, cars_in_a_chain_have_index_2n_plus_1) {
  for (int n = 2; n <= 5; ++n) {
    RobotDescription robot;
    robot.gravity.setZero();
    for (int i = 0; i < n; ++i) {
      Link car;
      car.name = "car" + std::to_string(i);
      car.joint = {.parent = i ? "car" + std::to_string(i - 1) : "world",
                   .type = JointType::prismatic,
                   .axis = Vector3::UnitX()};
      car.inertia.mass = 1 + i;
      if (i == 0) car.drive = Drive{};
      if (i > 0) car.spring = Spring{.stiffness = 5};
      robot.links.push_back(car);
    }
    Task task = example_job("two_cars").task;
    task.outputs = {"car" + std::to_string(n - 1) + ".x"};
    const InverseProblem problem(Robot(robot), task);
    const RestState start = consistent_start(problem);
    const Diagnosis d = diagnose(problem, {{0, start}});
    EXPECT_EQ(d.differential_index, 2 * n + 1);
    EXPECT_TRUE(d.flat);
  }
}

TEST(Diagnosis, a_path_that_is_not_smooth_enough) {
  const Posed posed = pose(example_job("e12_bdf", {"task.path.profile=polynomial5"}));
  const auto fault = smoothness_fault(
      posed.problem, diagnose(posed.problem, quasi_static_points(posed.problem, posed.start)));
  ASSERT_TRUE(fault.has_value());
  EXPECT_NE(fault->find("the 3rd derivative of 'tool.z' jumps at t = 0 s"), std::string::npos)
      << *fault;
  EXPECT_NE(fault->find("polynomial7"), std::string::npos) << *fault;
}

// An inverted pendulum at rest: dq(t)/dq(0) = cosh(w t), far beyond the largest double.
TEST(Growth, of_a_long_time_in_a_closed_form) {
  RobotDescription description;
  Link link;
  link.name = "axis";
  link.joint.axis = Vector3::UnitY();
  link.inertia.mass = 1;
  link.inertia.com = Vector3(0, 0, 1);
  link.inertia.about_com = 1e-9 * Matrix3::Identity();
  link.inertia.given = {true, true, true, true, true, true};
  link.drive = Drive{};
  description.gravity = Vector3(0, 0, -9.81);
  description.links = {link};
  const Robot robot(description);
  const double w = std::sqrt(9.81);
  for (const auto& [span, steps] : {std::pair{1.0, 1000}, {400.0, 100}, {400.0, 40000}}) {
    const Vector t = Vector::LinSpaced(steps + 1, 0, span);
    const Matrix still = Matrix::Zero(1, steps + 1), none(0, steps + 1);
    const Vector log_growth = log_growth_along(robot, t, still, still, still, none);
    const double exact = w * span + std::log1p(std::exp(-2 * w * span)) - std::log(2.0);
    // steps of the Pade form turn 0.1 rad at most and err by a third of its square, 0.33 %
    EXPECT_NEAR(log_growth[steps], exact, 0.004 * exact) << span << " " << steps;
  }
}

TEST(Growth, e12_as_known) {
  const Posed posed = pose(example_job("e12_bdf"));
  const Solution s = solve(posed.problem, posed.start, BdfOptions{.order = 3, .step = 1e-3});
  const Vector growth = log_growth_along(posed.plant, s.t, s.q, s.v, s.vdot, s.lambda);
  EXPECT_NEAR(std::exp(growth[growth.size() - 1]), 2.2, 0.1);  // printed digit of the reference
  for (Eigen::Index i = 1; i < growth.size(); ++i) EXPECT_GE(growth[i], growth[i - 1]);
}

}  // namespace
}  // namespace tauflex

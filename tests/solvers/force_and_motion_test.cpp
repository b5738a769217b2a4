// Why force and motion of an arm with an elastic link are a boundary value problem, and what the
// boundary values of [Tsujita, Tsuchiya, Kamiya & Kawano] would ask of the motors.
#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/planning/plan.hpp"
#include "tauflex/problem/servo_rows.hpp"
#include "tauflex/solvers/boundary_problem.hpp"

namespace tauflex {
namespace {

// Coordinates without a drive: four of the beam and the hand.
std::vector<int> elastic_coordinates(const InverseProblem& problem) {
  std::vector<int> list;
  for (const int row : problem.passive_rows()) list.push_back(row);
  return list;
}

TEST(ForceAndMotion, TheInitialValueProblemIsIllPosed) {
  const Posed posed = plan(example_job("tsujita"));
  InternalDynamics dynamics(posed.problem);
  dynamics.choose(posed.start.q);
  const std::vector<int> elastic = elastic_coordinates(posed.problem);
  ASSERT_EQ(dynamics.free_joints(), elastic);
  // zeros: one that grows and one that decays per elastic coordinate, all of them real
  const auto zeros = eigenvalues(jacobian_at_rest(dynamics, posed.problem.begin(), posed.start));
  int growing = 0;
  for (const std::complex<double>& zero : zeros) {
    EXPECT_LT(std::abs(zero.imag()), 0.2 * std::abs(zero.real()));
    growing += zero.real() > 0;
  }
  EXPECT_EQ(growing, static_cast<int>(elastic.size()));
  // over the 0.5 s of the path the slowest of them grows by more than any number of digits
  double slowest = 1e9;
  for (const std::complex<double>& zero : zeros)
    if (zero.real() > 0) slowest = std::min(slowest, zero.real());
  EXPECT_GT(slowest * 0.5, 2.0);

  // mass matrix of the elastic coordinates when the tool is led: M_e dq/ds
  const Robot& robot = posed.problem.robot();
  MechanicsData data(robot);
  Matrix y(posed.problem.output_count(), 1);
  posed.problem.path().derivatives(0, y);
  ServoRows rows(posed.problem);
  rows.evaluate(data, 0, posed.start.q, y.col(0));
  const int n = robot.tree_nv(), p = static_cast<int>(elastic.size());
  Matrix P = Matrix::Zero(n, n), right = Matrix::Zero(n, p);
  P.topRows(rows.size()) = rows.C();
  for (int k = 0; k < p; ++k) {
    P(rows.size() + k, elastic[k]) = 1;
    right(rows.size() + k, k) = 1;
  }
  mass_matrix(robot, data, posed.start.q);
  const Matrix reduced = data.M(elastic, Eigen::all) * solve_linear(P, right);
  int negative = 0;
  for (const std::complex<double>& value : eigenvalues(reduced)) negative += value.real() < 0;
  EXPECT_GT(negative, 0);  // indefinite, where that of a robot that moves freely is positive
  EXPECT_GT(symmetric_eigenvalues(data.M).minCoeff(), 0);
}

// w = 0 at both ends of the path, as printed: the robot has to be shot into motion.
TEST(ForceAndMotion, PrintedBoundaryValuesAskForImpulses) {
  const Posed posed = plan(example_job("tsujita"));
  const InverseProblem problem = posed.problem.with_window({0, 0});
  InternalDynamics dynamics(problem);
  dynamics.choose(posed.start.q);
  const int p = dynamics.freedom();
  const std::vector<QuasiStaticPoint> poses = quasi_static_points(problem, posed.start, 33);
  Dichotomy straight;
  straight.y = Vector::Zero(2 * p);
  straight.stable = straight.unstable = Matrix::Zero(p, 2 * p);
  straight.stable.leftCols(p).setIdentity();
  straight.unstable.leftCols(p).setIdentity();
  BoundaryProblem boundary(dynamics, straight, straight, poses);
  std::vector<double> mesh;
  for (int i = 0; i <= 200; ++i) mesh.push_back(0.5 * i / 200);
  boundary.set_mesh(mesh);
  ASSERT_TRUE(boundary.converge() || boundary.converge_from_slow()) << boundary.followed();
  const Robot& robot = problem.robot();
  MechanicsData data(robot);
  for (const Eigen::Index end : {Eigen::Index(0), boundary.nodes().cols() - 1}) {
    InternalMotion m = dynamics.motion();
    m.q = poses[end == 0 ? 0 : poses.size() - 1].state.q;
    const Vector y = boundary.nodes().col(end);
    ASSERT_TRUE(dynamics.solve(mesh[end], y.head(p), y.tail(p), m));
    mass_matrix(robot, data, m.q);
    // momentum of both motors' joints, N m s
    const Vector momentum = data.M * m.v;
    EXPECT_NEAR(momentum[0], end == 0 ? 0.0314 : 0.0382, 1e-4);
    EXPECT_NEAR(momentum[1], end == 0 ? 0.0125 : 0.0271, 1e-4);
    // and some that no motor could give
    EXPECT_GT(momentum.tail(p).cwiseAbs().maxCoeff(), 1e-2);
  }
}

}  // namespace
}  // namespace tauflex

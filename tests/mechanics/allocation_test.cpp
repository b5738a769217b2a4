// Law: the inner functions of mechanics do not allocate once the workspace is made.
#include <gtest/gtest.h>

#include <memory>

#include "counting_malloc.hpp"
#include "mechanics/random_robots.hpp"
#include "tauflex/mechanics/energy.hpp"
#include "tauflex/mechanics/forward_dynamics.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/mechanics/torques_of_states.hpp"

namespace tauflex {
namespace {

TEST(Allocation, IsCounted) {
  Vector x;
  std::unique_ptr<int> number;
  EXPECT_EQ(count_allocations([&] { x = Vector::Zero(5); }), 1);
  EXPECT_EQ(count_allocations([&] { number = std::make_unique<int>(1); }), 1);
  EXPECT_EQ(count_allocations([] {}), 0);
}

const auto none = [](const char* name, const auto& f) {
  EXPECT_EQ(count_allocations(f), 0) << name;
};

template <class S>
void expect_no_allocation(const Robot& robot) {
  MotionData<S> data(robot);
  Random random(5);
  const VectorOf<S> q = random.vector(robot.nq(), 3).cast<S>(),
                    v = random.vector(robot.nv(), 2).cast<S>(),
                    vdot = random.vector(robot.nv(), 5).cast<S>();
  const Frame& frame = robot.frames().front();
  none("kinematics", [&] { kinematics<S>(robot, data, q); });
  none("frame_position", [&] { frame_position<S>(data, frame); });
  none("inverse_dynamics", [&] { inverse_dynamics<S>(robot, data, q, v, vdot); });
  none("joint_torques", [&] { joint_torques<S>(robot, data, q, v, vdot); });
  none("drive_spring_torques", [&] { drive_spring_torques<S>(robot, data, q, v); });
}

// What exists for doubles only.
void expect_no_allocation_of_numbers(const Robot& robot) {
  expect_no_allocation<double>(robot);
  MechanicsData data(robot);
  Random random(5);
  const Vector q = random.vector(robot.nq(), 3), v = random.vector(robot.nv(), 2),
               vdot = random.vector(robot.nv(), 5);
  Vector u = random.vector(static_cast<int>(robot.actuation().drives.size()), 5), a(robot.nv()),
         tree(robot.tree_nv());
  Matrix J(3, robot.tree_nv());
  const Frame& frame = robot.frames().front();
  none("kinematics", [&] { kinematics<double>(robot, data, q); });
  none("frame_jacobian", [&] { frame_jacobian<double>(robot, data, frame, J); });
  none("frame_jacobian_derivative", [&] { frame_jacobian_derivative(robot, data, frame, v, J); });
  none("position_rate", [&] { position_rate<double>(robot, q, v, a); });
  none("inverse_dynamics_derivatives",
       [&] { inverse_dynamics_derivatives(robot, data, q, v, vdot); });
  none("mass_matrix", [&] { mass_matrix(robot, data, q); });
  none("joint_torque_derivatives", [&] { joint_torque_derivatives(robot, data, q, v, vdot); });
  none("drive_spring_torques", [&] { drive_spring_torques<double>(robot, data, q, v); });
  none("motor_torques", [&] { motor_torques<double>(robot, data, v, vdot, u); });
  none("tree_accelerations", [&] { tree_accelerations(robot, data, q, v, data.tau, tree); });
  none("forward_dynamics", [&] { forward_dynamics(robot, data, q, v, u, a); });
  none("energy", [&] { energy(robot, data, q, v); });
  StatesData states(robot);
  const Matrix Q = q.replicate(1, 9), V = v.replicate(1, 9), A = vdot.replicate(1, 9);
  Matrix torques(robot.tree_nv(), 9);
  none("torques_of_states", [&] { torques_of_states(robot, states, Q, V, A, torques); });
}

class NoAllocation : public ::testing::TestWithParam<int> {
 protected:
  Robot robot{random_robot(4, {.links = GetParam()})};
};

TEST_P(NoAllocation, OfNumbers) { expect_no_allocation_of_numbers(robot); }
TEST_P(NoAllocation, OfDuals) { expect_no_allocation<Dual>(robot); }
TEST_P(NoAllocation, OfJets) { expect_no_allocation<Jet>(robot); }
TEST_P(NoAllocation, OfLinearizedRobots) {
  expect_no_allocation_of_numbers(linearized_at(robot, Vector::Zero(robot.nq())));
}
TEST_P(NoAllocation, OfPower) {
  const Vector v = Vector::Ones(robot.nv()),
               u = Vector::Ones(static_cast<int>(robot.actuation().drives.size()));
  Vector gradient = Vector::Zero(robot.nv());
  MechanicsData data(robot);
  kinematics<double>(robot, data, robot.coordinates().neutral);
  EXPECT_EQ(count_allocations([&] {
              dissipated_power(robot, data, v);
              motor_power(robot, v, u);
              add_dissipated_power_gradient(robot, data, v, gradient);
            }),
            0);
}

INSTANTIATE_TEST_SUITE_P(Links, NoAllocation, ::testing::Values(3, 12, 40));

}  // namespace
}  // namespace tauflex

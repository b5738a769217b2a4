// Beams of many elements and segments: masses on their nodes, and what segments do to the torque's
// hold on the end.
#include <gtest/gtest.h>

#include "math/random.hpp"
#include "mechanics/comparison.hpp"
#include "mechanics/unit_beam.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"

namespace tauflex {
namespace {

// A beam with all ways to give, on a joint, in n elements of 0.3 m.
RobotDescription beam_of_all_kinds(int elements) {
  RobotDescription description = unit_beam(elements, JointType::revolute);
  description.gravity = {1, 2, -9.81};
  Beam& beam = *description.links[0].beam;
  beam.to = {0.3 * elements, 0, 0};
  beam.EI_z = 2;
  beam.EA = 30;
  beam.GJ = 3;
  beam.twist_inertia = 0.1;
  description.frames.clear();
  return description;
}

// A law: forces and their derivatives for a mass on a node are those of a link that is fixed to the
// end of a beam that ends there. Masses on a beam move by sums over the elements before them, its
// end by products of all coordinates.
TEST(Beam, AMassOnANodeIsALinkFixedThere) {
  const int elements = 5;
  Random random(11);
  for (const bool second_order : {true, false})
    for (const int node : {1, 3, 5}) {
      RobotDescription with = beam_of_all_kinds(elements), ends = beam_of_all_kinds(node);
      with.links[0].beam->second_order = ends.links[0].beam->second_order = second_order;
      const Robot without(with), shorter(ends);
      with.links[0].beam->masses = {{0.3 * node, 2.5}};
      fix_mass_to_end(ends, 2.5, 0.3 * node);
      const Vector q = random.vector(without.nq(), 0.3), v = random.vector(without.nv(), 1),
                   vdot = random.vector(without.nv(), 3);
      // tau, M, dtau/dq, dtau/dv of what moves the mass, one beside the other
      const auto forces = [&](const Robot& robot) {
        const int all = robot.nv(), n = shorter.nv();
        MechanicsData data(robot);
        joint_torque_derivatives(robot, data, q.head(all), v.head(all), vdot.head(all));
        Matrix list(n, 1 + 3 * n);
        list << data.tau.head(n), data.M.topLeftCorner(n, n), data.dtau_dq.topLeftCorner(n, n),
            data.dtau_dv.topLeftCorner(n, n);
        return list;
      };
      const Matrix on_beam = forces(Robot(with)) - forces(without),
                   fixed = forces(Robot(ends)) - forces(shorter);
      EXPECT_LT(relative_difference(on_beam, fixed), 1e-11) << node;  // rounding of the differences
    }
}

// How far the torque of the joint has hold of the end: angular acceleration of the end about the
// joint per torque, while the link is bent by a force across its end. In a row of short segments it
// stays positive; in one segment of second order the error of the displacements, of third order in
// the slope, is larger than what four elements let through, and it changes its sign. A torque that
// leads the end along a path across there does not exist (docs/links_that_bend.md).
TEST(Beam, SegmentsKeepTheTorquesHoldOnTheEnd) {
  const auto holds = [](int elements, int segments) {
    RobotDescription description = unit_beam(elements, JointType::revolute);
    Link& arm = description.links[0];
    arm.drive = Drive{.rotor_inertia = 0.1};
    arm.beam->mass_per_length = 0.5;
    arm.beam->segments = segments;
    fix_mass_to_end(description, 0.1);
    RobotDescription heavy = description;  // 1 kg at the end: gravity is the force
    heavy.links[1].inertia.mass = 1;
    std::vector<double> list;
    Vector q = Vector::Zero(Robot(description).nq());
    const Vector still = q;
    for (const double force : {0.0, 0.4, 0.8, 1.2}) {
      heavy.gravity = {0, -force, 0};
      const Robot loaded(heavy), robot(description);
      const int n = robot.nv() - 1;
      MechanicsData data(loaded);
      for (int iteration = 0; iteration < 20; ++iteration) {
        joint_torque_derivatives(loaded, data, q, still, still);
        q.tail(n) -= solve_linear(data.dtau_dq.bottomRightCorner(n, n), data.tau.tail(n));
      }
      mass_matrix(robot, data, q);
      const Frame& tip = robot.frames()[robot.find_frame("tip")];
      Matrix J(3, n + 1);
      frame_jacobian<double>(robot, data, tip, J);
      const Vector3 p = frame_position(data, tip);
      const Vector turns = (p[0] * J.row(1) - p[1] * J.row(0)).transpose() / p.squaredNorm();
      list.push_back(turns.dot(Vector(solve_linear(data.M, Matrix(Vector::Unit(n + 1, 0))))));
    }
    return list;
  };
  const std::vector<double> one = holds(4, 1), four = holds(1, 4), eight = holds(1, 8);
  // straight: the same model, up to where its elements carry a frame of their own
  EXPECT_NEAR(one[0] / four[0], 1, 1e-6);  // rounding of 1e-4 of the other parts of M^-1
  EXPECT_LT(one[1], 0);
  EXPECT_LT(one[3], 10 * one[1]);
  for (int k = 0; k < 3; ++k) {
    EXPECT_GT(four[k + 1], four[k]);
    EXPECT_GT(eight[k + 1], eight[k]);
  }
}

}  // namespace
}  // namespace tauflex

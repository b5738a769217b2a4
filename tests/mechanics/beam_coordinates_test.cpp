// Beams in other coordinates and of other theories: component modes, the chord, shear, and the load
// under which they buckle. Their laws are those of all robots: see laws_test and jacobians_test.
#include "tauflex/model/beam_coordinates.hpp"

#include <gtest/gtest.h>

#include "mechanics/comparison.hpp"
#include "mechanics/unit_beam.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/mechanics/buckling.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/model/beam_nodes.hpp"

namespace tauflex {
namespace {

// Angular frequencies about the straight beam that turns with `spin`, the joint held.
Vector beam_frequencies(const RobotDescription& description, double spin = 0) {
  const Robot robot(description);
  MechanicsData data(robot);
  const int held = robot.nv() - robot.tree().beams[0].n, n = robot.nv() - held;
  Vector v = Vector::Zero(robot.nv());
  if (held > 0) v[0] = spin;
  joint_torque_derivatives(robot, data, Vector::Zero(robot.nq()), v, Vector::Zero(robot.nv()));
  const Matrix M = data.M.bottomRightCorner(n, n), K = data.dtau_dq.bottomRightCorner(n, n);
  Vector squares = eigenvalues(solve_linear(M, K)).real();
  std::sort(squares.begin(), squares.end());
  return squares.cwiseSqrt();
}

// A law: another basis is the same beam, also where it turns and shortens.
TEST(BeamCoordinates, AllComponentModesAndTheChordAreTheSameBeam) {
  RobotDescription nodes = unit_beam(3, JointType::revolute);
  nodes.links[0].beam->EI_z = 2;
  const Vector expected = beam_frequencies(nodes, 3);
  RobotDescription modes = nodes, chord = nodes, both = nodes;
  modes.links[0].beam->modes = nodes.links[0].beam->inner_coordinates();
  chord.links[0].beam->chord = true;
  both.links[0].beam->modes = modes.links[0].beam->modes;
  both.links[0].beam->chord = true;
  for (const RobotDescription& other : {modes, chord, both})
    EXPECT_LT(relative_difference(beam_frequencies(other, 3), expected), 1e-9);  // rounding of w^2
  EXPECT_EQ(Robot(chord).coordinates().names[1], "arm.rz0_start");
  EXPECT_EQ(Robot(modes).coordinates().names[1], "arm.ymode1");
}

// An order: the frequencies that are kept converge fast with the modes; the end is always exact in
// static loads, so that even none gives the first of them within a per cent.
TEST(BeamCoordinates, FewComponentModesGiveTheSlowFrequencies) {
  RobotDescription description = unit_beam(8);
  const Vector all = beam_frequencies(description);
  double before = 1;
  for (const int modes : {0, 1, 2, 4}) {
    description.links[0].beam->modes = modes;
    const Vector w = beam_frequencies(description);
    EXPECT_EQ(w.size(), 2 + modes);
    const double error = std::abs(w[0] / all[0] - 1);
    EXPECT_LT(error, modes == 0 ? 1e-2 : 0.2 * before) << modes;
    before = error;
  }
}

// The estimate is the error: of the force at the clamped start when the whole beam is shaken at w.
TEST(BeamCoordinates, WhatIsLeftOutIsEstimated) {
  RobotDescription description = unit_beam(8);
  const auto modes = component_modes(lay_out_nodes(*description.links[0].beam, 0));
  ASSERT_EQ(modes.size(), 14);
  EXPECT_NEAR(modes[0].frequency, 22.3732854, 3e-3);  // clamped at both ends, Blevins; 8 elements
  EXPECT_NEAR(modes[0].mass_share, 0.690, 1e-3);      // tables of effective mass
  for (const int kept : {0, 2}) {
    const double w = 5;
    // (K - w^2 M) q = w^2 p in both, p the momentum of a unit velocity of the start
    const auto force = [&](const BeamLayout& beam) {
      Vector p = Vector::Zero(beam.n);
      for (const BeamLayout::Point& point : beam.points)
        for (const BeamLayout::Term& term : point.terms)
          if (term.z < beam.n && term.component == 1) p[term.z] += point.mass * term.a;
      Matrix A = beam.stiffness - w * w * mass_at_rest(beam);
      // both ends clamped: what the inner modes add
      std::vector<int> inner;
      for (int k = 0; k < beam.n; ++k)
        if (beam.names[k] != "y8" && beam.names[k] != "rz8") inner.push_back(k);
      if (inner.empty()) return 0.0;
      const Vector moved = p(inner);
      const Vector answer = solve_linear(A(inner, inner), w * w * moved);
      return moved.dot(answer);
    };
    Beam reduced = *description.links[0].beam;
    reduced.modes = kept;
    const double missed = force(lay_out_nodes(reduced, 0)) - force(lay_out_beam(reduced, 0));
    EXPECT_NEAR(missed_inertia(modes, kept, w) / missed, 1, 1e-6) << kept;  // rounding
  }
  EXPECT_EQ(missed_inertia(modes, 0, 20), 1);  // close to resonance
  EXPECT_EQ(missed_inertia(modes, 14, 20), 0);
}

// A closed form: P L^3 / (3 EI) + P L / S, exact with one element.
TEST(BeamCoordinates, ShearAddsToTheDeflection) {
  RobotDescription description = unit_beam(1);
  description.links[0].beam->shear_y = 5;
  description.links[0].beam->second_order = false;
  const BeamLayout beam = lay_out_beam(*description.links[0].beam, 0);
  const Vector q = solve_linear(beam.stiffness, Matrix(Vector::Unit(2, 0)));
  EXPECT_NEAR(q[0], 1.0 / 3 + 1.0 / 5, 1e-14);  // rounding
  EXPECT_NEAR(q[1], 1.0 / 2, 1e-14);            // the section turns as without shear
}

// Clamped and free, S = 50, rotary inertia 0.01: Chebyshev collocation of Timoshenko's equations
// with 40 points, converged to all digits. The errors follow from the element alone: a wave of that
// frequency in an infinite beam of such elements is too fast by `dispersion`, (k h)^2 / 57 for the
// third. The parts of the shape that fade from the clamp err less, so the errors stay below, by
// little: they are a part of the shape.
TEST(BeamCoordinates, TimoshenkoFrequenciesConverge) {
  const double exact[3] = {3.2985425921, 15.7517660591, 35.1300597828};
  const double dispersion[2][3] = {{1.412377e-4, 3.100638e-3, 1.506977e-2},
                                   {3.499884e-5, 7.698867e-4, 3.746973e-3}};
  double error[2][3];
  int row = 0;
  for (const int elements : {8, 16}) {
    RobotDescription description = unit_beam(elements);
    description.links[0].beam->shear_y = 50;
    description.links[0].beam->rotary_y = 0.01;
    const Vector w = beam_frequencies(description);
    for (int k = 0; k < 3; ++k) {
      error[row][k] = w[k] / exact[k] - 1;
      EXPECT_LT(error[row][k], dispersion[row][k]) << k;
      EXPECT_GT(error[row][k], 0.9 * dispersion[row][k]) << k;
    }
    ++row;
  }
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(std::log2(error[0][k] / error[1][k]), 2, 0.03)
        << k;  // the next term is (k h)^2 / 10
}

// Euler: a clamped beam carries pi^2 EI / (4 L^2) on its end.
TEST(BeamCoordinates, BucklesUnderEulersLoad) {
  RobotDescription description = unit_beam(4);
  description.links[0].beam->mass_per_length = 1e-9;
  fix_mass_to_end(description, 1);
  const double critical = M_PI * M_PI / 4;
  for (const double load : {0.99 * critical, 2 * critical}) {
    description.gravity = {-load, 0, 0};
    const Robot robot(description);
    MechanicsData data(robot);
    const auto found = buckling(robot, data, Vector::Zero(robot.nq()));
    EXPECT_EQ(found.has_value(), load > critical);
    if (!found) continue;
    EXPECT_NEAR(found->carried, 0.5, 1e-4);  // 4 elements
    EXPECT_EQ(found->link, "arm");
  }
}

}  // namespace
}  // namespace tauflex

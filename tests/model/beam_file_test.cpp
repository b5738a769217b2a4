// Beams in robot files: sections, attachments, and one sentence for each thing that cannot be.
#include "tauflex/model/beam_file.hpp"

#include <gtest/gtest.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/model/robot.hpp"
#include "tauflex/model/robot_file.hpp"

namespace tauflex {
namespace {

Beam beam_of(const std::string& text) { return read_beam(Node::read_text(text, "job.yaml")); }

std::string fault(const std::string& text) {
  try {
    beam_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

std::string robot_fault(const std::string& text) {
  try {
    const Robot robot(read_robot(Node::read_text(text, "job.yaml")));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(BeamFile, ASectionAndAMaterialGiveStiffnessAndMass) {
  const Beam beam = beam_of(
      "{to: [0, 0, 0.5], section: {tube: {diameter: 80 mm, wall: 3 mm}}, material: aluminium}");
  const double d = 0.08, inner = 0.074, area = M_PI * (d * d - inner * inner) / 4;
  const double I = M_PI * (std::pow(d, 4) - std::pow(inner, 4)) / 64;
  EXPECT_NEAR(beam.mass_per_length, 2700 * area, 1e-12);  // rounding
  EXPECT_NEAR(beam.EI_y, 70e9 * I, 1e-6);                 // rounding of 2e4
  EXPECT_NEAR(beam.EI_z, 70e9 * I, 1e-6);
  EXPECT_NEAR(beam.GJ, 26e9 * 2 * I, 1e-6);
  EXPECT_EQ(beam.EA, 0);
  const Beam flat = beam_of(
      "{to: [1, 0, 0], section: {box: {y: 0.02, z: 0.04, wall: 0.001}}, material: steel, "
      "gives: [y, stretch]}");
  EXPECT_EQ(flat.EI_z, 0);
  EXPECT_EQ(flat.GJ, 0);
  EXPECT_GT(flat.EA, 0);
  // against deflection along y: z y^3 / 12, walls out
  EXPECT_NEAR(flat.EI_y, 210e9 * (0.04 * std::pow(0.02, 3) - 0.038 * std::pow(0.018, 3)) / 12,
              1e-9 * flat.EI_y);
}

// Shear coefficients of Cowper 1966 for Poisson's ratio 70 / 52 - 1 = 0.346.
TEST(BeamFile, ASectionGivesShearAndRotaryInertia) {
  const Beam rod = beam_of(
      "{to: [1, 0, 0], section: {rod: {diameter: 0.1}}, material: aluminium, theory: timoshenko}");
  const double area = M_PI * 0.01 / 4, I = M_PI * 1e-4 / 64, nu = 70.0 / 52 - 1;
  EXPECT_NEAR(rod.shear_y / (26e9 * area), 6 * (1 + nu) / (7 + 6 * nu), 1e-12);  // rounding
  EXPECT_NEAR(rod.rotary_z / (2700 * I), 1, 1e-12);
  const Beam thin = beam_of(
      "{to: [1, 0, 0], section: {tube: {diameter: 0.1, wall: 1e-6}}, material: aluminium, "
      "theory: timoshenko, gives: [y]}");
  const double thin_area = M_PI * 0.1 * 1e-6;
  EXPECT_NEAR(thin.shear_y / (26e9 * thin_area), 2 * (1 + nu) / (4 + 3 * nu), 1e-4);  // wall / d
  EXPECT_EQ(thin.shear_z, 0);
}

TEST(BeamFile, OneSentenceForEachThingThatCannotBe) {
  EXPECT_EQ(fault("{to: [0, 0, 0], mass_per_length: 1, EI: 1}"),
            "job.yaml:1: to: the beam has no length: it is where it starts");
  EXPECT_EQ(fault("{to: [1, 0, 0], EI: 1}"), "job.yaml:1: 'mass_per_length' is missing");
  EXPECT_EQ(fault("{to: [1, 0, 0], mass_per_length: 1}"),
            "job.yaml:1: the beam is rigid in every direction; give EI, EA or GJ, or a section");
  EXPECT_EQ(fault("{to: [1, 0, 0], mass_per_length: 1, EI: -2}"),
            "job.yaml:1: EI: must be greater than 0, got -2");
  EXPECT_EQ(fault("{to: [1, 0, 0], EI: 1, section: {rod: {diameter: 0.1}}, material: steel}"),
            "job.yaml:1: EI: cannot be given together with a section, which determines it");
  EXPECT_EQ(fault("{to: [1, 0, 0], section: {tube: {diameter: 0.1, wall: 0.06}}, material: steel}"),
            "job.yaml:1: section.tube.wall: is more than half of the diameter");
  EXPECT_EQ(fault("{to: [1, 0, 0], section: {rod: {diameter: 0}}, material: steel}"),
            "job.yaml:1: section.rod.diameter: must be greater than 0, got 0");
  EXPECT_EQ(fault("{to: [1, 0, 0], mass_per_length: 1, GJ: 1}"),
            "job.yaml:1: GJ: a beam that twists needs twist_inertia, the inertia per length about "
            "its axis");
  EXPECT_EQ(fault("{to: [1, 0, 0], mass_per_length: 1, EI: 1, y: x}"),
            "job.yaml:1: y: points along the beam; it is a direction across it");
  EXPECT_EQ(fault("{to: [1, 0, 0], mass_per_length: 1, EI: 1, elements: 0}"),
            "job.yaml:1: elements: must be from 1 to 200, got 0");
  EXPECT_EQ(
      fault("{to: [1, 0, 0], mass_per_length: 1, EI: 1, elements: 2, modes: 3}"),
      "job.yaml:1: modes: must be auto or from 0 to 2, the inner coordinates of a segment with "
      "2 elements, got 3");
  EXPECT_EQ(fault("{to: [1, 0, 0], mass_per_length: 1, EI: 1, frame: middle}"),
            "job.yaml:1: frame: expected tangent or chord, got 'middle'");
  EXPECT_EQ(fault("{to: [1, 0, 0], mass_per_length: 1, EI: 1, shear: 5}"),
            "job.yaml:1: shear: belongs to theory: timoshenko; give that too");
  EXPECT_EQ(
      fault("{to: [1, 0, 0], mass_per_length: 1, EI: 1, theory: timoshenko, shear: {z: 5}}"),
      "job.yaml:1: shear: deflection along y has EI but no shear; a beam needs both or neither");
  EXPECT_EQ(fault("{to: [1, 0, 0], mass_per_length: 1, EI: 1, masses: [{at: 2, mass: 1}]}"),
            "job.yaml:1: masses.0.at: is beyond the end of the beam, 1 m");
}

const char* const arm =
    "{links: [{name: arm, joint: {parent: world, type: revolute, axis: z}, "
    "beam: {to: [1, 0, 0], mass_per_length: 1, EI: 1, segments: 2}}], frames: {tool: {link: arm, "
    "at: [%, 0, 0]}}}";
std::string with_tool_at(const std::string& x) {
  std::string text = arm;
  return text.replace(text.find('%'), 1, x);
}

TEST(BeamFile, FramesMoveWithTheEndTheyAreAt) {
  for (const auto& [x, body] : {std::pair("-0.2", 0), std::pair("0", 0), std::pair("0.5", 1),
                                std::pair("1", 2), std::pair("1.3", 2)}) {
    const Robot robot(read_robot(Node::read_text(with_tool_at(x), "job.yaml")));
    EXPECT_EQ(robot.frames()[robot.find_frame("tool")].body, body) << x;
  }
  EXPECT_NE(robot_fault(with_tool_at("0.7")).find("it is within the beam of link 'arm'"),
            std::string::npos);
}

}  // namespace
}  // namespace tauflex

// The best value that keeps a condition: closed forms, the durations of `fit`, error messages.
#include "tauflex/studies/design.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tauflex/base/text.hpp"
#include "tauflex/studies/fit.hpp"
#include "tauflex/studies/thread_engine.hpp"

namespace tauflex {
namespace {

// A mass on a rail; the largest acceleration of its path is 10 / sqrt(3) stroke / duration^2.
Study slide_design(const std::string& question) {
  return read_study(
      Node::read_text(
          "tauflex: 1\nstudy: {job: {tauflex: 1, robot: {gravity: [0, 0, 0], links: [{name: slide, "
          "joint: {parent: world, type: prismatic, axis: x}, drive: {rotor_inertia: 0, limits: "
          "{torque: 10}}, mass: 2}]}, task: {outputs: [slide], path: {line: {from: [0], to: "
          "[0.5]}, "
          "duration: 1, profile: polynomial5}}, method: {exact: {step: 0.01}}}, design: {" +
              question + ", where: limits}}",
          "s.yaml"),
      "s");
}

Design found(const Study& study) {
  ThreadEngine engine(2);
  return design(study, engine);
}

const double peak = 10 / std::sqrt(3.0);

// Closed form: m D peak / T^2 = 10 N.
TEST(Design, DurationMassAndStroke) {
  const double T = std::sqrt(2 * 0.5 * peak / 10);
  const Design shortest = found(slide_design("smallest: task.path.duration, between: [x0.1, x10]"));
  EXPECT_NEAR(shortest.found.values.front(), T, 2e-4 * T);  // tolerance 1e-4, peaks between samples
  EXPECT_GE(shortest.found.row.kept.front(), 0);
  EXPECT_EQ(shortest.record->exit_code(), ExitCode::success);
  EXPECT_TRUE(shortest.notes.empty());

  const Design heaviest = found(slide_design("largest: robot.links.slide.mass, between: [0.1, 8]"));
  EXPECT_NEAR(heaviest.found.values.front(), 10 / (0.5 * peak), 2e-4 * 10 / (0.5 * peak));

  const Design both = found(
      slide_design("largest: {robot.links.slide.mass: [1, 10], task.path.line.to.0: [0.1, 2]}"));
  ASSERT_EQ(both.found.values.size(), 2u);
  EXPECT_NEAR(both.found.values[0] * both.found.values[1], 10 / peak, 5e-4 * 10 / peak);
}

// The duration of E12 within its limits: as `fit` finds it, each to 1e-4.
TEST(Design, FindsTheDurationOfFit) {
  const std::string e12 = TAUFLEX_SOURCE_DIR "/examples/e12_limits.yaml";
  const Study study = read_study(
      Node::read_text("tauflex: 1\nstudy: {job: '" + e12 +
                          "', design: {smallest: task.path.duration, between: [x0.7, x1.4], where: "
                          "limits, looks: 9}}",
                      "s.yaml"),
      "s");
  const double T = fit(read_job_node(e12), "e12", {.verify = false}).found.duration;
  const double designed = *parse_number(found(study).found.row.parameters.front());
  EXPECT_NEAR(designed, T, 2e-4 * T);
}

TEST(Design, SaysWhatStandsAgainstIt) {
  const auto refusal = [](const std::string& question) -> std::string {
    try {
      found(slide_design(question));
    } catch (const Error& error) {
      return error.what();
    }
    return "not refused";
  };
  EXPECT_NE(refusal("smallest: task.path.duration, between: [0.1, 0.5]")
                .find("no value between the bounds keeps limits: at task.path.duration = 0.5 "
                      "solution.least_margin is -1.309"),
            std::string::npos);
  EXPECT_NE(refusal("smallest: task.path.duration, between: [2, 1]").find("the smaller first"),
            std::string::npos);
  EXPECT_NE(refusal("between: [1, 2]").find("expected one of smallest and largest"),
            std::string::npos);
  EXPECT_NE(refusal("smallest: task.path.durations, between: [1, 2]").find("could vary"),
            std::string::npos);
  const Design bound =
      found(slide_design("smallest: task.path.duration, between: [1, 2], looks: 3"));
  ASSERT_EQ(bound.notes.size(), 1u);
  EXPECT_NE(bound.notes.front().find("keeps the condition itself"), std::string::npos);
}

}  // namespace
}  // namespace tauflex

// The shortest duration within limits: closed forms of one rigid axis, E12, and what cannot be
// fitted.
#include "tauflex/studies/fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tauflex/base/yaml_text.hpp"
#include "tauflex/report/fit_table.hpp"
#include "tauflex/report/study_json.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

Node example(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return read_job_node(std::string(TAUFLEX_SOURCE_DIR "/examples/") + name + ".yaml", overrides);
}

// One rigid axis of 2 kg m^2 about the vertical; the path turns it by 1.5 rad.
Node axis(const std::string& limits, const std::string& path) {
  return Node::read_text(
      "tauflex: 1\n"
      "robot: {links: [{name: axis, joint: {parent: world, type: revolute, axis: z}, drive: "
      "{rotor_inertia: 0, gear_ratio: 4, limits: " +
          limits + "}, mass: 1, inertia: {zz: 2}}]}\ntask: {outputs: [axis], path: " + path + "}\n",
      "axis.yaml");
}
const std::string line = "{line: {from: [0], to: [1.5]}, duration: 1, profile: polynomial5}";

template <class ErrorType>
std::string refusal(const Node& job, const FitOptions& options = {}) {
  try {
    fit(job, "job", options);
  } catch (const ErrorType& error) {
    return error.what();
  }
  return "not refused";
}

// u = I phi s'' / n, largest s'' of degree 5: 10 / sqrt(3)
TEST(Fit, torque_of_one_axis) {
  const double peak = 10 / std::sqrt(3.0);
  for (const double torque : {0.5, 50.0}) {  // slower and faster than given
    const Fit found = fit(axis("{torque: " + std::to_string(torque) + "}", line), "axis");
    const double T = std::sqrt(2 * 1.5 * peak / (4 * torque));
    EXPECT_GE(found.found.duration, T * (1 - 1e-5));  // its samples are 1 ms apart
    EXPECT_LE(found.found.duration, T * 1.0002);      // tolerance 1e-4
    EXPECT_GE(found.found.closest.margin, 0);
    EXPECT_EQ(found.record.exit_code(), ExitCode::success);
    EXPECT_TRUE(found.record.warnings.empty());
  }
}

// n phi s' / T, largest s' of degree 5: 15/8; and n phi s''' / T^3: 60 at both ends
TEST(Fit, speed_and_torque_rate_of_one_axis) {
  EXPECT_NEAR(fit(axis("{speed: 20}", line), "axis").found.duration, 4 * 1.5 * 1.875 / 20,
              1e-4 * 0.5625);
  EXPECT_NEAR(fit(axis("{torque_rate: 30}", line), "axis").found.duration,
              std::cbrt(2 * 1.5 * 60 / (4 * 30.0)), 2e-4);  // s; tolerance 1e-4
}

// Degree 5 needs less torque than degree 7, whose largest s'' is 84 sqrt(5) / 25.
TEST(Fit, the_best_of_some_orders) {
  const Node job = axis("{torque: 5}", line);
  const Fit found = fit(job, "axis", {.smoothness = {3, 2, 1}});
  EXPECT_EQ(found.found.profile, "C^2");
  EXPECT_NEAR(found.found.duration, fit(job, "axis").found.duration, 1e-4);
  EXPECT_EQ(found.job.at("task").at("path").at("profile").text(), "polynomial5");
  EXPECT_EQ(found.trials.back().status, Status::not_solvable);  // C^1: the torque would jump
}

TEST(Fit, times_of_points_are_stretched_and_standing_keeps_its_time) {
  const Fit spline =
      fit(axis("{torque: 5}", "{spline: {points: [[0], [1], [1.5]], times: [0, 0.6, 1]}}"), "axis");
  const Vector times = spline.job.at("task").at("path").at("spline").at("times").numbers();
  EXPECT_NEAR(times[1] / times[2], 0.6, 1e-12);
  EXPECT_EQ(times[2], spline.found.duration);

  const Fit steps = fit(axis("{torque: 5}",
                             "[{line: {from: [0], to: [1]}, duration: 0.8}, {hold: "
                             "0.2}, {line: {to: [1.5]}, duration: 0.4}]"),
                        "axis");
  const Node path = steps.job.at("task").at("path");
  EXPECT_EQ(path[1].at("hold").number(), 0.2);
  EXPECT_NEAR(path[0].at("duration").number(), 2 * path[2].at("duration").number(), 1e-12);
  EXPECT_NEAR(steps.found.duration,
              path[0].at("duration").number() + 0.2 + path[2].at("duration").number(), 1e-12);
}

// Asked for: between 0.39 and 0.40 s.
TEST(Fit, e12_with_60_kNm) {
  const Fit found = fit(example("e12_limits"), "e12_limits");
  EXPECT_GT(found.found.duration, 0.39);
  EXPECT_LT(found.found.duration, 0.40);
  EXPECT_GE(found.found.closest.margin, 0);
  EXPECT_LT(found.found.closest.margin, 1e-3);
  EXPECT_EQ(found.record.exit_code(), ExitCode::success);
  EXPECT_TRUE(found.record.warnings.empty());

  // what is written runs again, to the same torques; 5 % less does not respect the limits
  const std::string text = yaml_text(found.job);
  const auto again = [&](const std::vector<std::string>& overrides) {
    return run(read_job(Node::read_text(text, "job.yaml"), "again", overrides), Until::solved);
  };
  EXPECT_EQ(again({}).solution.u, found.record.solution.u);
  const Record faster =
      again({"task.path.duration=" + std::to_string(0.95 * found.found.duration)});
  EXPECT_FALSE(faster.warnings.empty());
}

// The hand rings after a fast move: with strong motors it is the hold that asks for more time.
TEST(Fit, holds_count) {
  const auto fitted = [](const char* hold) {
    return fit(example("e12_limits", {"robot.links.upper.drive.limits={torque: 250e3}",
                                      "robot.links.fore.drive.limits={torque: 250e3}", hold}),
               "e12_limits", {.tolerance = 1e-3, .verify = false});
  };
  const Fit moved = fitted("task.hold.after=0"), held = fitted("task.hold.after=0.2");
  EXPECT_GT(held.found.duration, 1.02 * moved.found.duration);
  EXPECT_GT(held.found.closest.t, held.found.duration);
  for (const FitTrial& trial : held.trials)
    if (trial.respects_limits()) EXPECT_GE(trial.duration, held.found.duration);
}

TEST(Fit, refuses_what_has_no_answer) {
  EXPECT_EQ(refusal<InputError>(example("e12_bdf")),
            "job: no drive has limits, so there is no shortest duration; add for instance limits: "
            "{torque: 100} to a drive");
  const std::string rest =
      refusal<ProblemError>(example("e12_bdf", {"robot.links.upper.drive.limits={torque: 5000}"}));
  EXPECT_TRUE(rest.starts_with(
      "job: no duration respects the limits: at rest on the path, the torque of 'upper' reaches "))
      << rest;
  const std::string range =
      refusal<ProblemError>(example("e12_limits", {"robot.links.fore.joint.range=[0, 0.5]"}));
  EXPECT_NE(range.find("at rest on the path, joint 'fore' leaves its range"), std::string::npos)
      << range;
  EXPECT_NE(refusal<InputError>(axis("{torque: 1e9}", line)).find("even in 0.00"),
            std::string::npos);
  EXPECT_NE(refusal<InputError>(example("driven_pendulum")).find("fit needs a task with a path"),
            std::string::npos);
  const TemporaryFolder folder;
  folder.write("path.csv", "t,axis\n0,0\n0.5,1\n1,1.5\n");
  const auto job =
      folder.write("job.yaml", yaml_text(axis("{torque: 5}", "{samples: {file: path.csv}}")));
  EXPECT_NE(refusal<InputError>(read_job_node(job)).find("fit cannot change the times of a table"),
            std::string::npos);
  // never slow enough
  const std::string never = refusal<ProblemError>(axis("{torque: 0.1}", line), {.longest = 2});
  EXPECT_NE(never.find("no duration up to 1.953 s respects the limits"), std::string::npos)
      << never;
}

// The torque of this path has a spike at the start, of which differences over 1 ms know nothing.
TEST(Fit, is_not_decided_by_torques_that_nobody_knows) {
  const Node job = example(
      "e12_limits", {"task.path.profile=polynomial7", "method={bdf: {order: 3, step: 0.001}}"});
  const std::string sentence = refusal<ProblemError>(job, {.tolerance = 1e-2});
  EXPECT_NE(sentence.find("the shortest duration within the limits is not known"),
            std::string::npos)
      << sentence;
  EXPECT_NE(sentence.find("the torque of 'upper' may be off by"), std::string::npos) << sentence;
}

TEST(Fit, options_are_checked) {
  try {
    fit(example("e12_limits"), "arm", {.smoothness = {4, 16}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "fit.smoothness: must be 1 to 15, got 16");
  }
}

TEST(Fit, can_be_stopped) {
  int calls = 0;
  const Fit stopped = fit(example("e12_limits"), "e12_limits", {},
                          [&](const char*, double) { return ++calls < 10; });
  EXPECT_EQ(stopped.status, Status::interrupted);
  EXPECT_EQ(nlohmann::json::parse(fit_json("e12_limits", stopped)).at("found"), nullptr);
}

TEST(Fit, trials_as_text_and_json) {
  const Fit found = fit(axis("{torque: 5}", line), "axis", {.tolerance = 1e-2});
  const auto json = nlohmann::json::parse(fit_json("axis", found));
  EXPECT_EQ(json.at("found").at("duration"), found.found.duration);
  EXPECT_EQ(json.at("trials").size(), found.trials.size());
  EXPECT_EQ(json.at("found").at("limit"), "torque");
  const std::string text = fit_text("axis", found);
  EXPECT_NE(text.find("torque of axis"), std::string::npos);
  EXPECT_NE(text.find("shortest within the limits: "), std::string::npos);
}

}  // namespace
}  // namespace tauflex
